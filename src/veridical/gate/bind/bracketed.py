"""A figure in brackets right behind a time belongs to it: "in March (1,500)"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.days import bind_days
from veridical.gate.bound import Bound
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.late_pattern import late_pattern

_TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})
_MEASURED = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.COUNT})
_OPENS = late_pattern(r"\s?[(（]\s?")


def find_bracketed(
    bounds: Sequence[Bound], text: str, evidence: Evidence
) -> Iterator[tuple[int, Bound]]:
    """The figures whose row is of another time than the one before their bracket."""
    if "(" not in text and "（" not in text:
        return
    for at, (time, told) in enumerate(pairwise(bounds), 1):
        if time.claim.kind in _TIMES and _is_bracketed(time, told, text):
            own = _own_cell(time, told, evidence)
            if own is not None:
                yield at, Bound(told.claim, Standing.CONTRADICTED, place=own)


def _is_bracketed(time: Bound, told: Bound, text: str) -> bool:
    if told.ground is not Ground.CELL or told.claim.kind not in _MEASURED:
        return False
    opening = _OPENS.match(text, time.claim.end)
    return opening is not None and told.claim.start in (opening.end() - 1, opening.end())


def _own_cell(time: Bound, told: Bound, evidence: Evidence) -> Place | None:
    """The cell of the time's own row, where no row of that time has the figure."""
    dated, place = time.place or bind_days(time.claim, evidence).place, told.place
    if dated is None or place is None or dated.sheet != place.sheet or dated.row == place.row:
        return None
    rows = evidence.sheets[dated.sheet].rows
    day, value = rows[dated.row][dated.column], rows[place.row][place.column]
    same = [row for row in rows if row[dated.column] == day]
    if len(same) > 1 or rows[place.row][dated.column] == day or same[0][place.column] == value:
        return None
    return Place(dated.sheet, dated.row, place.column)
