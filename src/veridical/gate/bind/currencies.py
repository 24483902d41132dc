"""Currencies that can't be: of what was computed, and among the figures of one column."""

from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.contracts.proof import Standing
from veridical.gate.bound import Bound
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.unit import is_currency


def known_currency(bound: Bound, evidence: Evidence, question: str) -> Bound:
    """What was computed can't be in a currency that neither the evidence nor the question has."""
    unit = _currency(bound)
    if not unit or evidence.has_loose:
        return bound
    known = evidence.currencies
    if not known or unit in known or unit in question:
        return bound
    return Bound(bound.claim, Standing.CONTRADICTED, reason=", ".join(sorted(known)))


def odd_currencies(bounds: Sequence[Bound], evidence: Evidence) -> Iterator[int]:
    """The figures of a column without a unit that are told in another currency than the rest."""
    spoken = {bound.claim.readings[0].unit for bound in bounds if bound.claim.readings}
    if len(spoken) < 2:
        return
    told = {at: unit for at, bound in enumerate(bounds) if (unit := _currency(bound))}
    often = Counter(told.values())
    if len(often) < 2:
        return
    by_column: dict[tuple[int, int], dict[int, str]] = {}
    for at, unit in told.items():
        place = bounds[at].place
        if place is None or isinstance(evidence.cell(place), str):  # a text tells its own unit
            continue
        if not evidence.unit(place):
            by_column.setdefault((place.sheet, place.column), {})[at] = unit
    for units in by_column.values():
        usual = max(set(units.values()), key=lambda unit: (often[unit], unit))
        yield from (at for at, unit in units.items() if unit != usual)


def _currency(bound: Bound) -> str:
    """The currency that a borne out figure is told in; empty for any other claim."""
    if bound.standing is not Standing.GROUNDED or not bound.claim.readings:
        return ""
    unit = bound.claim.readings[0].unit
    return unit if is_currency(unit) else ""
