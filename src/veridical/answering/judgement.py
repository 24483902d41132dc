"""What both gates say of one attempt: the answer gate of its figures, the skill of its quality."""

from dataclasses import dataclass
from functools import partial
from time import perf_counter

from veridical import gate
from veridical.agent.request import LoopOutcome
from veridical.answering.context import RunContext
from veridical.answering.coverage import uncovered
from veridical.answering.grounds import exhibits_of, said_by_user
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.proof import GateCode, Proof, Verdict
from veridical.contracts.quality import QualityReport
from veridical.contracts.step import recorded
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import Policy, softened
from veridical.gate.rules.problem import Problem
from veridical.skills import run_quality_gate


@dataclass(frozen=True, slots=True)
class Assured:
    """What may be shown, and how it was judged."""

    outcome: LoopOutcome
    proof: Proof | None = None
    quality: QualityReport | None = None

    @property
    def is_blocked(self) -> bool:
        """True when either gate holds it back."""
        return any(
            judged is not None and judged.verdict is Verdict.BLOCK
            for judged in (self.proof, self.quality)
        )

    @property
    def is_off_topic(self) -> bool:
        """True when its evidence does not speak of what was asked."""
        findings = self.proof.findings if self.proof else ()
        return any(
            finding.code is GateCode.QUESTION_NOT_COVERED and finding.mode is Mode.BLOCK
            for finding in findings
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is held back, for whoever writes it anew."""
        findings = self.proof.findings if self.proof else ()
        said = [finding.hint for finding in findings if finding.mode is Mode.BLOCK]
        if self.quality and self.quality.verdict is Verdict.BLOCK:
            said += self.quality.reasons
        return tuple(dict.fromkeys(said))


async def judged(outcome: LoopOutcome, run: RunContext, attempt: int) -> Assured:
    """The outcome with what both gates say of it."""
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
    """What both gates say."""

    proof: Proof
    quality: QualityReport | None


async def _verdicts(outcome: LoopOutcome, run: RunContext) -> _Verdicts:
    """A step, because the gate keeps a log and a host's validators may do anything."""
    session = run.session
    started = perf_counter()
    proof = gate.check(
        outcome.text,
        evidence_of(outcome, run),
        question=said_by_user(run.question),
        language=run.language,
        policy=_policy(session),
        runs=outcome.runs,
        required_tools=session.skill.skill.required_tools if session.skill else (),
        also=_beside_the_question(outcome, run),
    )
    session.watch_gate(proof, run.language, perf_counter() - started)
    return _Verdicts(proof=proof, quality=_quality(outcome, proof, run))


def _beside_the_question(outcome: LoopOutcome, run: RunContext) -> tuple[Problem, ...]:
    """What was asked and no result speaks of; a pattern answers nothing but what was asked."""
    if outcome.kind is AnswerKind.PATTERN:
        return ()
    session = run.session
    return uncovered(
        run.question,
        outcome.sources,
        session.feature,
        run.language,
        run.today,
        session.policy.idle_tools,
        outcome.text,
    )


def _policy(session: Session) -> Policy:
    """The session's policy as the skill that is followed asks for it."""
    if session.skill is None:
        return session.policy
    wanted = session.skill.skill.gate
    return softened(
        session.policy,
        modes=wanted.modes,
        placeholders=wanted.placeholders,
        allow=wanted.allow,
        allow_patterns=wanted.allow_patterns,
    )


def _quality(outcome: LoopOutcome, proof: Proof, run: RunContext) -> QualityReport | None:
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
