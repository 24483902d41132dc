"""Figures side by side share their unit: 10-12 %, $5 to 7 million, 164.6 x 75.4 mm."""

from itertools import pairwise

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern

_BETWEEN = late_pattern(r"[^\S\n]?(?:-|–|—|to|bis|until|至|到|~|x|×|by)[^\S\n]?")
"""Within one line: the dash of a list's next item joins nothing."""
_BARE = frozenset({ClaimKind.NUMBER, ClaimKind.COUNT})
_LONGEST = 8


def share_units(text: str, drafts: list[Draft]) -> None:
    """Give the bare end of a range the unit and scale of its other end."""
    for first, second in pairwise(drafts):
        if second.start - first.end > _LONGEST or not first.digits or not second.digits:
            continue
        if _BETWEEN.fullmatch(text, first.end, second.start) is None:
            continue
        if first.kind in _BARE and second.kind not in _BARE | {ClaimKind.PERIOD}:
            _lend(second, first)
        elif second.kind in _BARE and first.unit:
            _lend(first, second)
        if second.scales != (1.0,) and first.scales == (1.0,) and first.unit == second.unit:
            first.scales = (1.0, *second.scales)


def _lend(giver: Draft, taker: Draft) -> None:
    if giver.kind is ClaimKind.IDENTIFIER:
        return
    taker.kind, taker.unit, taker.factor = giver.kind, giver.unit, giver.factor
