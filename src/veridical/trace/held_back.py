"""The proof that held an answer back or marked it, from the run alone: what a report needs."""

from collections.abc import Iterable, Iterator

from veridical.contracts.answer import Answer
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.contracts.trace import AgentTrace, Answered, Event, Gated
from veridical.contracts.violation import Mode


def held_back(answer: Answer, events: Iterable[Event]) -> Proof | None:
    """The proof of the answer with its findings, or of the text that the shown answer replaces.

    A reviewer's opinion is no part of a proof, but people can contest it like one.
    """
    shown = answer.proof
    found = (*(shown.findings if shown else ()), *_flagged(answer))
    if found:
        proof = shown or Proof(verdict=Verdict.WARN)
        return proof.model_copy(update={"findings": found})
    blocked = [
        each
        for each in events
        if isinstance(each, Gated) and each.verdict is Verdict.BLOCK and each.findings
    ]
    if not blocked:
        return None
    claims = shown.claims if shown else ()
    return Proof(verdict=Verdict.BLOCK, claims=claims, findings=blocked[0].findings)


def _flagged(answer: Answer) -> Iterator[Finding]:
    """The sentences that the reviewer flagged."""
    for each in answer.facts.sentences if answer.facts else ():
        for mark in each.marks:
            if mark.by == "reviewer":
                claim = (each.replaces or each.text).strip()
                code = GateCode.UNGROUNDED_CLAIM
                yield Finding(code=code, mode=Mode.WARN, hint=mark.why, claim=claim)


def held_back_answer(trace: AgentTrace) -> tuple[Answer, Proof] | None:
    """The answer of a run with its proof; none where the run holds nothing back."""
    answers = (each.answer for each in reversed(trace.events) if isinstance(each, Answered))
    answer = next(answers, None)
    proof = held_back(answer, trace.events) if answer else None
    return (answer, proof) if answer and proof else None
