"""The sizes that a value must have to be a figure.

A search tries far more expressions than it finds. Most of them are excluded here by comparing
numbers alone, before their units are compared; everything that could be the figure stays in.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from veridical.evidence.dimension import Quantity
from veridical.gate.prover.facts import Fact
from veridical.gate.prover.figures import Figure
from veridical.reading.figure import Reading

_FULL = 100.0
_SLACK = 1e-6
_DUST = 1e-12
_ABOUT = 1.04
"""More than what a word such as "about" allows."""
Range = tuple[float, float]


class Sizes:
    """Ranges of sizes, whatever the sign, in any unit that the evidence has."""

    def __init__(self, ranges: Iterable[Range], figure: Figure, factors: Iterable[float]) -> None:
        unit = figure.dimension
        by = {1.0, _FULL, *((1 / each) for each in factors if each)}
        if unit is not None and unit.factor:
            by.add(1 / unit.factor)
        self._multiplied = unit is None or unit.quantity is not Quantity.SHARE
        """True if the figure may be a product, which is never in percent."""
        self.edges = _edges((low / each, high / each) for low, high in ranges for each in by)

    def has(self, value: float) -> bool:
        """True if the figure may show this value."""
        return bisect_right(self.edges, abs(value)) % 2 == 1

    def single(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """The facts that may be the figure as they are."""
        edges = self.edges
        for fact in facts:
            if bisect_right(edges, abs(fact.value)) % 2:
                yield fact

    def paired(self, one: Fact, others: Iterable[Fact], per: float = 1.0) -> Iterator[Fact]:
        """The facts that may be the figure together with this one, by whatever operation."""
        edges, mine = self.edges, one.value
        for other in others:
            its = other.value
            ratio = mine / its if its else 0.0
            if (
                bisect_right(edges, abs(mine - its)) % 2
                or bisect_right(edges, abs(ratio)) % 2
                or bisect_right(edges, abs(ratio - 1)) % 2
                or bisect_right(edges, abs(mine + its)) % 2
                or (self._multiplied and bisect_right(edges, abs(mine * its)) % 2)
                or (per != 1 and bisect_right(edges, abs(ratio * per)) % 2)
                or (
                    (by := other.dimension.factor) != 1 and bisect_right(edges, abs(ratio * by)) % 2
                )
            ):
                yield other

    def either(self, one: Fact, others: Iterable[Fact]) -> Iterator[Fact]:
        """The same whichever of the two comes first."""
        edges, mine, near = self.edges, one.value, one.dimension.factor
        for other in others:
            its, far = other.value, other.dimension.factor
            ratio, turned = mine / its if its else 0.0, its / mine if mine else 0.0
            if (
                bisect_right(edges, abs(mine - its)) % 2
                or bisect_right(edges, abs(ratio)) % 2
                or bisect_right(edges, abs(turned)) % 2
                or bisect_right(edges, abs(mine + its)) % 2
                or bisect_right(edges, abs(ratio - 1)) % 2
                or bisect_right(edges, abs(turned - 1)) % 2
                or (self._multiplied and bisect_right(edges, abs(mine * its)) % 2)
                or (far != 1 and bisect_right(edges, abs(ratio * far)) % 2)
                or (near != 1 and bisect_right(edges, abs(turned * near)) % 2)
            ):
                yield other


def sizes_of(figure: Figure, factors: Iterable[float]) -> Sizes:
    """The sizes that a figure has itself, as exactly as it is shown."""
    ranges = [_shown(each, loose=bool(figure.mark)) for each in figure.readings]
    return Sizes(ranges, figure, factors)


def _shown(reading: Reading, *, loose: bool) -> Range:
    size, room = abs(reading.value), reading.half_step
    if loose:
        return min(size - 2 * room, size / _ABOUT), max(size + 2 * room, size * _ABOUT)
    return size - room, size + room


def _edges(ranges: Iterable[Range]) -> list[float]:
    """The ends of ranges one after another, those that overlap as one: a value lies in a range
    where an odd number of ends is not above it."""
    edges: list[float] = []
    for low, high in sorted(ranges):
        start, end = low - abs(low) * _SLACK - _DUST, high + abs(high) * _SLACK + _DUST
        if edges and start <= edges[-1]:
            edges[-1] = max(edges[-1], end)
        else:
            edges += (start, end)
    return edges
