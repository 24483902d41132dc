"""Whether a figure as it is shown agrees with a value of the evidence."""

from collections.abc import Set

from veridical.evidence.dimension import Dimension, Quantity
from veridical.gate.prover.facts import Fact, is_plain
from veridical.gate.text.figures import Figure
from veridical.reading.figure import Reading

_DUST = 1e-9
_ABOUT = 0.03
_FULL = 100.0
_MEASURED = (Quantity.DURATION, Quantity.MEASURE)


def agrees(figure: Figure, fact: Fact, currencies: Set[str], *, bare: bool) -> bool:
    """True if the figure is the fact's value, rounded as it is shown, in the same dimension.

    ``bare`` says whether its unit may be left to a table's head or to the words beside it;
    ``currencies`` are those in which values without a unit may be shown.
    """
    values = _shown(figure.dimension, fact, currencies, bare=bare)
    return any(close_to(figure, value) for value in values)


def may_show(unit: Dimension | None, dimension: Dimension) -> bool:
    """True if a figure in this unit may show a value of that dimension, or a part of it."""
    if unit is None or unit.quantity is Quantity.SHARE:
        return True
    if unit.quantity is dimension.quantity:
        return not unit.unit or not dimension.unit or unit.unit == dimension.unit
    return unit.quantity is Quantity.MONEY and is_plain(dimension)


def close_to(figure: Figure, value: float) -> bool:
    """True if the figure shows this bare number."""
    return any(_close(each, value, figure) for each in figure.readings)


def _shown(
    unit: Dimension | None, fact: Fact, currencies: Set[str], *, bare: bool
) -> tuple[float, ...]:
    """The fact's value in the figure's unit; nothing where the two measure something else."""
    dimension = fact.dimension
    if unit is None:
        if dimension.quantity is Quantity.SHARE:
            return (fact.raw, fact.value, fact.value * _FULL) if bare else (fact.value,)
        if dimension.quantity in _MEASURED:
            return (fact.raw,) if bare else ()
        return (fact.raw, fact.value) if bare else (fact.value,)
    if unit.quantity is Quantity.SHARE:
        return (fact.value * _FULL,) if dimension.quantity is Quantity.SHARE else ()
    if is_plain(dimension) and unit.quantity is not dimension.quantity:
        return (fact.raw,) if unit.unit in currencies else ()
    return (fact.value / unit.factor,) if may_show(unit, dimension) else ()


def _close(reading: Reading, value: float, figure: Figure) -> bool:
    shown = reading.value
    if not figure.sign and shown >= 0 > value:
        value = -value
    elif figure.sign and (shown < 0) != (value < 0) and value:
        return False
    room, off = reading.half_step * (1 + _DUST) + abs(value) * _DUST, value - shown
    wide = max(2 * room, abs(value) * _ABOUT)
    low = wide if figure.mark in ("about", "under") else room
    high = wide if figure.mark in ("about", "over") else room
    return -low <= off <= high
