"""What a call applied to its rows: the limits that it compared with, and how many it asked for."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlglot import exp

from veridical.gate.evidence.statement import figure_of, parsed
from veridical.reading.before import OPPOSITE, OVER, UNDER

_MARKS = {
    ">": OVER, ">=": OVER, "gt": OVER, "gte": OVER, "<": UNDER, "<=": UNDER, "lt": UNDER,
    "lte": UNDER,
}  # fmt: skip
_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.GT: OVER, exp.GTE: OVER, exp.LT: UNDER, exp.LTE: UNDER,
}  # fmt: skip

Limit = tuple[str, float]
"""Whether what was asked for lies over or under, and the figure."""


class Applied(NamedTuple):
    """What narrowed a call's rows down, beside the values that it held fixed."""

    compared: tuple[Limit, ...] = ()
    row_limit: int | None = None


def applied_by(arguments: Mapping[str, Any]) -> Applied:
    """From a call's arguments, or from the statement among them."""
    sql = arguments.get("sql")
    if isinstance(sql, str):
        return applied_in(parsed(sql))
    filters = arguments.get("filters")
    told = filters if isinstance(filters, list | tuple) else ()
    compared = tuple(limit for each in told if isinstance(each, Mapping) for limit in _limits(each))
    return Applied(compared, _whole(arguments.get("limit")))


def applied_in(tree: exp.Select | None) -> Applied:
    """From a statement, with all that it selects from."""
    if tree is None:
        return Applied()
    limit = tree.args.get("limit")
    many = figure_of(limit.expression) if isinstance(limit, exp.Limit) else None
    return Applied(tuple(_comparisons(tree)), None if many is None else int(many))


def _limits(told: Mapping[str, Any]) -> Iterator[Limit]:
    op, value = str(told.get("op", "=")).strip().lower(), told.get("value")
    if op == "between" and isinstance(value, list | tuple) and len(value) == 2:
        for mark, each in zip((OVER, UNDER), value, strict=True):
            yield from _limit(mark, each)
    elif op in _MARKS:
        yield from _limit(_MARKS[op], value)


def _limit(mark: str, value: Any) -> Iterator[Limit]:
    if not isinstance(value, bool) and isinstance(value, int | float):
        yield mark, float(value)


def _comparisons(tree: exp.Select) -> Iterator[Limit]:
    for found in tree.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between):
        if isinstance(found, exp.Between):
            for mark, name in ((OVER, "low"), (UNDER, "high")):
                yield from _limit(mark, figure_of(found.args.get(name)))
            continue
        mark = _COMPARISONS[type(found)]
        yield from _limit(mark, figure_of(found.expression))
        yield from _limit(OPPOSITE[mark], figure_of(found.this))


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
