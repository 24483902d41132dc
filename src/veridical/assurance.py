"""Holds an answer against its evidence before it is shown: gates, one new attempt, plain rows.

A blocked answer goes back to the model once, with the reasons. What then still does not stand is
replaced by the rows themselves, or by an honest word about what is missing.
"""

from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from time import perf_counter

from veridical import gate, ways
from veridical.agent.request import LoopOutcome
from veridical.agent.selection import Selection
from veridical.contracts.answer import AnswerKind
from veridical.contracts.proof import GateCode, Proof, Verdict
from veridical.contracts.quality import QualityReport
from veridical.contracts.question import Question
from veridical.contracts.step import Json, Step, kept
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.coverage import uncovered
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import Policy, softened
from veridical.gate.rules.problem import Problem
from veridical.grounds import exhibits_of, said_by_user
from veridical.messages import say
from veridical.retelling import retold
from veridical.skills import run_quality_gate
from veridical.ways import Desk

_GATED = frozenset({AnswerKind.AGENT, AnswerKind.PATTERN})
_MOST_REASONS = 5


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


async def assured(
    outcome: LoopOutcome, question: Question, desk: Desk, step: Step, opened: Json
) -> Assured:
    """The outcome as it may be shown."""
    if outcome.kind not in _GATED:
        return Assured(outcome)
    ask = desk.ask if desk.approvals.evidence else None
    selection = Selection(ask, question.text, desk.caller.language)
    outcome = await selection.of(outcome, _moment(outcome, opened), 1)
    if outcome.kind not in _GATED:
        return Assured(outcome)
    attempt = await _judged(outcome, question, desk, step, opened, 1)
    for number in range(2, desk.regenerations + 2):
        if not attempt.is_blocked or attempt.outcome.kind is not AnswerKind.AGENT:
            break
        again = await _again(attempt, number, selection, question, desk, step, opened)
        if again is None or not _is_nearer(again, attempt):
            break
        attempt = again
    if attempt.is_blocked:
        return await _from_rows(attempt, question, desk, step, opened)
    return attempt


def _is_nearer(again: Assured, before: Assured) -> bool:
    """True when the new attempt is to the point, or has at least no more that is wrong."""
    if again.is_off_topic != before.is_off_topic:
        return before.is_off_topic
    return len(again.reasons) <= len(before.reasons)


async def _again(
    blocked: Assured,
    number: int,
    selection: Selection,
    question: Question,
    desk: Desk,
    step: Step,
    opened: Json,
) -> Assured | None:
    """The model's next attempt, told what was wrong with the last; none when it gave no answer."""
    feedback = _feedback(blocked, selection, desk)
    outcome = await ways.again(blocked.outcome, feedback, number, question, desk, step, opened)
    if outcome.kind is not AnswerKind.AGENT:
        return None
    outcome = await selection.of(outcome, _moment(outcome, opened), number)
    if outcome.kind is not AnswerKind.AGENT:
        return Assured(outcome)
    return await _judged(outcome, question, desk, step, opened, number)


def _feedback(blocked: Assured, selection: Selection, desk: Desk) -> str:
    """Why the answer was not shown, and which results it must do without."""
    language = desk.caller.language
    reasons = list(blocked.reasons[:_MOST_REASONS])
    if selection.withheld:
        withheld = "; ".join(selection.withheld[:_MOST_REASONS])
        reasons.append(say("people.evidence_partly", language, results=withheld))
    listed = "\n".join(f"- {reason}" for reason in reasons)
    return say("flow.not_accepted", language, reasons=listed)


async def _judged(
    outcome: LoopOutcome, question: Question, desk: Desk, step: Step, opened: Json, attempt: int
) -> Assured:
    today = date.fromisoformat(opened["today"])
    look = partial(_looked_at, outcome, question, desk, today)
    accounts = await kept(step, f"gate.{attempt}", look, _Accounts)
    proof = accounts.proof
    desk.emit(
        Gated(
            at=_moment(outcome, opened),
            attempt=attempt,
            text=outcome.text,
            verdict=proof.verdict,
            findings=proof.findings,
            quality=accounts.quality,
        )
    )
    return Assured(outcome, proof, accounts.quality)


class _Accounts(Wire):
    """What both gates say."""

    proof: Proof
    quality: QualityReport | None


async def _looked_at(
    outcome: LoopOutcome, question: Question, desk: Desk, today: date
) -> _Accounts:
    """Both gates' accounts: a step, because the gate keeps a log and a host's validators may do
    anything."""
    started = perf_counter()
    proof = gate.check(
        outcome.text,
        _exhibits(outcome, question, desk),
        question=said_by_user(question),
        language=desk.caller.language,
        policy=_policy(desk),
        runs=outcome.runs,
        required_tools=desk.skill.skill.required_tools if desk.skill else (),
        also=_beside_the_question(outcome, question, desk, today),
    )
    desk.watch_gate(proof, desk.caller.language, perf_counter() - started)
    return _Accounts(proof=proof, quality=_quality(outcome, proof, question, desk))


def _beside_the_question(
    outcome: LoopOutcome, question: Question, desk: Desk, today: date
) -> tuple[Problem, ...]:
    """What was asked and no result speaks of; a pattern answers nothing but what was asked."""
    if outcome.kind is AnswerKind.PATTERN:
        return ()
    language, idle = desk.caller.language, desk.policy.idle_tools
    return uncovered(question, outcome.sources, desk.feature, language, today, idle, outcome.text)


def _policy(desk: Desk) -> Policy:
    """The desk's policy as the skill that is followed asks for it."""
    if desk.skill is None:
        return desk.policy
    wanted = desk.skill.skill.gate
    return softened(
        desk.policy,
        modes=wanted.modes,
        placeholders=wanted.placeholders,
        allow=wanted.allow,
        allow_patterns=wanted.allow_patterns,
    )


def _quality(
    outcome: LoopOutcome, proof: Proof, question: Question, desk: Desk
) -> QualityReport | None:
    if desk.skill is None:
        return None
    return run_quality_gate(
        outcome.text,
        desk.skill.skill,
        question.text,
        proof,
        outcome.runs,
        sources=outcome.sources,
        rivals=desk.skill.rivals,
        language=desk.caller.language,
    )


async def _from_rows(
    blocked: Assured, question: Question, desk: Desk, step: Step, opened: Json
) -> Assured:
    """The evidence itself instead of words about it; what to do next where there is none, or
    where it is about something else."""
    language = desk.caller.language
    evidence = _exhibits(blocked.outcome, question, desk)
    plain = replace(blocked.outcome, text=retold(evidence, language))
    proofs = [blocked.proof]
    if plain.text and not blocked.is_off_topic:
        last = await _judged(plain, question, desk, step, opened, desk.regenerations + 2)
        if last.proof is not None and last.proof.verdict is not Verdict.BLOCK:
            return last
        proofs.append(last.proof)
    blocking = (proof for proof in proofs if proof and proof.verdict is Verdict.BLOCK)
    why = next(blocking, None)
    refusal = gate.friendly(why, language) if why else say("flow.held_back", language)
    return replace(blocked, outcome=replace(blocked.outcome, kind=AnswerKind.UNKNOWN, text=refusal))


def _moment(outcome: LoopOutcome, opened: Json) -> float:
    """When the outcome was there, by the run's own clock."""
    return opened["at"] + outcome.usage.elapsed_ms / 1000


def _exhibits(outcome: LoopOutcome, question: Question, desk: Desk) -> tuple[Exhibit, ...]:
    return exhibits_of(outcome.sources, question, desk.feature.meaning)
