"""A yes to a question with a figure says the figure: the evidence must have what is affirmed."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Ground, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bind.parts import bind_answer
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Role
from veridical.gate.claims import find_claims
from veridical.gate.notions import Notion, asks_whether, opens
from veridical.gate.rules.gate_facts import FIGURES, TIMES, GateFacts
from veridical.gate.rules.problem import Problem

_MARKUP = " \n*_>"
_UNSTATED = (Standing.UNGROUNDED, Standing.CONTRADICTED)
_TOLD = (Ground.CELL, Ground.DERIVATION, Ground.CALCULATION, Ground.ROW_COUNT)


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for the first figure or time that a yes affirms and no result bears out.

    An answer that goes on to tell a figure of its own lets its reader compare.
    """
    text = facts.text.lstrip(_MARKUP)
    yes = opens(Notion.YES, text) if facts.question else None
    if yes is None or not facts.filled or not asks_whether(facts.question):
        return
    affirmed = next(_unproven(facts), None)
    if affirmed is None or any(bound.claim.asked for bound in facts.unsettled):
        return
    told = any(bound.ground in _TOLD and bound.claim.kind in FIGURES for bound in facts.stated)
    yield Problem(
        GateCode.UNGROUNDED_CLAIM,
        "affirmed",
        claim=yes[0],
        start=len(facts.text) - len(text),
        values=(("asked", affirmed.claim.text),),
        at_most=Mode.WARN if told else Mode.BLOCK,
    )


def _unproven(facts: GateFacts) -> Iterator[Bound]:
    """The question's own figures and times that do not stand when they are asserted."""
    question = facts.question
    claims = tuple(_asserted(claim) for claim in find_claims(question))
    for bound in bind_answer(
        claims, question, facts.evidence, question, lexicon=facts.policy.record_lexicon
    ):
        claim = bound.claim
        looked_at = claim.kind in FIGURES or claim.kind in TIMES
        if looked_at and claim.role is Role.STATED and bound.standing in _UNSTATED:
            yield bound


def _asserted(claim: Claim) -> Claim:
    """Times are only looked at where all of the evidence lies apart from them."""
    role = Role.QUOTED if claim.kind in TIMES and claim.role is Role.STATED else claim.role
    return claim._replace(role=role, asked=True)
