"""Whether filters choose among a column's values, or let all of them pass."""

import re
from collections.abc import Iterable, Sequence

from veridical.check.facts import Filter, Kind, Literal
from veridical.check.filter_match import admits

_CHOOSING = frozenset({"=", "in", "is null", "rank"})
_LOWER = frozenset({">", ">="})
_UPPER = frozenset({"<", "<="})
_YEAR = re.compile(r"(\d{4})-\d\d")
_FIRST_YEAR, _LAST_YEAR = 1970, 2100
"""Whoever writes a bound outside of these means all of time."""
_FIRST_FLOOR = 1900


def narrowed(filters: Sequence[Filter], known: Iterable[int | str]) -> bool:
    """True when the filters keep some of a column's values out.

    ``known`` are all values that it can have, where they are known.
    """
    if not filters:
        return False
    listed = list(known)
    if listed and any(not admits(filters, value) for value in listed):
        return True
    return any(_chooses(each, closed=bool(listed)) for each in filters)


def limited_to(filters: Sequence[Filter], known: Iterable[int | str], wanted: set[str]) -> bool:
    """True when no other value than the wanted ones can pass."""
    listed = list(known)
    if listed:
        return all(str(value) in wanted for value in listed if admits(filters, value))
    return any(
        each.op in ("=", "in")
        and bool(each.values)
        and not each.through
        and all(str(value.value) in wanted for value in each.values)
        for each in filters
    )


def _chooses(each: Filter, closed: bool = False) -> bool:
    """True when the form of this filter says that it makes a choice."""
    if each.through:
        return False
    op = each.op
    if op == "or":
        return all(_chooses(part, closed) for part in each.parts) and not _is_everything(each)
    if op in ("and", "within"):
        return any(_chooses(part, closed and op == "and") for part in each.parts)
    if closed and _is_written(each):
        return False  # it was tried on all values, and let them pass
    if op in _CHOOSING:
        return True
    if op in ("like", "ilike"):
        return _is_pattern(each)
    if op == "between":
        low, high = each.values[0], each.values[-1]
        return len(each.values) == 2 and (_is_floor(low, ">=") or _is_ceiling(high))
    if op in _LOWER:
        return any(_is_floor(value, op) for value in each.values)
    return op in _UPPER and any(map(_is_ceiling, each.values))


def _is_written(each: Filter) -> bool:
    return bool(each.values) and all(
        value.kind in (Kind.TEXT, Kind.NUMBER) for value in each.values
    )


def _is_pattern(each: Filter) -> bool:
    """``%`` chooses nothing; and in any case of letters, nobody can tell which values it means."""
    if not _is_written(each):
        return bool(each.values)
    text = "".join(str(value.value) for value in each.values)
    plain = text.strip("%_")
    return bool(plain) and (each.op == "like" or plain.lower() == plain.upper())


def _is_floor(value: Literal, op: str) -> bool:
    if value.kind is Kind.NUMBER:
        least = value.value + (op == ">")
        return least > (op == ">") and not _FIRST_FLOOR <= least <= _FIRST_YEAR
    year = _year(value)
    return year > _FIRST_YEAR if year is not None else _tells(value)


def _is_ceiling(value: Literal) -> bool:
    if value.kind is Kind.NUMBER:
        return not _LAST_YEAR <= value.value <= 9999 and set(str(value.value)) != {"9"}
    year = _year(value)
    return year < _LAST_YEAR if year is not None else _tells(value)


def _year(value: Literal) -> int | None:
    found = _YEAR.match(str(value.value)) if value.kind in (Kind.TEXT, Kind.DATE) else None
    return int(found[1]) if found else None


def _tells(value: Literal) -> bool:
    """Between two words lies anything; between two numbers written as text, a choice."""
    if value.kind is not Kind.TEXT:
        return value.kind is not Kind.NULL
    return any(sign.isdigit() for sign in str(value.value))


def _is_everything(each: Filter) -> bool:
    """True for ``x < 5 OR x >= 5``, and for anything that leaves no gap."""
    lows = [part.values[0] for part in each.parts if part.op in _LOWER and part.values]
    highs = [part.values[0] for part in each.parts if part.op in _UPPER and part.values]
    return any(
        low.kind is high.kind and low.value is not None and low.value <= high.value
        for low in lows
        for high in highs
    )
