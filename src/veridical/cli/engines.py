"""``veridical engines``: the supported databases, and what their tests run against."""

import json
from typing import Any

import typer
from rich.table import Table

from veridical.cli.error_reporting import out
from veridical.cli.options import AsJson, In
from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.language import Language
from veridical.engines.kind import EngineKind
from veridical.engines.registry import engines as registered
from veridical.messages import message

_COLUMNS = ("engine", "label", "dialect", "addresses", "driver")


def engines(language: In = Language.EN, as_json: AsJson = False) -> None:
    """List the engines: addresses, dialect, and whether tests run on a real one or on none."""
    rows = [_row(kind) for kind in registered()]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in _COLUMNS:
        table.add_column(message(f"cli.engines_{name}", language))
    for row in rows:
        missing = message("cli.engines_missing", language, extra=row["extra"])
        driver = missing if row["missing"] else row["extra"] or "-"
        table.add_row(
            row["title"], row["label"], row["dialect"], "\n".join(row["addresses"]), driver
        )
    out.print(table)


def _row(kind: EngineKind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "title": kind.title,
        "label": kind.label.value,
        "dialect": kind.dialect,
        "addresses": list(kind.addresses),
        "extra": kind.extra,
        "missing": _is_missing(kind.extra),
        "rowPolicies": kind.has_row_policies,
        "lock": kind.lock.value,
    }


def _is_missing(extra: str) -> bool:
    try:
        require(*([extra] if extra else []))
    except MissingExtraError:
        return True
    return False
