"""Limits that the speaker chose: more than 1,000, under 5 %. No cell need have them.

A limit stands where the cell that the text names keeps it, or where so many rows keep it as the
same sentence counts.
"""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.cells import clashes
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.sheet import Place
from veridical.gate.naming.labels import Reader
from veridical.reading.before import OVER

_MOST_ROWS = 2_000


def bind_limit(claim: Claim, reader: Reader) -> Bound | None:
    """The limit on a cell that keeps it; none where nothing says which cells are meant."""
    if not claim.bound or not claim.readings or reader.evidence.has_loose:
        return None
    named = reader.named_cell(claim)
    if named is not None:
        return _on(claim, named) if keeps(claim, named, reader) else None
    counts = {
        other.readings[0].value
        for other in _in_sentence(claim, reader)
        if other.kind in (ClaimKind.COUNT, ClaimKind.NUMBER) and other.readings
    }
    for places in _keeping(claim, reader):
        if len(places) in counts:
            return _on(claim, places[0])
    return None


def counts_beyond(claim: Claim, reader: Reader) -> Iterator[int]:
    """How many rows keep a limit that stands in the same sentence, column by column."""
    for other in _in_sentence(claim, reader):
        if other.bound and other.readings:
            for places in _keeping(other, reader):
                yield len(places)


def _in_sentence(claim: Claim, reader: Reader) -> Iterator[Claim]:
    segment = reader.layout.segment_at(claim.start)
    if segment is not None:
        for other in reader.claims:
            if other is not claim and segment.start <= other.start < segment.end:
                yield other


def _keeping(claim: Claim, reader: Reader) -> Iterator[list[Place]]:
    """The cells of each column that keep the limit, where any does."""
    for sheet, column in reader.evidence.measure_columns:
        rows = reader.evidence.sheets[sheet].rows
        if len(rows) <= _MOST_ROWS:
            places = [Place(sheet, row, column) for row in range(len(rows))]
            kept = [place for place in places if keeps(claim, place, reader)]
            if kept:
                yield kept


def keeps(claim: Claim, place: Place, reader: Reader) -> bool:
    """True where a cell lies on the side of the limit that the claim says."""
    cell = reader.evidence.cell(place)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return False
    reading = claim.readings[0]
    if clashes(reading.unit, reader.evidence.unit(place)):
        return False
    return cell >= reading.value if claim.bound == OVER else cell <= reading.value


def _on(claim: Claim, place: Place) -> Bound:
    return Bound(claim, Standing.GROUNDED, Ground.CELL, place, claim.readings[0].value)
