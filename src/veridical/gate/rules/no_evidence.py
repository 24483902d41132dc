"""Without any result there is no concrete data to give."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode
from veridical.gate.bound import Bound
from veridical.gate.lexicon import Notion, said
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at

_VAGUE = frozenset({ClaimKind.PERIOD, ClaimKind.FACT})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for the first piece of data; small talk, general words and examples pass."""
    if facts.exhibits:
        return
    for bound in facts.data:
        if bound.claim.kind not in _VAGUE and not _is_supposed(bound, facts):
            yield Problem(GateCode.NO_EVIDENCE, bound=bound)
            return


def _is_supposed(bound: Bound, facts: GateFacts) -> bool:
    return said(Notion.SUPPOSED, sentence_at(facts.text, bound.claim.start)) is not None
