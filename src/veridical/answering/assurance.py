"""Compares an answer with its evidence before it is shown: gates, one new attempt, plain rows.

A blocked answer goes back to the model once, with the reasons. If it is blocked again, it
is replaced by the rows themselves, or by an honest note about what is missing. In a text that is
shown, unproven parts carry a sign.
"""

from dataclasses import replace

from veridical import gate
from veridical.agent.answer_form import AnswerForm
from veridical.agent.failure import FailureCode
from veridical.agent.refusals import NO_ANSWER_TEXT, REPEATED_CALL
from veridical.agent.request import LoopOutcome
from veridical.agent.selection import Selection
from veridical.answering import paths
from veridical.answering.context import RunContext
from veridical.answering.coverage import on_topic
from veridical.answering.judgement import Assured, judged_text, moment_of
from veridical.answering.kept_rows import with_age
from veridical.answering.refusal import admitted, refused
from veridical.contracts.answer import AnswerKind
from veridical.gate.policy import ProofPolicy
from veridical.messages import message

_GATED = frozenset({AnswerKind.AGENT, AnswerKind.PATTERN})
_MOST_REASONS = 5
_WITHOUT_WORDS = frozenset(
    {NO_ANSWER_TEXT, REPEATED_CALL, FailureCode.UNREADABLE.value, FailureCode.CUT_OFF.value}
)
"""Ends of a run whose model wrote no answer in the required form."""


async def assured(outcome: LoopOutcome, run: RunContext) -> Assured:
    """The outcome as it may be shown, with marks on what a text leaves unproven, and the age of
    kept rows."""
    gated = await _gated(outcome, run)
    marks = run.session.policy.policy is ProofPolicy.MARKED and not gated.outcome.composed
    if gated.outcome.kind not in _GATED:
        return gated
    if marks and gated.proof is not None:
        text, proof = gate.with_marks(gated.outcome.text, gated.proof, run.language)
        gated = replace(gated, outcome=replace(gated.outcome, text=text), proof=proof)
    return with_age(gated, run.language)


async def _gated(outcome: LoopOutcome, run: RunContext) -> Assured:
    outcome = _composed(outcome, run) or outcome
    if outcome.kind not in _GATED:
        return Assured(outcome)
    session = run.session
    ask = session.ask if session.approvals.evidence else None
    selection = Selection(ask, run.question.text, run.language)
    outcome = await selection.of(outcome, moment_of(outcome, run), 1)
    if outcome.kind not in _GATED:
        return Assured(outcome)
    attempt = await _judged(outcome, run, 1)
    for number in range(2, session.regenerations + 2):
        if not attempt.is_blocked or not _may_go_back(attempt, run):
            break
        again = await _again(attempt, number, selection, run)
        if again is None or not _is_nearer(again, attempt):
            break
        attempt = again
    if attempt.is_blocked:
        return await _from_rows(attempt, run)
    return admitted(attempt)


async def _judged(outcome: LoopOutcome, run: RunContext, attempt: int) -> Assured:
    if outcome.form is not AnswerForm.FACTS:
        return await judged_text(outcome, run, attempt)
    from veridical.answering.stated import judged_facts  # here: facts take long to import

    return await judged_facts(outcome, run, attempt)


def _may_go_back(blocked: Assured, run: RunContext) -> bool:
    """True if the model can do better: write it again, or query again where it only queries."""
    outcome = blocked.outcome
    if outcome.composed:
        chosen = run.session.settings.answer_form is AnswerForm.ROWS or outcome.shown is not None
        return blocked.is_off_topic and chosen
    return outcome.kind is AnswerKind.AGENT


def _composed(outcome: LoopOutcome, run: RunContext) -> LoopOutcome | None:
    """The outcome of a model that found results and could not put them into an answer: the host
    can."""
    if run.session.settings.answer_form is AnswerForm.TEXT or not outcome.sources:
        return None
    if outcome.kind in _GATED or outcome.reason not in _WITHOUT_WORDS:
        return None
    kind, form = AnswerKind.AGENT, AnswerForm.FACTS
    return replace(outcome, kind=kind, text="", reason="", form=form, composed=True)


def _is_nearer(again: Assured, before: Assured) -> bool:
    """True when the new attempt is to the point, or has at least no more that is wrong."""
    if again.is_off_topic != before.is_off_topic:
        return before.is_off_topic
    return len(again.reasons) <= len(before.reasons)


async def _again(
    blocked: Assured, number: int, selection: Selection, run: RunContext
) -> Assured | None:
    """The model's next attempt, with feedback on the last; none when it gave no answer."""
    feedback, anew = _feedback(blocked, selection, run), blocked.is_off_topic
    outcome = await paths.again(blocked.outcome, feedback, number, run, anew=anew)
    if outcome.kind is not AnswerKind.AGENT:
        return None
    if anew:
        outcome = _on_topic(outcome, len(blocked.outcome.sources), run)
    outcome = await selection.of(outcome, moment_of(outcome, run), number)
    if outcome.kind is not AnswerKind.AGENT:
        return Assured(outcome)
    return await _judged(outcome, run, number)


def _on_topic(outcome: LoopOutcome, known: int, run: RunContext) -> LoopOutcome:
    """The outcome without those of the known results that are about something else, so that their
    figures are no evidence beside the new ones; references count the results, so all stay there."""
    sources = outcome.sources
    refers = outcome.form is not AnswerForm.TEXT and not outcome.composed
    if len(sources) == known or refers:
        return outcome
    feature = run.session.feature
    kept = on_topic(run.question, sources[:known], feature, run.language, run.today)
    return replace(outcome, sources=(*kept, *sources[known:]))


def _feedback(blocked: Assured, selection: Selection, run: RunContext) -> str:
    """Why the answer was not shown, and which results it must do without."""
    reasons = list(blocked.reasons[:_MOST_REASONS])
    if selection.withheld:
        withheld = "; ".join(selection.withheld[:_MOST_REASONS])
        reasons.append(message("people.evidence_partly", run.language, results=withheld))
    listed = "\n".join(f"- {reason}" for reason in reasons)
    in_facts = blocked.outcome.form is AnswerForm.FACTS
    why = "facts.again" if in_facts else "flow.not_accepted"
    if blocked.is_off_topic:
        why = "flow.not_covered"
    return message(why, run.language, reasons=listed)


async def _from_rows(blocked: Assured, run: RunContext) -> Assured:
    """The rows instead of words about them; what to do next where there are none, or where they
    are about something else. Passages of documents are left out: they may say anything."""
    outcome = blocked.outcome
    sources = tuple(each for each in outcome.sources if not each.chunks)
    plain = replace(outcome, text="", sources=sources, form=AnswerForm.FACTS, composed=True)
    if outcome.composed or not sources or blocked.is_off_topic:
        return refused(blocked, None, run.language)
    rows = await _judged(plain, run, run.session.regenerations + 2)
    return refused(blocked, rows, run.language) if rows.is_blocked else rows
