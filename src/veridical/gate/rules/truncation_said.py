"""Where rows are missing, the answer says so before it speaks of all of them."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Ground
from veridical.contracts.result import Emptiness
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.lexicon import Notion, said
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem where a cut result is told as the whole: a count, a total, "all"."""
    cut = any(each.truncated or each.emptiness is Emptiness.TRUNCATED for each in facts.exhibits)
    if not cut or said(Notion.PARTIAL, facts.text):
        return
    for bound in facts.stated:
        if bound.claim.bound == "over":
            continue
        if bound.claim.kind is ClaimKind.COUNT or bound.ground is Ground.ROW_COUNT:
            yield Problem(GateCode.TRUNCATION_NOT_SAID, bound=bound)
            return
    whole = said(Notion.ALL, facts.text)
    if whole and any(
        whole[0] in sentence_at(facts.text, bound.claim.start) for bound in facts.stated
    ):
        yield Problem(GateCode.TRUNCATION_NOT_SAID, claim=whole[0], start=whole.start())
