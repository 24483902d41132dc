"""An answer in facts: from the model's text, judged and reviewed, to the shown text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from veridical.agent.request import LoopOutcome
from veridical.answering import judgement
from veridical.answering.context import RunContext
from veridical.answering.grounds import earlier_questions, exhibits_of
from veridical.answering.judgement import Assured
from veridical.contracts.answer import Source
from veridical.contracts.facts_answer import FactsAnswer, FactsReview, Show
from veridical.contracts.progress import Progress
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.contracts.quality import QualityReport
from veridical.contracts.step import recorded
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.evidence.column import CellKind, Column
from veridical.evidence.table import EvidenceTable
from veridical.facts.policy import shown
from veridical.facts.proof import claims_of
from veridical.facts.review import Reviewer, no_review, review_task
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.facts_verdict import FactsRun, check_facts
from veridical.gate.rules.unproven import is_refusal
from veridical.gate.typed_evidence import typed_tables
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
    written = await recorded(run.step, f"gate.{attempt}", partial(_judge, outcome, run), _Written)
    facts, proof = written.facts, written.proof
    if proof.verdict is not Verdict.BLOCK:
        facts = await _reviewed(facts, run, attempt)
        if not facts.text and is_refusal(written.facts.text):
            facts = written.facts  # an honest "I can't say" needs no fact
        proof = _proof(facts, proof, outcome, run)
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


def fact_tables(
    sources: Sequence[Source], exhibits: Sequence[Exhibit], run: RunContext
) -> tuple[EvidenceTable, ...]:
    """The results as tables, each under its name in the model's instructions: ``r1`` is the first
    of the sources."""
    return tuple(_tables(sources, exhibits, run))


def _tables(
    sources: Sequence[Source], exhibits: Sequence[Exhibit], run: RunContext
) -> Iterator[EvidenceTable]:
    in_step = len(exhibits) == len(sources)
    for at, source in enumerate(sources):
        name = f"r{at + 1}"
        if source.chunks:
            yield _passages(name, source)
            continue
        found = exhibits[at : at + 1] if in_step else _of_source(at, sources, run)
        for exhibit in found[:1]:
            yield from (replace(each, name=name) for each in typed_tables(exhibit)[:1])


def _of_source(at: int, sources: Sequence[Source], run: RunContext) -> tuple[Exhibit, ...]:
    """The results of one of the sources, where some have several or none."""
    meaning = run.session.feature.meaning
    before = len(exhibits_of(sources[:at], run.question, meaning))
    return exhibits_of(sources[: at + 1], run.question, meaning)[before:]


def _passages(name: str, source: Source) -> EvidenceTable:
    """The passages found in documents, to be quoted."""
    columns = (Column("document", CellKind.NAME), Column("text", CellKind.NAME))
    rows = tuple((each.title or each.id, each.text) for each in source.chunks)
    return EvidenceTable(name, columns, rows, source.tool)


async def _judge(outcome: LoopOutcome, run: RunContext) -> _Written:
    """A step, because the gate keeps a log."""
    started = perf_counter()
    exhibits = judgement.evidence_of(outcome, run)
    session = run.session
    about = FactsRun(
        policy=judgement.policy_of(session),
        show=session.show,
        question=run.question.text,
        earlier=earlier_questions(run.question),
        runs=outcome.runs,
        required_tools=judgement.required_tools_of(session),
    )
    raw = None if outcome.composed else outcome.text
    tables = fact_tables(outcome.sources, exhibits, run)
    also = judgement.beside_the_question(outcome, run)
    found = check_facts(raw, tables, exhibits, about, also, run.language)
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


def _proof(facts: FactsAnswer, judged: Proof, outcome: LoopOutcome, run: RunContext) -> Proof:
    """The claims of the shown sentences. A reviewer's opinion is no part of it."""
    if not facts.text:
        return _nothing_left(judged, run)
    exhibits = judgement.evidence_of(outcome, run)
    claims = claims_of(facts, fact_tables(outcome.sources, exhibits, run))
    marked = tuple(
        Finding(code=GateCode.UNGROUNDED_CLAIM, mode=Mode.WARN, hint=mark.why, claim=mark.said)
        for sentence in facts.sentences
        for mark in sentence.marks
        if mark.by == "check"
    )
    verdict = Verdict.WARN if marked else judged.verdict
    findings = (*judged.findings, *marked)
    return judged.model_copy(update={"claims": claims, "findings": findings, "verdict": verdict})


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
