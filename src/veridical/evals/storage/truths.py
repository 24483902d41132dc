"""The truths of a run as typed JSON, so that a replay scores without the database."""

import datetime as dt
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from veridical.evals.gold.oracle import CaseTruth, Truth
from veridical.ontology.errors import LoadError

_PLAIN = (str, int, float, bool, type(None))
_TYPES: dict[str, tuple[type, Callable[[Any], str], Callable[[str], Any]]] = {
    "decimal": (Decimal, str, Decimal),
    "datetime": (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
}
"""A moment is a day too, so it stands first."""


def write_truths(path: Path, truths: Mapping[str, CaseTruth]) -> None:
    """Write the truths; the same ones give the same bytes."""
    stored = {
        case: {"truth": _stored(truth.truth), "wrong": _stored(truth.wrong)}
        for case, truth in sorted(truths.items())
    }
    path.write_text(json.dumps(stored, ensure_ascii=False, indent=1), "utf-8", newline="\n")


def read_truths(path: Path) -> dict[str, CaseTruth]:
    """The stored truths. Raises ``LoadError``."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        return {
            case: CaseTruth(_read(each["truth"]), _read(each["wrong"]))
            for case, each in stored.items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LoadError(f"{path} holds no truths: {error}") from error


def _stored(truth: Truth) -> dict[str, Any]:
    return {
        "columns": truth.columns,
        "rows": [[_stored_value(value) for value in row] for row in truth.rows],
    }


def _read(stored: dict[str, Any]) -> Truth:
    rows = tuple(tuple(_value_read(value) for value in row) for row in stored["rows"])
    return Truth(tuple(stored["columns"]), rows)


def _stored_value(value: Any) -> Any:
    for name, (kind, write, _) in _TYPES.items():
        if isinstance(value, kind):
            return {name: write(value)}
    if isinstance(value, _PLAIN):
        return value
    raise LoadError(f"a truth can't be a {type(value).__name__}: {value}")


def _value_read(value: Any) -> Any:
    if isinstance(value, dict):
        ((name, text),) = value.items()
        return _TYPES[name][2](text)
    return value
