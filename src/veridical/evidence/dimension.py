"""Dimensions: the quantity and unit of a figure, and the arithmetic between two of them."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Quantity(StrEnum):
    """The kinds of quantities that figures measure."""

    COUNT = "count"
    MONEY = "money"
    SHARE = "share"
    """a part of a whole, or a change in percent; in fractions of one"""
    DURATION = "duration"
    """in seconds"""
    MEASURE = "measure"
    """a physical quantity, in the base unit of its kind"""
    NUMBER = "number"
    """a bare number without a known unit: a ratio, a rating"""


@dataclass(frozen=True, slots=True)
class Dimension:
    """The dimension of a figure. ``value * factor`` is the figure in the base unit."""

    quantity: Quantity
    unit: str = ""
    """The base unit: a currency's code, ``kWh``, ``°C``; empty if unknown."""
    factor: float = 1.0
    per: str = ""
    """The unit of the divisor: ``h`` for a price an hour."""

    @property
    def is_bare(self) -> bool:
        """True if multiplying by it leaves the other dimension as it is."""
        return self.quantity in _BARE and not self.per

    @property
    def base(self) -> "Dimension":
        """The same in its base unit."""
        return self if self.factor == 1 else replace(self, factor=1.0)


NUMBER = Dimension(Quantity.NUMBER)
COUNT = Dimension(Quantity.COUNT)
SHARE = Dimension(Quantity.SHARE)
_BARE = frozenset({Quantity.NUMBER, Quantity.COUNT, Quantity.SHARE})
_JOINT = "·"
_LOOSE = frozenset({Quantity.NUMBER, Quantity.COUNT})


class DimensionError(ValueError):
    """Two figures between which the operation does not exist: days minus francs."""


def comparable(first: Dimension, second: Dimension) -> bool:
    """True if two figures measure the same: those may be compared, added and subtracted."""
    if first.per != second.per:
        return False
    if first.quantity is second.quantity:
        return not first.unit or not second.unit or first.unit == second.unit
    return {first.quantity, second.quantity} <= _LOOSE


def added(first: Dimension, second: Dimension) -> Dimension:
    """The dimension of a sum or a difference, in base units. Raises ``DimensionError``."""
    if not comparable(first, second):
        raise DimensionError(f"{_described(first)} and {_described(second)}")
    quantity = first.quantity if first.quantity is second.quantity else Quantity.NUMBER
    return Dimension(quantity, first.unit or second.unit, per=first.per)


def multiplied(first: Dimension, second: Dimension) -> Dimension:
    """The dimension of a product; of two that are no bare numbers, one that only a division by
    either makes sense of: an amount times its weight. Raises ``DimensionError``."""
    if second.is_bare:
        kept, other = first, second
    elif first.is_bare:
        kept, other = second, first
    elif first.per or second.per or _JOINT in first.unit + second.unit:
        raise DimensionError(f"{_described(first)} times {_described(second)}")
    else:
        return Dimension(Quantity.MEASURE, _JOINT.join((_part(first), _part(second))))
    if kept.is_bare:
        both = {kept.quantity, other.quantity}
        return SHARE if both == {Quantity.SHARE} else NUMBER
    return kept.base


def divided(first: Dimension, second: Dimension) -> Dimension:
    """The dimension of a ratio: a bare number for two of a kind, else one for each of the other.
    Raises ``DimensionError``."""
    if comparable(first, second):
        return NUMBER
    if second.is_bare:
        return first.base
    parts = first.unit.split(_JOINT)
    if len(parts) > 1 and _part(second) in parts:
        parts.remove(_part(second))
        quantity, _, unit = parts[0].partition(":")
        return Dimension(Quantity(quantity), unit)
    by = second.quantity in (Quantity.DURATION, Quantity.MEASURE)
    if first.per or second.per or not by or _JOINT in first.unit + second.unit:
        raise DimensionError(f"{_described(first)} by {_described(second)}")
    return replace(first, factor=1.0, per=second.unit or "s")


def paid(dimension: Dimension) -> Dimension:
    """The dimension of a price times a weight or a length: money."""
    if _JOINT not in dimension.unit:
        return dimension
    parts = [part.partition(":") for part in dimension.unit.split(_JOINT)]
    money = [unit for quantity, _, unit in parts if quantity == Quantity.MONEY.value]
    if len(money) != 1:
        return dimension
    return Dimension(Quantity.MONEY, money[0], dimension.factor)


def _part(dimension: Dimension) -> str:
    return f"{dimension.quantity.value}:{dimension.unit}"


def _described(dimension: Dimension) -> str:
    unit = f" {dimension.unit}" if dimension.unit else ""
    return f"{dimension.quantity}{unit}{'/' + dimension.per if dimension.per else ''}"
