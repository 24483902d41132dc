"""Currencies that can't be: of what was computed, and among the figures of one column."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.contracts.proof import Standing
from veridical.gate.bound import Bound
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.unit import is_currency
from veridical.late_pattern import late_pattern

_RATE = late_pattern(r"rate|kurs|汇率|\bfx\b", re.IGNORECASE)
_ADDED_UP = late_pattern(r" [+\-−–] ")
_COMPUTED_OTHERWISE = late_pattern(r"[*×/÷·]")


def known_currency(bound: Bound, evidence: Evidence, question: str) -> Bound:
    """What was computed can't be in a currency that neither the evidence nor the question has."""
    unit = _currency(bound)
    if not unit or evidence.has_loose:
        return bound
    if evidence.calculations and _is_converted(bound, unit, evidence):
        return Bound(bound.claim, Standing.CONTRADICTED, reason=unit)
    known = evidence.currencies
    if not known or unit in known or unit in question:
        return bound
    return Bound(bound.claim, Standing.CONTRADICTED, reason=", ".join(sorted(known)))


def _is_converted(bound: Bound, unit: str, evidence: Evidence) -> bool:
    """True for the result of a conversion out of a currency that is told in this very currency."""
    reading = bound.claim.readings[0]
    for _, calculation in evidence.calculations:
        inputs = calculation.inputs
        if len(inputs) == 2 and abs(calculation.value - reading.value) <= reading.half_step:
            return any(_is_rate(value, unit, evidence) for value in inputs)
    return False


def _is_rate(value: float, unit: str, evidence: Evidence) -> bool:
    """True where a column of exchange rates has this figure for the currency."""
    return any(
        _RATE.search(name) is not None and row[column] == value and unit in row
        for sheet in evidence.sheets
        for column, name in enumerate(sheet.columns)
        for row in sheet.rows
    )


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
        if not evidence.currencies and often[unit] == 1 and _is_added_up(bounds[at]):
            yield at  # what is added up keeps its currency
            continue
        if place is None or isinstance(evidence.cell(place), str):  # a text tells its own unit
            continue
        if not evidence.unit(place):
            by_column.setdefault((place.sheet, place.column), {})[at] = unit
    for units in by_column.values():
        usual = max(set(units.values()), key=lambda unit: (often[unit], unit))
        yield from (at for at, unit in units.items() if unit != usual)


def _is_added_up(bound: Bound) -> bool:
    shown = bound.derivation
    return bool(_ADDED_UP.search(shown)) and not _COMPUTED_OTHERWISE.search(shown)


def _currency(bound: Bound) -> str:
    """The currency that a borne out figure is told in; empty for any other claim."""
    if bound.standing is not Standing.GROUNDED or not bound.claim.readings:
        return ""
    unit = bound.claim.readings[0].unit
    return unit if is_currency(unit) else ""
