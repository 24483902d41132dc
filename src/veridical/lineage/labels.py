"""Literal outputs that a condition of the same SELECT bears out: ``2024 AS year`` over 2024."""

import re
from decimal import Decimal

from sqlglot import exp

from veridical.lineage.cell import Cell, Value
from veridical.lineage.conditions import time_limits
from veridical.lineage.scope import Scope

_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = re.compile(r"((?:19|20)\d\d)-(\d\d)")
_DAY = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_QUARTER = re.compile(r"(?:((?:19|20)\d\d)[- ]?Q([1-4])|Q([1-4])[- ]?((?:19|20)\d\d))", re.I)


def vouched_label(cell: Cell, condition: exp.Expr, scope: Scope) -> bool:
    """True where every row that is let through has the literal, or lies in the period it names."""
    if not cell.known or len(cell.written) != 1:
        return False
    (value,) = cell.written
    if value in scope.held or _plain(value) in {_plain(each) for each in scope.held}:
        return True
    period = _period(_plain(value))
    limits = time_limits(condition, scope) if period else None
    if period is None or limits is None:
        return False
    first, last = limits
    return period[0] <= _from(first) and _until(last) <= period[1]


def _plain(value: Value) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value.strip().casefold()


def _period(text: str) -> tuple[str, str] | None:
    """The first day of a period, and the first day behind it."""
    if _YEAR.fullmatch(text):
        return f"{text}-01-01", f"{int(text) + 1}-01-01"
    found = _MONTH.fullmatch(text)
    if found:
        return f"{text}-01", _after(int(found[1]), int(found[2]))
    if _DAY.fullmatch(text):
        return text, text
    found = _QUARTER.fullmatch(text)
    if found:
        year, quarter = int(found[1] or found[4]), int(found[2] or found[3])
        return f"{year}-{3 * quarter - 2:02}-01", _after(year, 3 * quarter)
    return None


def _after(year: int, month: int) -> str:
    return f"{year + month // 12}-{month % 12 + 1:02}-01"


def _from(text: str) -> str:
    return f"{text}-01-01" if len(text) == 4 else f"{text}-01" if len(text) == 7 else text


def _until(text: str) -> str:
    """The day that a limit reaches to; a year or a month as a limit reaches to its beginning."""
    return _from(text)
