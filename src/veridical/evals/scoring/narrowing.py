"""The part of a column that conditions leave: values, a range, and exclusions.

Two calls narrow alike when they leave the same, however they say it: ``LIKE '102%'`` leaves the
codes from 1020 to 1029, and so do ``BETWEEN '1020' AND '1029'`` and ``>= '1020' AND < '1030'``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

_MOST_POINTS = 400
"""A span of whole numbers up to this width becomes its numbers."""
_NEGATED = {"not =": "!=", "not is null": "is not null", "not in": "!="}


class Compared(NamedTuple):
    """One comparison of a column with literal values."""

    op: str
    values: tuple[str, ...]


class Span(NamedTuple):
    """A half-open range; none is no bound."""

    low: Decimal | None
    high: Decimal | None

    def holds(self, value: Decimal) -> bool:
        """True if the value lies in it."""
        return (self.low is None or self.low <= value) and (self.high is None or value < self.high)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The remaining values of a column."""

    points: frozenset[str] | None = None
    """These values only; none where they are not listed."""
    span: Span | None = None
    shut_out: frozenset[tuple[str, str]] = frozenset()
    """Other conditions, as operator and value: ``!= opening``, ``is not null``."""
    as_code: bool = True
    """True if values are ordered as texts are: 1020 comes before 103."""

    def meets(self, wanted: "Narrowing") -> bool:
        """True if no more is left than wanted, and of a span no less either."""
        if not wanted.shut_out <= self.shut_out:
            return False
        if wanted.points is not None:
            return self._leaves(wanted.points)
        if wanted.span is None or self.span == wanted.span:
            return True
        # One code out of a span is another question; a list of its codes is the same one.
        places = [_place(each, as_code=self.as_code) for each in self.points or ()]
        return len(places) > 1 and all(
            place is not None and wanted.span.holds(place) for place in places
        )

    def _leaves(self, wanted: frozenset[str]) -> bool:
        if self.points is not None:
            return bool(self.points) and self.points <= wanted
        return any(self.span == _closed(each, each, as_code=self.as_code) for each in wanted)


def narrowing(compared: Iterable[Compared], *, as_code: bool) -> Narrowing:
    """The part that all these comparisons leave; ``as_code`` for a column of texts."""
    points: frozenset[str] | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    shut_out: set[tuple[str, str]] = set()
    for each in compared:
        listed, span = _read(each, as_code=as_code)
        if listed is not None:
            points = listed if points is None else points & listed
        elif span is not None:
            low = span.low if low is None else max(low, span.low or low)
            high = span.high if high is None else min(high, span.high or high)
        else:
            op = _NEGATED.get(each.op, each.op)
            values = ("",) if op.endswith("null") else each.values or ("",)
            shut_out.update((op, value) for value in values)
    span = Span(low, high) if low is not None or high is not None else None
    if points is None and span is not None and not as_code:
        points, span = _numbered(span)
    return Narrowing(points, span, frozenset(shut_out), as_code)


def _read(each: Compared, *, as_code: bool) -> tuple[frozenset[str] | None, Span | None]:
    """The values that a comparison lists, or the span that it leaves; neither for any other."""
    op, values = each
    if op in ("=", "in"):
        return frozenset(map(_plain, values)), None
    if op in ("like", "ilike") and not set("%_") & set(values[0]):
        return frozenset(values), None
    if op in ("like", "ilike") and as_code and values[0][:-1].isdecimal() and values[0][-1] == "%":
        return None, _closed(values[0][:-1], values[0][:-1], as_code=True)
    if op == "between" and len(values) == 2:
        return None, _closed(*values, as_code=as_code)
    if op in ("<", "<=", ">", ">="):
        return None, _half_open(op, values[0], as_code=as_code)
    return None, None


def _closed(low: str, high: str, *, as_code: bool) -> Span | None:
    """From one value to another, both in it."""
    first, last = _place(low, as_code=as_code), _after(high, as_code=as_code)
    return None if first is None or last is None else Span(first, last)


def _half_open(op: str, value: str, *, as_code: bool) -> Span | None:
    here, after = _place(value, as_code=as_code), _after(value, as_code=as_code)
    if here is None or after is None:
        return None
    match op:
        case "<":
            return Span(None, here)
        case "<=":
            return Span(None, after)
        case ">":
            return Span(after, None)
        case _:
            return Span(here, None)


def _place(value: str, *, as_code: bool) -> Decimal | None:
    """The position of a value: codes as decimal fractions, which order as texts do."""
    if as_code:
        return Decimal(f"0.{value}") if value.isdecimal() and value.isascii() else None
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _after(value: str, *, as_code: bool) -> Decimal | None:
    """The next place after a value and all codes that begin with it."""
    place = _place(value, as_code=as_code)
    if place is None:
        return None
    return place + Decimal(10) ** -len(value) if as_code else place + 1


def _numbered(span: Span) -> tuple[frozenset[str] | None, Span | None]:
    """A short span of whole numbers as these numbers."""
    if span.low is None or span.high is None or span.high - span.low > _MOST_POINTS:
        return None, span
    if span.low != int(span.low) or span.high != int(span.high):
        return None, span
    return frozenset(_whole(int(span.low), int(span.high))), None


def _whole(low: int, high: int) -> Iterator[str]:
    return map(str, range(low, high))


def _plain(value: str) -> str:
    """A number without a fraction that says nothing."""
    return value.removesuffix(".0")
