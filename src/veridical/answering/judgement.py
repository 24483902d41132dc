"""The verdicts of both gates on one attempt: the answer gate on figures, the skill on quality."""

from dataclasses import dataclass
from functools import partial
from time import perf_counter

from pydantic import ConfigDict

from veridical import gate
from veridical.agent.request import LoopOutcome
from veridical.answering.context import RunContext
from veridical.answering.coverage import uncovered
from veridical.answering.grounds import earlier_questions, exhibits_of
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind, Usage
from veridical.contracts.chunk import Chunk
from veridical.contracts.facts_answer import FactsAnswer, FactsReview
from veridical.contracts.proof import GateCode, Proof, QualityReport, Verdict
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.step import recorded
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.evidence.exhibit import Exhibit
from veridical.gate.policy import Policy, softened
from veridical.gate.rules import no_evidence
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.skills import run_quality_gate
from veridical.tools.evidence import SEARCH_EVIDENCE
from veridical.tools.known_question import KNOWN_QUESTION


@dataclass(frozen=True, slots=True)
class Assured:
    """An outcome that may be shown, and its verdicts."""

    outcome: LoopOutcome
    proof: Proof | None = None
    quality: QualityReport | None = None
    facts: FactsAnswer | None = None
    """The sentences with their facts, of an answer in facts."""

    @property
    def is_blocked(self) -> bool:
        """True when either gate holds it back."""
        return any(
            judged is not None and judged.verdict is Verdict.BLOCK
            for judged in (self.proof, self.quality)
        )

    @property
    def is_off_topic(self) -> bool:
        """True when its evidence does not cover the question."""
        findings = self.proof.findings if self.proof else ()
        return any(
            finding.code is GateCode.QUESTION_NOT_COVERED and finding.mode is Mode.BLOCK
            for finding in findings
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is held back, for the author of the next attempt."""
        findings = self.proof.findings if self.proof else ()
        hints = [finding.hint for finding in findings if finding.mode is Mode.BLOCK]
        if self.quality and self.quality.verdict is Verdict.BLOCK:
            hints += self.quality.reasons
        return tuple(dict.fromkeys(hints))


async def judged_text(outcome: LoopOutcome, run: RunContext, attempt: int) -> Assured:
    """The outcome of a text with the verdicts of both gates."""
    look = partial(_verdicts, outcome, run)
    verdicts = await recorded(run.step, f"gate.{attempt}", look, _Verdicts)
    proof = verdicts.proof
    run.session.emit(
        Gated(
            at=moment_of(outcome, run),
            attempt=attempt,
            text=outcome.text,
            verdict=proof.verdict,
            findings=proof.findings,
            quality=verdicts.quality,
        )
    )
    return Assured(outcome, proof, verdicts.quality)


def evidence_of(outcome: LoopOutcome, run: RunContext) -> tuple[Exhibit, ...]:
    """The results that the outcome may rest on."""
    return exhibits_of(outcome.sources, run.question, run.session.feature.meaning)


def moment_of(outcome: LoopOutcome, run: RunContext) -> float:
    """When the outcome was there, by the run's own clock."""
    return run.opening.at + outcome.usage.elapsed_ms / 1000


class _Verdicts(Wire):
    """The verdicts of both gates. Older recorded runs have more fields, which are ignored."""

    model_config = ConfigDict(extra="ignore")

    proof: Proof
    quality: QualityReport | None


async def _verdicts(outcome: LoopOutcome, run: RunContext) -> _Verdicts:
    """A step, because the gate keeps a log and a host's validators may do anything."""
    started = perf_counter()
    evidence = evidence_of(outcome, run)
    proof = _read(outcome, evidence, run)
    run.session.watch_gate(proof, run.language, perf_counter() - started)
    return _Verdicts(proof=proof, quality=quality_of(outcome, proof, run))


def with_calls(usage: Usage, review: FactsReview) -> Usage:
    """The run's usage with that of the reviewing model; its price is not known."""
    return usage.model_copy(
        update={
            "model_calls": usage.model_calls + review.calls,
            "input_tokens": usage.input_tokens + review.input_tokens,
            "output_tokens": usage.output_tokens + review.output_tokens,
        }
    )


def _read(outcome: LoopOutcome, evidence: tuple[Exhibit, ...], run: RunContext) -> Proof:
    """The proof of an answer of unknown origin: it is read."""
    facts = gate_facts(outcome, evidence, run)
    return gate.check(
        facts.text,
        (*evidence, *_chunks(outcome)),
        question=facts.question,
        earlier=facts.earlier,
        language=run.language,
        policy=facts.policy,
        runs=facts.runs,
        required_tools=facts.required_tools,
        source=facts.source,
        also=(*beside_the_question(outcome, run), *_without_evidence(outcome, evidence, run)),
    )


def _without_evidence(
    outcome: LoopOutcome, evidence: tuple[Exhibit, ...], run: RunContext
) -> tuple[Problem, ...]:
    """Problems of an agent's answer without any row: it is held back and not only marked."""
    if _chunks(outcome):
        return ()
    return tuple(no_evidence.find(gate_facts(outcome, evidence, run)))


def gate_facts(outcome: LoopOutcome, evidence: tuple[Exhibit, ...], run: RunContext) -> GateFacts:
    """The input of the gate's rules, without claims."""
    return GateFacts(
        text=outcome.text,
        exhibits=evidence,
        policy=policy_of(run.session),
        question=run.question.text,
        earlier=earlier_questions(run.question),
        runs=outcome.runs,
        required_tools=required_tools_of(run.session),
        source=run.session.feature.kind,
    )


def _chunks(outcome: LoopOutcome) -> tuple[Chunk, ...]:
    return tuple(chunk for source in outcome.sources for chunk in source.chunks)


def required_tools_of(session: Session) -> tuple[str, ...]:
    """The tools that the followed skill needs."""
    return session.skill.skill.required_tools if session.skill else ()


def beside_the_question(
    outcome: LoopOutcome, run: RunContext, text: str = ""
) -> tuple[Problem, ...]:
    """Parts of the question that no result covers, or that the text gives in another form; a
    pattern always covers the question."""
    if outcome.kind is AnswerKind.PATTERN:
        return ()
    session = run.session
    return uncovered(
        run.question,
        (outcome.shown,) if outcome.shown else outcome.sources,
        session.feature,
        run.language,
        run.today,
        session.policy.idle_tools,
        text or outcome.text,
    )


def policy_of(session: Session) -> Policy:
    """The session's policy as the feature's other sources and the followed skill ask for it."""
    policy = _with_other_sources(session)
    if session.skill is None:
        return policy
    wanted = session.skill.skill.gate
    return softened(
        policy,
        modes=wanted.modes,
        allow=wanted.allow,
        allow_patterns=wanted.allow_patterns,
    )


def _with_other_sources(session: Session) -> Policy:
    """Beside tables, an answer may rest on known questions, documents and tools of a pack."""
    policy, feature = session.policy, session.feature
    if feature.kind is not SourceKind.SQL:
        return policy
    beside = (KNOWN_QUESTION, SEARCH_EVIDENCE, *(tool.name for tool in feature.tools))
    groups = policy.required_tools.get(SourceKind.SQL, ())
    either = tuple("|".join((tools, *beside)) for tools in groups)
    required = {**policy.required_tools, SourceKind.SQL: either}
    return policy.model_copy(update={"required_tools": required})


def quality_of(outcome: LoopOutcome, proof: Proof, run: RunContext) -> QualityReport | None:
    """The report of the followed skill; none without one."""
    match = run.session.skill
    if match is None:
        return None
    return run_quality_gate(
        outcome.text,
        match.skill,
        run.question.text,
        proof,
        outcome.runs,
        sources=outcome.sources,
        rivals=match.rivals,
        language=run.language,
    )
