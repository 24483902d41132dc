"""Whether filters choose among a column's values: which known value passes, and whether all do."""

import re
from collections.abc import Iterable, Sequence

from veridical.check.facts import Filter, Literal, LiteralKind

_CHOOSING = frozenset({"=", "in", "is null", "rank"})
_LOWER = frozenset({">", ">="})
_UPPER = frozenset({"<", "<="})
_YEAR = re.compile(r"(\d{4})-\d\d")
_FIRST_YEAR, _LAST_YEAR = 1970, 2100
"""A bound outside of these means all of time."""
_FIRST_FLOOR = 1900


def admits(filters: Iterable[Filter], value: int | str) -> bool:
    """False when one of the filters surely keeps this value out."""
    return all(_admits(each, value) for each in filters)


def _admits(each: Filter, value: int | str) -> bool:
    if each.op == "or":
        return any(_admits(part, value) for part in each.parts)
    if each.op == "and":
        return all(_admits(part, value) for part in each.parts)
    return bool(each.through) or _passes(each, value)


def _passes(each: Filter, value: int | str) -> bool:
    if each.op == "is null":
        return False
    written = [
        literal for literal in each.values if literal.kind in (LiteralKind.NUMBER, LiteralKind.TEXT)
    ]
    if not written or len(written) != len(each.values):
        return True
    values = [_like(literal, value) for literal in written]
    if any(other is None for other in values):
        return True
    first = values[0]
    match each.op:
        case "=" | "in":
            return value in values
        case "!=" | "not in" | "not =":
            return value not in values
        case "<":
            return value < first  # type: ignore[operator]
        case "<=":
            return value <= first  # type: ignore[operator]
        case ">":
            return value > first  # type: ignore[operator]
        case ">=":
            return value >= first  # type: ignore[operator]
        case "between":
            return first <= value <= values[-1]  # type: ignore[operator]
        case "like" | "ilike" | "not like" | "not ilike":
            found = _matches(str(value), str(first), each.op.endswith("ilike"))
            return found is not each.op.startswith("not")
        case _:
            return True


def _like(literal: Literal, value: int | str) -> int | float | str | None:
    """The literal as the kind of value it is compared with; none when it can't be."""
    if isinstance(value, str):
        return str(literal.value)
    if literal.kind is LiteralKind.NUMBER:
        return literal.value
    try:
        return float(literal.value)
    except ValueError:
        return None


def _matches(text: str, pattern: str, any_case: bool) -> bool:
    """SQL's LIKE: ``%`` is any text, ``_`` any character."""
    signs = (".*" if sign == "%" else "." if sign == "_" else re.escape(sign) for sign in pattern)
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    return re.fullmatch(re.sub(r"(\.\*)+", ".*", "".join(signs)), text, flags) is not None


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
    """True when this filter makes a choice by its form."""
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
        value.kind in (LiteralKind.TEXT, LiteralKind.NUMBER) for value in each.values
    )


def _is_pattern(each: Filter) -> bool:
    """``%`` chooses nothing; and in any case of letters, which values it means is unknown."""
    if not _is_written(each):
        return bool(each.values)
    text = "".join(str(value.value) for value in each.values)
    plain = text.strip("%_")
    return bool(plain) and (each.op == "like" or plain.lower() == plain.upper())


def _is_floor(value: Literal, op: str) -> bool:
    if value.kind is LiteralKind.NUMBER:
        least = value.value + (op == ">")
        return least > (op == ">") and not _FIRST_FLOOR <= least <= _FIRST_YEAR
    year = _year(value)
    return year > _FIRST_YEAR if year is not None else _is_limit(value)


def _is_ceiling(value: Literal) -> bool:
    if value.kind is LiteralKind.NUMBER:
        return not _LAST_YEAR <= value.value <= 9999 and set(str(value.value)) != {"9"}
    year = _year(value)
    return year < _LAST_YEAR if year is not None else _is_limit(value)


def _year(value: Literal) -> int | None:
    found = (
        _YEAR.match(str(value.value))
        if value.kind in (LiteralKind.TEXT, LiteralKind.DATE)
        else None
    )
    return int(found[1]) if found else None


def _is_limit(value: Literal) -> bool:
    """False for plain words: only numbers written as text limit a range."""
    if value.kind is not LiteralKind.TEXT:
        return value.kind is not LiteralKind.NULL
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
