"""Whether a known value passes a column's filters."""

from collections.abc import Iterable

from veridical.check.facts import Filter, Kind, Literal


def admits(filters: Iterable[Filter], value: int | str) -> bool:
    """False when one of the filters surely keeps this value out."""
    return all(_admits(each, value) for each in filters)


def _admits(each: Filter, value: int | str) -> bool:
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
