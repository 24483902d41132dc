"""The arguments of a fact, as models write them, read into one shape."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.facts.kernel.value import FactError, Reason

_SYNONYMS = {
    "form": "say", "result": "from", "source": "from", "table": "from", "filter": "where",
    "condition": "where", "group": "by", "group_by": "by", "groupby": "by",
    "measure": "measures", "column": "measures", "value": "measures", "row": "rows",
    "names": "rows", "top": "n", "count": "n", "order_by": "sort", "sort_by": "sort",
    "aggregate": "agg", "function": "agg", "operator": "is", "threshold": "limit",
    "date": "over", "time": "over", "since": "start", "until": "end",
}  # fmt: skip
_MOST = 40


@dataclass(frozen=True, slots=True)
class Join:
    """A second result, and the columns by which its rows are found."""

    result: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """All arguments of a form; missing ones are empty."""

    say: str
    result: str = ""
    where: str = ""
    by: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    name: str = ""
    join: Join | None = None
    format: str = ""
    n: int | None = None
    sort: str = ""
    first: int | None = None
    agg: str = ""
    order: str = ""
    over: str = ""
    start: str = ""
    end: str = ""
    a: str = ""
    b: str = ""
    part: str = ""
    whole: str = ""
    comparison: str = ""
    limit: str = ""
    what: str = ""
    columns: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    total: bool = False
    text: str = ""


def read_arguments(raw: Any) -> Arguments:
    """The arguments of one fact. Raises ``FactError``."""
    if not isinstance(raw, Mapping):
        raise FactError(Reason.FORM, _shown(raw))
    read: dict[str, Any] = {"say": ""}
    for key, value in raw.items():
        name = str(key).casefold()
        name = name if name in _READERS else _SYNONYMS.get(name, name)
        if name == "labels":  # of the answer, not of a fact
            continue
        if name not in _READERS:
            raise FactError(Reason.ARGUMENT, str(key), sorted(_READERS))
        if value is not None and value != "" and value != []:
            read[_FIELDS.get(name, name)] = _READERS[name](value)
    return Arguments(**read)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | float):
        return str(value).strip()
    raise FactError(Reason.ARGUMENT, _shown(value))


def _shown(value: Any) -> str:
    """The value written for an argument; of a nested one, only its type."""
    return str(value) if isinstance(value, str | int | float) else type(value).__name__


def _folded(value: Any) -> str:
    return _text(value).casefold()


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value.strip(),)
    if isinstance(value, Sequence):
        return tuple(_text(each) for each in value[:_MOST])
    return (_text(value),)


def _columns(value: Any) -> tuple[str, ...]:
    """Names of columns, quoted or not."""
    return tuple(each.strip('"`') for each in _texts(value))


def _rows(value: Any) -> tuple[str, ...]:
    """Names of rows; a row that several columns name may be given by all of them."""
    values = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    return tuple(
        " ".join(map(_text, each.values())) if isinstance(each, Mapping)
        else " ".join(map(_text, each)) if isinstance(each, list) else _text(each)
        for each in values[:_MOST]
    )  # fmt: skip


def _condition(value: Any) -> str:
    if isinstance(value, Mapping):  # {"status": "open"}
        pairs = (f'"{key}" = {_quoted(each)}' for key, each in value.items())
        return " and ".join(pairs)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " and ".join(f"({_text(each)})" for each in value)
    return _text(value)


def _quoted(value: Any) -> str:
    if isinstance(value, int | float):
        return _text(value)
    return "'" + _text(value).replace("'", "''") + "'"


def _first(value: Any) -> str:
    texts = _texts(value)
    return texts[0] if texts else ""


def _whole(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return max(1, min(int(value), 1000))
    except (OverflowError, TypeError, ValueError):
        raise FactError(Reason.ARGUMENT, _shown(value)) from None


def _truth(value: Any) -> bool:
    return value is True or str(value).casefold() == "true"


def _join(value: Any) -> Join | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise FactError(Reason.ARGUMENT, "join")
    left, sign, right = str(value.get("on", "")).partition("=")
    right = right.strip() if sign else left.strip()
    strip = _without_result
    return Join(str(value.get("with", "")), strip(left.strip()), strip(right))


def _without_result(name: str) -> str:
    head, dot, tail = name.partition(".")
    return tail if dot and head[:1] == "r" and head[1:].isdecimal() else name


_READERS: dict[str, Callable[[Any], Any]] = {
    "say": _folded, "from": _text, "where": _condition, "by": _columns, "rows": _rows,
    "measures": _texts, "name": _first, "join": _join, "format": _text, "n": _whole,
    "sort": _first, "first": _whole, "agg": _folded, "order": _folded, "over": _first,
    "start": _text, "end": _text, "a": _text, "b": _text, "part": _text, "whole": _text,
    "is": _folded, "limit": _text, "what": _text, "columns": _texts, "among": _texts,
    "total": _truth, "text": _text,
}  # fmt: skip
_FIELDS = {"from": "result", "is": "comparison"}
"""Names that Python keeps for itself."""
