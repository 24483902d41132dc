"""An answer in facts: from the model's text, judged and reviewed, to the shown text."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import perf_counter

from veridical.agent.request import LoopOutcome
from veridical.answering import judgement
from veridical.answering.context import RunContext
from veridical.answering.fact_tables import fact_tables, of_run
from veridical.answering.judgement import Assured
from veridical.contracts.facts_answer import FactsAnswer, FactsReview, Show
from veridical.contracts.proof import Finding, GateCode, Proof, QualityReport, Verdict
from veridical.contracts.step import Progress, recorded
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.evidence.exhibit import Exhibit
from veridical.evidence.table import EvidenceTable
from veridical.facts.policy import shown
from veridical.facts.proof import claims_of
from veridical.facts.review import Reviewer, no_review, review_task
from veridical.gate.facts_verdict import check_facts
from veridical.gate.rules.unproven import is_refusal
from veridical.messages import message


class _Written(Wire):
    """A step's result: the answer as it was written, and why it may go back."""

    facts: FactsAnswer
    proof: Proof


class _Opinion(Wire):
    """A step's result: the review, if there is a reviewer."""

    review: FactsReview | None = None


class _Quality(Wire):
    """A step's result: the skill's report on the shown text."""

    report: QualityReport | None = None


async def judged_facts(outcome: LoopOutcome, run: RunContext, attempt: int) -> Assured:
    """The outcome as it may be shown; blocked where something must be rewritten."""
    judged = _Judged(outcome, run)
    written = await recorded(run.step, f"gate.{attempt}", partial(_judge, judged), _Written)
    facts, proof = written.facts, written.proof
    if proof.verdict is not Verdict.BLOCK:
        facts = await _reviewed(facts, run, attempt)
        if not facts.text and is_refusal(written.facts.text):
            facts = written.facts  # an honest "I can't say" needs no fact
        proof = _proof(facts, proof, judged)
    outcome = replace(outcome, text=facts.text)
    if facts.review is not None:
        outcome = replace(outcome, usage=judgement.with_calls(outcome.usage, facts.review))
    look = partial(_quality, outcome, proof, run)
    quality = (
        (await recorded(run.step, f"quality.{attempt}", look, _Quality)).report
        if run.session.skill is not None
        else None
    )
    run.session.emit(
        Gated(
            at=judgement.moment_of(outcome, run),
            attempt=attempt,
            text=outcome.text,
            verdict=proof.verdict,
            findings=proof.findings,
            quality=quality,
            review=facts.review,
        )
    )
    assured = Assured(outcome, proof, quality, facts)
    if run.session.settings.stream and not assured.is_blocked:
        for piece in _pieces(facts):
            run.session.emit(Progress(stage="writing", round=attempt, text=piece))
    return assured


@dataclass(frozen=True)
class _Judged:
    """An outcome under judgement, with its results as tables, made on first use: a replayed step
    needs none."""

    outcome: LoopOutcome
    run: RunContext

    @cached_property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The results as evidence."""
        return judgement.evidence_of(self.outcome, self.run)

    @cached_property
    def tables(self) -> tuple[EvidenceTable, ...]:
        """Each under its name in the model's instructions, or the only one that is shown."""
        outcome, run = self.outcome, self.run
        named = of_run(outcome.sources, self.exhibits, run.question, run.session.feature.meaning)
        only = outcome.shown
        return fact_tables(each for each in named if only is None or each[1] is only)


async def _judge(judged: _Judged) -> _Written:
    """A step, because the gate keeps a log."""
    started = perf_counter()
    outcome, run, session = judged.outcome, judged.run, judged.run.session
    about = judgement.gate_facts(outcome, judged.exhibits, run)
    raw = None if outcome.composed else outcome.text
    also = partial(judgement.beside_the_question, outcome, run)
    found = check_facts(raw, judged.tables, about, session.show, also, run.language)
    session.watch_gate(found.proof, run.language, perf_counter() - started)
    return _Written(facts=found.written, proof=found.proof)


async def _reviewed(facts: FactsAnswer, run: RunContext, attempt: int) -> FactsAnswer:
    """The answer by its policy, after a review where there is a reviewer."""
    task = review_task(run.question.text, facts) if facts.policy is not Show.EXACT else None
    reviewer = _reviewer(run)
    if task is None or reviewer is no_review:
        return shown(facts, facts.policy, run.language)

    async def look() -> _Opinion:
        return _Opinion(review=await reviewer(task))

    review = (await recorded(run.step, f"review.{attempt}", look, _Opinion)).review
    if review is not None and not review.done:
        notes = (*facts.notes, message("facts.unreviewed", run.language))
        facts = facts.model_copy(update={"notes": notes})
    flags = review.flags if review is not None else ()
    found = shown(facts, facts.policy, run.language, flags)
    return found.model_copy(update={"review": review})


def _reviewer(run: RunContext) -> Reviewer:
    session = run.session
    if session.reviewer is None:
        return no_review
    from veridical.answering.reviewer import ModelReviewer  # here: models take long to import

    return ModelReviewer(session.reviewer, session.policy.reviewer_seconds)


def _proof(facts: FactsAnswer, proof: Proof, judged: _Judged) -> Proof:
    """The claims of the shown sentences. A reviewer's opinion is no part of it."""
    if not facts.text:
        return _nothing_left(proof, judged.run)
    claims = claims_of(facts, judged.tables)
    marked = tuple(
        Finding(code=GateCode.UNGROUNDED_CLAIM, mode=Mode.WARN, hint=mark.why, claim=mark.said)
        for sentence in facts.sentences
        for mark in sentence.marks
        if mark.by == "check"
    )
    verdict = Verdict.WARN if marked else proof.verdict
    findings = (*proof.findings, *marked)
    return proof.model_copy(update={"claims": claims, "findings": findings, "verdict": verdict})


def _nothing_left(judged: Proof, run: RunContext) -> Proof:
    hint = message("facts.nothing", run.language)
    finding = Finding(code=GateCode.UNGROUNDED_CLAIM, mode=Mode.BLOCK, hint=hint)
    findings = (*judged.findings, finding)
    return judged.model_copy(update={"verdict": Verdict.BLOCK, "findings": findings})


async def _quality(outcome: LoopOutcome, proof: Proof, run: RunContext) -> _Quality:
    """A step, because a host's validators may do anything."""
    return _Quality(report=judgement.quality_of(outcome, proof, run))


def _pieces(facts: FactsAnswer) -> Iterator[str]:
    """The text, sentence by sentence."""
    yield from (each.text for each in facts.sentences)
    prose = any(each.text for each in facts.sentences)
    for at, note in enumerate(facts.notes):
        yield f"\n\n{note}" if prose or at else note
