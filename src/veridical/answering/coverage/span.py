"""Ranges of values that a call lets through, compared as text: years, months, days, codes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from veridical.answering.coverage.call import Pick

LAST = "\uffff"
"""Sorts behind every text."""
_WILDCARDS = ("%", "_", "\\")
_NO_LIMIT = frozenset({"!=", "not in", "not like", "not ilike", "is not null", "not is null"})

Key = Callable[[Any, int], str]
"""A value as sortable text, moved by some steps; raises ``ValueError`` for what is none."""


@dataclass(frozen=True, slots=True)
class Span:
    """All texts from the first to the last."""

    low: str = ""
    high: str = LAST

    def meets(self, other: "Span") -> bool:
        """True when the two have a value in common."""
        return self.low <= other.high and other.low <= self.high

    def holds(self, other: "Span") -> bool:
        """True when nothing of the other lies outside."""
        return self.low <= other.low and other.high <= self.high


def spans_of(picks: Iterable[Pick], key: Key) -> tuple[Span, ...] | None:
    """The values that these comparisons let through; none when one of them can't be read.

    Where several narrow one column the widest of them counts: a range too wide blocks nothing.
    """
    found: list[Span] = []
    limits: dict[tuple[int, str], Span] = {}
    for pick in picks:
        if pick.op in _NO_LIMIT:
            continue
        read = _read(pick, key)
        if read is None:
            return None
        if pick.op in _ONE_SIDED:
            place = (pick.use, pick.column.name)
            limits[place] = _closed(limits.get(place), read[0])
        else:
            found += read
    return (*found, *limits.values())


_ONE_SIDED = frozenset({"<", "<=", ">", ">="})


def _closed(known: Span | None, more: Span) -> Span:
    """A lower and an upper limit as one range."""
    if known is None:
        return more
    lows = [each.low for each in (known, more) if each.low]
    highs = [each.high for each in (known, more) if each.high != LAST]
    return Span(min(lows, default=""), max(highs, default=LAST))


def _read(pick: Pick, key: Key) -> list[Span] | None:
    if not pick.values:
        return None
    try:
        match pick.op:
            case "=" | "in":
                return [Span(key(value, 0), key(value, 0)) for value in pick.values]
            case "between":
                low, high = pick.values
                return [Span(key(low, 0), key(high, 0))]
            case ">" | ">=":
                return [Span(low=key(pick.values[0], 1 if pick.op == ">" else 0))]
            case "<" | "<=":
                return [Span(high=key(pick.values[0], -1 if pick.op == "<" else 0))]
            case "like" | "ilike":
                return _like(str(pick.values[0]), key)
            case _:
                return None
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _like(pattern: str, key: Key) -> list[Span] | None:
    start = pattern.rstrip("%")
    if not start or any(sign in start for sign in _WILDCARDS):
        return None
    return [Span(key(start, 0), start + LAST if start != pattern else key(start, 0))]
