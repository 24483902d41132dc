"""Names and identifiers stand in a result, in the question or in the ontology."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bind.names import find_name
from veridical.gate.bound import Bound
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.late_pattern import late_pattern

_LEGAL_FORM = late_pattern(
    r"\s(?:AG|GmbH|KG|OHG|SE|eG|e\.\s?V\.|Genossenschaft|SA|Sàrl|Sarl|S\.?r\.?l\.?|Sagl|SpA|S\.p\.A\."
    r"|Inc\.?|Ltd\.?|LLC|LLP|PLC|plc|Corp\.?|Co\.|B\.?V\.?|N\.?V\.?|Oy|AB|A/S)$"
    r"|(?:有限公司|股份公司|集团|公司)$"
)
_NUMBERED_WORD = late_pattern(r"([^\W\d_]{4,})-\d{1,2}")
_NAMES = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each name that came from nowhere; without evidence, another rule speaks."""
    if not facts.unsettled or not facts.filled:
        return
    for bound in facts.unsettled:
        if bound.claim.kind in _NAMES and bound.standing is Standing.UNGROUNDED:
            yield Problem(GateCode.UNKNOWN_NAME, bound=bound, at_most=_at_most(bound, facts))


def _at_most(bound: Bound, facts: GateFacts) -> Mode:
    """A capitalised word may be a word of the language; a code or a firm's legal form is none."""
    claim = bound.claim
    if claim.kind is ClaimKind.IDENTIFIER:
        return Mode.WARN if _is_fuller_word(claim.text, facts) else Mode.BLOCK
    firm = _LEGAL_FORM.search(claim.text)
    return Mode.BLOCK if firm and not _ends_with_a_known_name(claim.text, facts) else Mode.WARN


def _is_fuller_word(text: str, facts: GateFacts) -> bool:
    """True for a word of the evidence with its number: Covid in a text is COVID-19."""
    numbered = _NUMBERED_WORD.fullmatch(text)
    if numbered is None:
        return False
    word = re.compile(rf"\b{numbered[1]}\b", re.IGNORECASE)
    return any(word.search(cell) for cell in facts.evidence.cells.texts)


def _ends_with_a_known_name(text: str, facts: GateFacts) -> bool:
    """Capitalised words before a name run into it: Kundin Rüegg AG."""
    words = text.split()
    return any(
        find_name(" ".join(words[at:]), facts.evidence, inflected=True) is not None
        for at in range(1, len(words) - 1)
    )
