"""The held back answer, which a person may contest."""

from collections.abc import Iterable

from veridical.contracts.answer import Answer
from veridical.contracts.proof import Proof, Verdict
from veridical.contracts.trace import Event, Gated


def held_back(answer: Answer, events: Iterable[Event]) -> Proof | None:
    """The blocking proof of the answer, or of the text that the shown answer replaces."""
    shown = answer.proof
    if shown is not None and shown.findings:
        return shown
    blocked = [
        each
        for each in events
        if isinstance(each, Gated) and each.verdict is Verdict.BLOCK and each.findings
    ]
    if not blocked:
        return None
    claims = shown.claims if shown else ()
    return Proof(verdict=Verdict.BLOCK, claims=claims, findings=blocked[0].findings)
