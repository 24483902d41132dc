"""Whether a figure as it is shown agrees with a value of the evidence."""

from dataclasses import dataclass

from veridical.evidence.dimension import Dimension, Quantity
from veridical.gate.prover.facts import Fact, is_plain
from veridical.gate.prover.figures import Figure
from veridical.reading.figure import Reading

_DUST = 1e-9
_ABOUT = 0.03
_FULL = 100.0


@dataclass(frozen=True, slots=True)
class Told:
    """Units that an answer and its question state apart from the figures themselves."""

    currencies: frozenset[str] = frozenset()
    """Currencies that the question names, where the evidence has no amounts of its own."""
    measures: frozenset[str] = frozenset()
    """Units of measure that the question names; a value without a unit may be shown in one."""
    scales: frozenset[float] = frozenset({1.0})
    """Scales that the answer states for its figures: thousands, 万."""


def agrees(figure: Figure, fact: Fact, units: Told, *, bare: bool = True) -> bool:
    """True if the figure is the fact's value, rounded as it is shown, in the same dimension.

    ``bare`` says whether its unit may be left to a table's head or to the words beside it.
    """
    return any(
        _close(reading, value, figure.mark, signed=figure.sign != 0)
        for reading in figure.readings
        for value in _shown(figure.dimension, fact, units, bare=bare)
    )


def may_show(unit: Dimension | None, dimension: Dimension) -> bool:
    """True if a figure in this unit may show a value of that dimension, or a part of it."""
    if unit is None or unit.quantity is Quantity.SHARE:
        return True
    if unit.quantity is dimension.quantity:
        return not unit.unit or not dimension.unit or unit.unit == dimension.unit
    return unit.quantity is Quantity.MONEY and is_plain(dimension)


def close_to(figure: Figure, value: float) -> bool:
    """True if the figure shows this bare number."""
    return any(
        _close(reading, value, figure.mark, signed=figure.sign != 0) for reading in figure.readings
    )


def _shown(unit: Dimension | None, fact: Fact, units: Told, *, bare: bool) -> tuple[float, ...]:
    """The fact's value in the figure's unit; nothing where the two measure something else."""
    dimension = fact.dimension
    if unit is None:
        if dimension.quantity is Quantity.SHARE:
            return (fact.raw, fact.value, fact.value * _FULL) if bare else (fact.value,)
        if not bare and dimension.quantity in (Quantity.DURATION, Quantity.MEASURE):
            return ()
        if dimension.factor == 1 or dimension.quantity in (Quantity.DURATION, Quantity.MEASURE):
            return (fact.raw,)
        return (fact.raw, fact.value) if dimension.factor in units.scales else (fact.value,)
    if unit.quantity is Quantity.SHARE:
        if dimension.quantity is Quantity.SHARE:
            return (fact.value * _FULL,)
        return ()
    if unit.quantity is dimension.quantity:
        same = not unit.unit or not dimension.unit or unit.unit == dimension.unit
        return (fact.value / unit.factor,) if same else ()
    if is_plain(dimension):
        return (fact.raw,) if unit.unit in units.currencies | units.measures else ()
    return ()


def _close(reading: Reading, value: float, mark: str, *, signed: bool) -> bool:
    shown = reading.value
    if not signed and shown >= 0 > value:
        value = -value
    elif signed and (shown < 0) != (value < 0) and value:
        return False
    room = reading.half_step * (1 + _DUST) + abs(value) * _DUST
    if abs(shown - value) <= room:
        return True
    if mark == "about":
        return abs(shown - value) <= max(room, abs(value) * _ABOUT)
    if mark == "over":
        return 0 <= value - shown <= max(2 * room, abs(value) * _ABOUT)
    if mark == "under":
        return 0 <= shown - value <= max(2 * room, abs(value) * _ABOUT)
    return False
