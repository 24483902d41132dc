"""What follows from rows that the text names by their own words, though it states none of their
cells: the difference and the share of two columns in one row, the mean, the total and the spread
of the rows that share a name.
"""

import re
from collections.abc import Iterator, Sequence

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.derive.combine import Combined, coincidence, combined, first_at
from veridical.gate.derive.known import PERCENT, Known
from veridical.gate.derive.operation import Operation, named_operations
from veridical.gate.derive.said import concluded
from veridical.gate.derive.turned import is_told
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout

_NOISE = 1e-9
_LIMIT = 0.12
"""So many figures may come out by chance; the rows are named and have few cells."""
_MOST_ROWS = 200
_MOST_NAMED = 24
_MOST_CELLS = 8
_IN_ROW = frozenset({Operation.DIFFERENCE, Operation.RATIO, Operation.SHARE})
_AMONG_ROWS = frozenset({Operation.SUM, Operation.MEAN, Operation.RATIO, Operation.SHARE})
_MOVED = frozenset({Operation.DIFFERENCE, Operation.CHANGE})

_LETTER = "[0-9a-z\u00c0-\u024f]"
"""Chinese parts no words, so that its signs end none."""
_TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})

Group = list[Known]


def derive_from_rows(
    bounds: Sequence[Bound],
    open_claims: Sequence[int],
    layout: Layout,
    evidence: Evidence,
    language: Language,
) -> dict[int, Bound]:
    """The open claims that two cells of a named row, or the rows of one name, come to."""
    found: dict[int, Bound] = {}
    for at in open_claims:
        claim = bounds[at].claim
        segment = layout.segment_at(claim.start)
        start, end = (segment.start, segment.end) if segment else (0, len(layout.text))
        groups = list(_groups(layout.text[start:end], bounds, start, end, evidence))
        best = _fitting(claim, groups, layout.text, evidence) if groups else None
        if best is not None:
            made, share = best
            found[at] = concluded(claim, claim.readings[0], made, share, evidence, language)
    return found


def _fitting(
    claim: Claim,
    groups: Sequence[tuple[Group, frozenset[Operation]]],
    text: str,
    evidence: Evidence,
) -> tuple[Combined, float] | None:
    reading = claim.readings[0]
    percent = reading.unit == PERCENT
    never = {Operation.RATIO} if claim.kind is ClaimKind.COUNT else set[Operation]()
    made = [
        each
        for group, operations in groups
        for each in combined(group, operations - never, percent=percent)
    ]
    reach = reading.half_step + abs(reading.value) * _NOISE
    best = first_at(made, reading.value, reach, lambda each: is_told(each, claim, evidence, text))
    if best is None:
        return None
    share = coincidence((each.value for each in made), reading.value, reach)
    few = len({round(each.value, 6) for each in made}) <= _MOST_CELLS
    return (best, share) if few or share <= _LIMIT else None


def _groups(
    said: str, bounds: Sequence[Bound], start: int, end: int, evidence: Evidence
) -> Iterator[tuple[Group, frozenset[Operation]]]:
    """The cells to compute with: along each named row, and down the rows of one name."""
    spoken = named_operations(said)
    folded = said.casefold()
    times = {
        (bound.place.sheet, bound.place.row)
        for bound in bounds
        if bound.claim.kind in _TIMES and bound.place and start <= bound.claim.start < end
    }
    for at, sheet in enumerate(evidence.sheets):
        if evidence.is_loose(at) or sheet.report or not 1 < len(sheet.rows) <= _MOST_ROWS:
            continue
        columns = [column for own, column in evidence.measure_columns if own == at]
        named = _named_rows(folded, at, evidence)
        dated = {row for own, row in times if own == at}
        rows = {*named, *dated}
        if not rows or len(rows) > _MOST_NAMED:
            continue
        if 1 < len(columns) <= _MOST_CELLS:
            for row in rows:
                yield _cells(at, [(row, column) for column in columns], evidence), _IN_ROW
        for chosen in _together(named, dated, spoken):
            operations = spoken & _AMONG_ROWS | (_MOVED if len(chosen) == 2 else frozenset())
            for column in columns:
                yield _cells(at, [(row, column) for row in chosen], evidence), operations


def _together(
    named: dict[int, str], dated: set[int], spoken: frozenset[Operation]
) -> Iterator[list[int]]:
    """Rows that share a name, that are told of different times, and each with the one before it."""
    for name in {*named.values()}:
        rows = [row for row, own in named.items() if own == name]
        if 1 < len(rows) <= _MOST_CELLS:
            yield rows
    if 1 < len(dated) <= _MOST_CELLS:
        yield sorted(dated)
    if spoken & _MOVED:
        yield from ([row - 1, row] for row in dated if row)


def _named_rows(folded: str, at: int, evidence: Evidence) -> dict[int, str]:
    """The rows one of whose words the text has, with that word."""
    found: dict[int, str] = {}
    for row, cells in enumerate(evidence.sheets[at].rows):
        for cell in cells:
            if isinstance(cell, str) and len(cell) > 1 and _is_said(cell.casefold(), folded):
                found[row] = max(found.get(row, ""), cell.casefold(), key=len)
    return found


def _is_said(name: str, folded: str) -> bool:
    whole = rf"(?<!{_LETTER}){re.escape(name)}(?!{_LETTER})"
    return name in folded and re.search(whole, folded) is not None


def _cells(at: int, places: Sequence[tuple[int, int]], evidence: Evidence) -> Group:
    found: Group = []
    for row, column in places:
        cell = evidence.sheets[at].rows[row][column]
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            place, value = Place(at, row, column), float(cell)
            unit = evidence.unit(place)
            found.append(Known(value, value, f"{value:,.10g}", unit=unit, place=place))
    return found
