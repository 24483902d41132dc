"""What a passage says in so many words: dates, periods, and numbers that are written as words."""

from functools import lru_cache

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.late_pattern import late_pattern

_TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})
_SMALL = 12
_WORD = late_pattern(r"[^\W\d_]+|\d+")
_FILLERS = frozenset(
    ["of", "the", "fy", "cy", "fiscal", "year", "ended", "in", "im", "des", "jahr", "geschäftsjahr"]
)


def said_in_passage(bound: Bound, evidence: Evidence) -> Bound | None:
    """The claim on a passage that has all words of a time, or the very words of a number."""
    claim = bound.claim
    if bound.standing is not Standing.UNGROUNDED:
        return None
    spelt = not any(map(str.isdigit, claim.text))
    if claim.kind not in _TIMES and not (claim.readings and spelt):
        return None
    words = [word for word in _WORD.findall(claim.text.casefold()) if word not in _FILLERS]
    for exhibit in evidence.exhibits:
        if not exhibit.text:
            continue
        said, held = _said(exhibit.text)
        in_order = f" {' '.join(words)} " in said
        if words and (in_order or (claim.kind in _TIMES and held.issuperset(words))):
            return Bound(claim, Standing.GROUNDED, Ground.PASSAGE)
    if spelt and claim.readings and _is_small(claim) and _is_prose(evidence):
        return Bound(claim, Standing.EXEMPT)
    return None


def _is_small(claim: Claim) -> bool:
    return all(reading.value <= _SMALL for reading in claim.readings)


def _is_prose(evidence: Evidence) -> bool:
    """True where there are no rows to count: "these two groups" counts what the text tells."""
    return bool(evidence.sheets) and all(sheet.report for sheet in evidence.sheets)


@lru_cache(maxsize=64)
def _said(text: str) -> tuple[str, frozenset[str]]:
    words = _WORD.findall(text.casefold())
    return f" {' '.join(words)} ", frozenset(words)
