"""A whole, a part of it and the rest: which percentage may be made of which two of them."""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim
from veridical.gate.derive.combine import Combined
from veridical.gate.derive.known import PERCENT, Known
from veridical.gate.derive.operation import Operation
from veridical.late_pattern import late_pattern

_LEAD, _TAIL = 48, 48
_NEAR = 0.01
"""A rest may be told rounded: about 671k of 671,424."""
_MOST = 16
_OF_REST = late_pattern(
    r"(?:(?:brutto|netto|gewinn|handels|rein)?marge|margin|毛利率|净利率|利润率)"
    r"(?:\s(?!cost|aufwand|expens|kosten)[^\W\d]+){0,3}[\s:：*|=≈~为是约达(（]*$"
    r"|\b(?:(?:ver)?bl(?:ie|ei)b\w*|übrig|behielt\w*|leav(?:es|ing)|left|kept|keep(?:s|ing)?|remain(?:s|ed|ing)?)"
    r"(?:\s(?!or\b)[a-zäöü]+){0,2}\s$"
    r"|(?:剩余|剩下|余下|留下|留存|保留)[为约还了]{0,2}\s?$",
    re.IGNORECASE,
)
_THEN_REST = late_pattern(
    r"\s?(?:(?:of|der|des|vom|von)\s[^.,;:!?\n]{1,30}\s)?"
    r"(?:(?:was|were|is|are)\s(?:left|kept|retained)|remain(?:s|ed)|(?:ver)?bl(?:ie|ei)b(?:t|en)?\b|übrig)"
    r"|(?:[^\d，。；\n]{0,6})(?:留作|留为|留存|剩下|成为|化为)",
    re.IGNORECASE,
)


def tells_rest(claim: Claim, text: str) -> bool:
    """True for a margin, and for a percentage that is said to be left."""
    if claim.kind is not ClaimKind.PERCENT:
        return False
    lead = text[max(0, claim.start - _LEAD) : claim.start]
    return bool(_OF_REST.search(lead) or _THEN_REST.match(text[claim.end : claim.end + _TAIL]))


def is_of_other_parts(made: Combined, claim: Claim, pool: Sequence[Known], text: str) -> bool:
    """True for a percentage of the wrong two: cost of revenue as a margin, a decrease and its base.

    A change leads from one state to the other, never from a state to the difference of both; a
    margin is the rest of the whole, not the part that was taken away, nor the rest of that part.
    """
    if claim.kind is not ClaimKind.PERCENT or len(made.operands) != 2:
        return False
    if made.operation is Operation.CHANGE and (
        _is_with_difference(made, pool) or _THEN_REST.match(text[claim.end : claim.end + _TAIL])
    ):
        return True
    return tells_rest(claim, text) and any(
        not _is_rest_of_whole(made, claim, rest, whole)
        for whole, part, rest in _parted(pool)
        if {each.exact for each in made.operands} <= {whole.exact, part.exact, rest.exact}
    )


def _is_with_difference(made: Combined, pool: Sequence[Known]) -> bool:
    return any(
        rest in made.operands and (whole in made.operands or part in made.operands)
        for whole, part, rest in _parted(pool)
    )


def _is_rest_of_whole(made: Combined, claim: Claim, rest: Known, whole: Known) -> bool:
    first, second = made.operands
    told = claim.readings[0].value
    return (
        made.operation is not Operation.CHANGE
        and (first.exact, second.exact) == (rest.exact, whole.exact)
        and (told < 0) == (rest.value < 0)
    )


def _parted(pool: Sequence[Known]) -> Iterator[tuple[Known, Known, Known]]:
    """Every whole and part of the evidence whose difference the answer states."""
    plain = [each for each in pool if each.unit != PERCENT and each.start >= 0]
    rests = [each for each in plain if each.place is None]
    if not rests:
        return
    placed = [each for each in plain if each.place is not None][-_MOST:]
    for whole, part in permutations(placed, 2):
        if whole.exact > part.exact > 0 and whole.unit == part.unit:
            left = whole.exact - part.exact
            for rest in rests:
                if abs(abs(rest.value) - left) <= left * _NEAR:
                    yield whole, part, rest
