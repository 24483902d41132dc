"""Units that a table's head states once for all figures below it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from veridical.evidence.dimension import Dimension
from veridical.evidence.unit import unit_dimension
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.passage import Passage, PassageKind, cell_at
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_OPENING, _CLOSING = rf"{marks('(')}\[", rf"{marks(')')}\]"
_BRACKET = late_pattern(rf"[{_OPENING}]([^{_OPENING}{_CLOSING}]{{1,12}})[{_CLOSING}]\s*$")


def with_head_units(
    text: str, passages: Sequence[Passage], figures: Sequence[Figure]
) -> list[Figure]:
    """Figures without a unit of their own have the one that the head of their column names."""
    rows = [each for each in passages if each.kind is PassageKind.ROW and each.header]
    starts = [each.start for each in rows]
    found = list(figures)
    for at, figure in enumerate(found):
        place = bisect_right(starts, figure.start) - 1
        if place < 0 or figure.start >= rows[place].end or figure.dimension is not None:
            continue
        unit = _unit(text, rows[place], figure)
        if unit is not None:
            found[at] = replace(figure, dimension=unit, has_unit=True)
    return found


def _unit(text: str, passage: Passage, figure: Figure) -> Dimension | None:
    at = cell_at(passage, figure.start)
    if at is None or at >= len(passage.header):
        return None
    start, end = passage.header[at]
    bracket = _BRACKET.search(text[start:end].strip())
    return unit_dimension(bracket[1].strip()) if bracket else None
