"""Figures put together: every value that named operations make of a few figures."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from veridical.gate.derive.known import PERCENT, Known
from veridical.gate.derive.operation import Operation
from veridical.gate.evidence.sheet import Place

_HUNDRED = 100.0
_LONGEST_RUN = 40
_MOST_PAIRED = 24
_PERCENTAGES = frozenset({Operation.CHANGE, Operation.SHARE, Operation.REST})
_WINDOW = (0.6, 1.4)
"""Made-up figures are taken to lie this far around the truth."""


class Combined(NamedTuple):
    """A value and how it was made."""

    value: float
    operation: Operation
    operands: tuple[Known, ...]

    @property
    def text(self) -> str:
        """The arithmetic in full."""
        shown = [each.text for each in self.operands]
        match self.operation:
            case Operation.SUM:
                said = " + ".join(shown)
            case Operation.MEAN:
                said = f"({' + '.join(shown)}) / {len(shown)}"
            case Operation.DIFFERENCE:
                said = " - ".join(shown)
            case Operation.CHANGE:
                said = f"({shown[1]} - {shown[0]}) / {shown[0]}"
            case Operation.PRODUCT:
                said = " × ".join(shown)
            case _:
                said = " / ".join(shown)
        percent = "%" if self.operation in _PERCENTAGES else ""
        return f"{said} = {self.value:.10g}{percent}"


def first_at(
    made: Iterable[Combined], value: float, step: float, accepts: Callable[[Combined], bool]
) -> Combined | None:
    """The first acceptable one that comes to this value, whatever its sign."""
    return next(
        (each for each in made if abs(abs(each.value) - abs(value)) <= step and accepts(each)), None
    )


def combined(
    pool: Sequence[Known], operations: Collection[Operation], *, percent: bool
) -> Iterator[Combined]:
    """All values that the operations make of the pool, of percentages or of plain figures."""
    rates = [each for each in pool if each.unit == PERCENT]
    plain = [each for each in pool if each.unit != PERCENT]
    alike = rates if percent else plain
    if Operation.SUM in operations or Operation.MEAN in operations:
        yield from _added(alike, operations)
    if Operation.DIFFERENCE in operations:
        for first, second in combinations(alike[-_MOST_PAIRED:], 2):
            for left, right in _values(first, second):
                yield Combined(left - right, Operation.DIFFERENCE, (first, second))
    if percent:
        yield from _percentages(plain, operations)
        if Operation.CHANGE in operations:
            yield from _percentages(rates, {Operation.CHANGE})
    elif Operation.RATIO in operations:
        for first, second in permutations(plain[-_MOST_PAIRED:], 2):
            for left, right in _values(first, second):
                if right:
                    yield Combined(left / right, Operation.RATIO, (first, second))
    if Operation.PRODUCT in operations and not percent:
        yield from _products(plain, rates)


def _added(alike: list[Known], operations: Collection[Operation]) -> Iterator[Combined]:
    """Runs of neighbours, and any two."""
    runs = [
        tuple(alike[start:stop])
        for start in range(len(alike))
        for stop in range(start + 2, _repeated(alike, start) + 1)
    ]
    pairs = [
        (alike[first], alike[second])
        for first, second in combinations(range(min(len(alike), _MOST_PAIRED)), 2)
        if second > first + 1 and not _same_cell(alike[first], alike[second])
    ]
    for chosen in (*runs, *pairs):
        shown, exact = sum(each.value for each in chosen), sum(each.exact for each in chosen)
        for total in (shown,) if shown == exact else (shown, exact):
            if Operation.SUM in operations:
                yield Combined(total, Operation.SUM, chosen)
            if Operation.MEAN in operations:
                yield Combined(total / len(chosen), Operation.MEAN, chosen)


def _repeated(alike: list[Known], start: int) -> int:
    """Where a run from here ends at last: before a cell that it has already, which counts once."""
    seen: set[Place] = set()
    last = min(len(alike), start + _LONGEST_RUN)
    for at in range(start, last):
        place = alike[at].place
        if place is not None and place in seen:
            return at
        if place is not None:
            seen.add(place)
    return last


def _same_cell(one: Known, other: Known) -> bool:
    return one.place is not None and one.place == other.place


def _percentages(pool: list[Known], operations: Collection[Operation]) -> Iterator[Combined]:
    change, share = Operation.CHANGE in operations, Operation.SHARE in operations
    for first, second in permutations(pool[-_MOST_PAIRED:], 2):
        for old, new in _values(first, second):
            if change and old:
                value = (new - old) / abs(old) * _HUNDRED
                yield Combined(value, Operation.CHANGE, (first, second))
            if share and new:
                yield Combined(old / new * _HUNDRED, Operation.SHARE, (first, second))


def _products(plain: list[Known], rates: list[Known]) -> Iterator[Combined]:
    for first, second in combinations(plain[-_MOST_PAIRED:], 2):
        yield Combined(first.value * second.value, Operation.PRODUCT, (first, second))
    for first in plain[-_MOST_PAIRED:]:
        for rate in rates:
            yield Combined(first.value * rate.value / _HUNDRED, Operation.PRODUCT, (first, rate))


def _values(first: Known, second: Known) -> Iterable[tuple[float, float]]:
    yield first.value, second.value
    if first.exact != first.value or second.exact != second.value:
        yield first.exact, second.exact


def coincidence(values: Iterable[float], figure: float, reach: float) -> float:
    """The share of figures around this one that one of the values would have borne out as well."""
    size = abs(figure)
    if not size:
        return 1.0
    low, high = size * _WINDOW[0], size * _WINDOW[1]
    covered = 0.0
    last = low
    for value in sorted(map(abs, values)):
        begin, end = max(value - reach, last), min(value + reach, high)
        if end > begin:
            covered += end - begin
            last = end
    return covered / (high - low)


def mistaken(values: Iterable[float], figure: float, reach: float) -> float:
    """The same share without the figure itself: how likely a made-up one finds another value."""
    size = abs(figure)
    return coincidence((each for each in values if abs(abs(each) - size) > reach), figure, reach)
