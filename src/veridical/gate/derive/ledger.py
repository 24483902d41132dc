"""What the lines of a list or a table come to: the total in a line of its own, whatever it is
called, and the figure above or below them that they explain, some of them taken away.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading
from veridical.gate.derive.combine import Combined, coincidence
from veridical.gate.derive.known import PERCENT, Known, borne_out, is_figure, known_figure
from veridical.gate.derive.operation import Operation
from veridical.gate.derive.said import concluded
from veridical.gate.derive.turned import is_told
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Layout, Segment, SegmentKind
from veridical.late_pattern import late_pattern

_NOISE = 1e-9
_LIMIT = 0.10
_FEWEST, _MOST = 2, 40
_FARTHEST = 3
"""So many sentences may stand between the lines and what they explain."""
_LINES = (SegmentKind.BULLET, SegmentKind.ROW)
_TAKEN_AWAY = late_pattern(
    r"\b(?:less|minus|deduct\w*|subtract\w*|abzüglich|abzgl|abzug|weniger)\b|\./\.|减|扣"
    r"|^\s*(?:[-*•|]|\d\d?[.)])[\s*]+[−–-]\s?(?=[^\W\d])",
    re.IGNORECASE,
)


class _Entry(NamedTuple):
    """One line's figure; negative where the line takes it away."""

    known: Known
    away: bool
    half_step: float


def derive_from_lines(
    bounds: Sequence[Bound],
    open_claims: Sequence[int],
    layout: Layout,
    evidence: Evidence,
    language: Language,
) -> dict[int, Bound]:
    """The open claims that the lines around them come to."""
    blocks = list(_blocks(layout))
    found: dict[int, Bound] = {}
    for at in open_claims if blocks else ():
        claim = bounds[at].claim
        own = layout.index_at(claim.start)
        for first, last in blocks:
            if first - _FARTHEST <= own <= last + _FARTHEST:
                lines = layout.segments[first : last + 1]
                entries = _entries(claim, lines, bounds, layout, evidence)
                within = first <= own <= last
                best = _fitting(claim, entries, evidence, layout.text, within=within)
                if best is not None:
                    made, reading, share = best
                    found[at] = concluded(claim, reading, made, share, evidence, language)
                    break
    return found


def _blocks(layout: Layout) -> Iterator[tuple[int, int]]:
    """The first and the last segment of each run of lines."""
    start: int | None = None
    for at, segment in enumerate((*layout.segments, None)):
        is_line = segment is not None and segment.kind in _LINES
        if is_line and start is None:
            start = at
        elif not is_line and start is not None:
            if _FEWEST <= at - start <= _MOST:
                yield start, at - 1
            start = None


def _entries(
    claim: Claim,
    lines: Sequence[Segment],
    bounds: Sequence[Bound],
    layout: Layout,
    evidence: Evidence,
) -> list[_Entry]:
    """The figure of each line that is of the claim's sort; none where one of them is not known."""
    text = layout.text
    unit = claim.readings[0].unit
    column = _columns_after(text, claim.end, lines)
    found: list[_Entry] = []
    for line in lines:
        if line.start <= claim.start < line.end:
            continue
        own: list[_Entry] = []
        for at, bound in enumerate(bounds):
            start = bound.claim.start
            if not line.start <= start < line.end or not is_figure(bound):
                continue
            if column is not None and _columns_after(text, bound.claim.end, (line,)) != column:
                continue
            if bound.standing is not Standing.GROUNDED:
                if borne_out(bound).unit == unit and bound.standing is Standing.UNGROUNDED:
                    return []
                continue
            known = known_figure(at, bound, evidence)
            code = known.place is not None and evidence.is_code_column(known.place)
            if known.unit == unit or (known.unit != PERCENT and not unit and not code):
                away = _TAKEN_AWAY.search(text[line.start : start]) is not None
                own.append(_Entry(known, away, borne_out(bound).half_step))
        if len(own) > 1:
            return []
        found += own
    return found


def _columns_after(text: str, offset: int, lines: Sequence[Segment]) -> int | None:
    """How many bars stand between a figure and the end of its row; none outside of a table."""
    for line in lines:
        if line.kind is SegmentKind.ROW and line.start <= offset <= line.end:
            return text.count("|", offset, line.end)
    return None


def _fitting(
    claim: Claim, entries: Sequence[_Entry], evidence: Evidence, text: str, *, within: bool
) -> tuple[Combined, Reading, float] | None:
    if len(entries) < _FEWEST:
        return None
    made = list(_made(claim, entries, within=within))
    for reading in claim.readings:
        slack = sum(each.half_step for each in entries) if reading.unit == PERCENT else 0.0
        reach = reading.half_step + slack + abs(reading.value) * _NOISE
        for each in made:
            if abs(abs(each.value) - abs(reading.value)) <= reach and is_told(
                each, claim, evidence, text
            ):
                share = coincidence((other.value for other in made), reading.value, reach)
                if share <= _LIMIT or (within and each.operation is Operation.SUM):
                    return each, reading, share
    return None


def _made(claim: Claim, entries: Sequence[_Entry], *, within: bool) -> Iterator[Combined]:
    """All lines together; in a line of the list, those above it as well."""
    yield from _together(entries)
    above = [each for each in entries if each.known.start < claim.start]
    if within and _FEWEST <= len(above) < len(entries):
        yield from _together(above)
    held = [each for each in entries if each.known.place is not None]
    if _FEWEST <= len(held) < len(entries):
        yield from _together(held)


def _together(entries: Sequence[_Entry]) -> Iterator[Combined]:
    kept = [each.known for each in entries if not each.away]
    away = [each.known for each in entries if each.away]
    if not away:
        yield Combined(sum(each.exact for each in kept), Operation.SUM, tuple(kept))
        return
    if not kept:
        return
    first = kept[0]
    if len(kept) > 1:
        total = sum(each.exact for each in kept)
        shown = " + ".join(each.text for each in kept)
        first = Known(total, total, f"({shown})", kept[0].start, kept[0].unit)
    value = first.exact - sum(abs(each.exact) for each in away)
    yield Combined(value, Operation.DIFFERENCE, (first, *away))
