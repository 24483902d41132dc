"""Whether a known value passes a column's filters."""

import re
from collections.abc import Iterable

from veridical.check.facts import Filter, Kind, Literal


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
    written = [literal for literal in each.values if literal.kind in (Kind.NUMBER, Kind.TEXT)]
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
    if literal.kind is Kind.NUMBER:
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
