"""A name from nowhere beside what the evidence has of somebody else.

"Muster AG, invoice R-17: 80,343.06", where R-17 and the amount are another customer's: the name is
not only unknown, the row contradicts it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout


def find_misnamed(
    bounds: Sequence[Bound], layout: Layout, evidence: Evidence
) -> Iterator[tuple[int, Bound]]:
    """The names that the row beside them contradicts, by their place among the claims."""
    unknown = [
        at
        for at, bound in enumerate(bounds)
        if bound.claim.kind is ClaimKind.NAME and bound.standing is Standing.UNGROUNDED
    ]
    column = (_name_column(bounds) or _only_names(bounds, evidence)) if unknown else None
    if column is not None:
        for at in unknown:
            bound = bounds[at]
            place = _named_otherwise(at, bounds, layout, evidence, column)
            if place is not None:
                yield at, Bound(bound.claim, Standing.CONTRADICTED, place=place)


def _named_otherwise(
    at: int,
    bounds: Sequence[Bound],
    layout: Layout,
    evidence: Evidence,
    column: tuple[int, int],
) -> Place | None:
    """The cell with the name of the row that the next claim of the same line rests on."""
    claim = bounds[at].claim
    segment = layout.segment_at(claim.start)
    end = segment.end if segment else len(layout.text)
    for other in islice(bounds, at + 1, None):
        if other.claim.start >= end or other.claim.kind is ClaimKind.NAME:
            return None
        place = other.place
        if (
            other.ground is Ground.CELL
            and other.standing is Standing.GROUNDED
            and place is not None
            and place.sheet == column[0]
            and other.claim.kind is not ClaimKind.LIST
        ):
            named = Place(place.sheet, place.row, column[1])
            return None if _is_said(named, claim.text, evidence) else named
    return None


def _name_column(bounds: Sequence[Bound]) -> tuple[int, int] | None:
    """The one column that the other names of the answer stand in."""
    columns = {
        (bound.place.sheet, bound.place.column)
        for bound in bounds
        if bound.claim.kind is ClaimKind.NAME
        and bound.standing is Standing.GROUNDED
        and bound.place is not None
    }
    return columns.pop() if len(columns) == 1 else None


def _only_names(bounds: Sequence[Bound], evidence: Evidence) -> tuple[int, int] | None:
    """The one column of texts in the one sheet that the answer rests on, its units aside."""
    sheets = {bound.place.sheet for bound in bounds if bound.place is not None}
    if len(sheets) != 1:
        return None
    at = sheets.pop()
    rows = evidence.sheets[at].rows
    texts = [
        column
        for column in range(len(evidence.sheets[at].columns))
        if rows and all(isinstance(row[column], str) and len(row[column]) > 3 for row in rows)
    ]
    named = [column for column in texts if any(" " in row[column] for row in rows)]
    return (at, named[0]) if len(named) == 1 else None


def _is_said(place: Place, name: str, evidence: Evidence) -> bool:
    """True where the row's name is a part of what is said, or the other way round."""
    own = str(evidence.cell(place) or "").casefold()
    return not own or own in name.casefold() or name.casefold() in own
