"""What is left of a recorded amount after a stated one, or what is still due: a refund of the
difference, the remaining balance. One side is stated in the answer, the other is a cell of a column
that the same sentence names."""

import re
from collections.abc import Iterator, Sequence

from veridical.contracts.input_budget import keep_time
from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.derive.combine import coincidence
from veridical.gate.derive.known import Known, known_figures
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms

_LEFT = late_pattern(
    r"\b(?:differences?|refund\w*|remain\w*|left|balance|owe[ds]?|due|outstanding|savings?|saved?|extra"
    r"|additional|differenz|rückerstatt\w*|erstatt\w*|rest\w*|verbleib\w*|übrig|offen\w*|gespart|mehr)\b"
    r"|差额|退款|退还|剩余|余额|余下|节省|补",
    re.IGNORECASE,
)
_LIMIT = 0.03
_NOISE = 1e-9
_MOST_CELLS = 40
_NEAREST = 8


def derive_remainders(
    bounds: Sequence[Bound], open_claims: Sequence[int], layout: Layout, evidence: Evidence
) -> dict[int, Bound]:
    """The open claims that are a named cell without a stated figure."""
    found: dict[int, Bound] = {}
    known: list[Known] | None = None
    for at in open_claims:
        keep_time(now=True)
        claim = bounds[at].claim
        segment = layout.segment_at(claim.start)
        said = layout.text[segment.start : segment.end] if segment else layout.text
        if not _LEFT.search(said):
            continue
        if known is None:
            known = known_figures(bounds, evidence)
        stated = sorted(known, key=lambda each: abs(each.start - claim.start))[:_NEAREST]
        bound = _remainder(claim, stated, list(_named_cells(said, evidence)), evidence)
        if bound is not None:
            found[at] = bound
    return found


def _remainder(
    claim: Claim, stated: Sequence[Known], cells: list[tuple[Place, float]], evidence: Evidence
) -> Bound | None:
    made = [
        (one, place, cell, abs(cell - one.value))
        for one in stated
        for place, cell in cells
        if not one.unit or one.unit == (evidence.unit(place) or one.unit)
    ]
    for reading in claim.readings:
        reach = reading.half_step + abs(reading.value) * _NOISE
        for one, place, cell, value in made:
            if abs(value - abs(reading.value)) <= reach and value:
                share = coincidence((each[3] for each in made), reading.value, reach)
                if share > _LIMIT:
                    return None
                return Bound(
                    claim,
                    Standing.GROUNDED,
                    Ground.DERIVATION,
                    place=place,
                    value=reading.value,
                    derivation=f"{cell:.12g} - {one.value:.12g} = {cell - one.value:.12g}",
                    operands=() if one.claim is None else (one.claim,),
                    coincidence=share,
                )
    return None


def _named_cells(said: str, evidence: Evidence) -> Iterator[tuple[Place, float]]:
    """The figures of columns whose name shares a word with the sentence."""
    words = set(terms(said))
    count = 0
    for at, sheet in enumerate(evidence.sheets):
        title = set(terms(sheet.title))
        for column, name in enumerate(sheet.columns):
            if not words & (title | set(terms(name))):
                continue
            for row, cells in enumerate(sheet.rows):
                cell = cells[column]
                if isinstance(cell, int | float) and not isinstance(cell, bool) and cell:
                    yield Place(at, row, column), float(cell)
                    count += 1
                    if count >= _MOST_CELLS:
                        return
