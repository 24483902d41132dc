"""What derivations start from: figures of the answer that already rest on something."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place

FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
_FACTORS = (1.0, 100.0, 0.01, 1e3, 1e6, 1e9, 1e4, 1e8, 1e-3, 1e-6, 1e-9)
_NOISE = 1e-9
PERCENT = "%"


@dataclass(frozen=True, slots=True)
class Known:
    """A figure that may be computed with."""

    value: float
    """As it is shown, in full."""
    exact: float
    """As the evidence has it, in the same measure: shown 1.6 billion, kept as 1577.3 million."""
    text: str
    start: int = -1
    unit: str = ""
    claim: int | None = None
    place: Place | None = None
    derived: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """What it may be in a computation, the shown value first."""
        return (self.value,) if self.exact == self.value else (self.value, self.exact)


def is_figure(bound: Bound) -> bool:
    """True for a number, an amount, a percentage or a count."""
    return bound.claim.kind in FIGURES and bool(bound.claim.readings)


def known_figures(bounds: Sequence[Bound], evidence: Evidence) -> list[Known]:
    """The grounded figures of an answer, in its order."""
    found: list[Known] = []
    for at, bound in enumerate(bounds):
        if is_figure(bound) and bound.standing is Standing.GROUNDED:
            found.append(known_figure(at, bound, evidence))
    return found


def known_figure(at: int, bound: Bound, evidence: Evidence) -> Known:
    """One grounded claim as an operand."""
    reading = borne_out(bound)
    place = bound.place if bound.ground is not Ground.DERIVATION else None
    exact = reading.value
    if place is not None:
        exact = _exact(reading, evidence.cell(place))
    return Known(
        reading.value,
        exact,
        bound.claim.text,
        bound.claim.start,
        reading.unit or (evidence.unit(place) if place is not None else ""),
        at,
        place,
    )


def borne_out(bound: Bound) -> Reading:
    """The reading that the evidence bears out; the first where that is not told."""
    readings = bound.claim.readings
    return next((each for each in readings if each.value == bound.value), readings[0])


def _exact(reading: Reading, cell: object) -> float:
    """The cell in the measure of the reading, where one is the other rounded."""
    if not isinstance(cell, int | float) or isinstance(cell, bool):
        return reading.value
    reach = reading.half_step + abs(reading.value) * _NOISE
    for factor in _FACTORS:
        for sign in (1.0, -1.0):
            if abs(cell * factor * sign - reading.value) <= reach:
                return cell * factor * sign
    return reading.value
