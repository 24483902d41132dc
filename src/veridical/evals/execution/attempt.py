"""One attempt: a gold question with one scored run."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from veridical.answering.flow import answer
from veridical.answering.session import Emit, Session
from veridical.check.checker import Checker
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.proof import Verdict
from veridical.contracts.question import Question
from veridical.contracts.step import Progress, Step
from veridical.contracts.trace import AgentTrace, Event, Gated, ModelCalled, ToolCalled
from veridical.evals.execution.plan import Planned
from veridical.evals.gold.case import Limit
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.scoring.record import RunRecord, Score, ScoredRun
from veridical.evals.scoring.score import overcame_refusal, repaired_at_once, score
from veridical.trace.counters import counters
from veridical.trace.redact import redacted


class EventLog:
    """Collects a run's events as values and as texts, both without secrets.

    A recorder of traces would write each text again for every store.
    """

    def __init__(self) -> None:
        self._noted: list[tuple[Event, str]] = []

    def emit(self, event: Event | Progress) -> None:
        """Keep an event; progress is left out."""
        if not isinstance(event, Progress):
            self._noted.append(redacted(event))

    def trace(self, trace_id: str) -> AgentTrace:
        """The trace of the events so far."""
        return AgentTrace(trace_id=trace_id, events=tuple(event for event, _ in self._noted))

    @property
    def texts(self) -> tuple[str, ...]:
        """The events as texts."""
        return tuple(text for _, text in self._noted)


OpenSession = Callable[[Emit], Session]
NOT_RECORDED = "not recorded"
"""The beginning of the detail of a replayed run that differs from the recorded one."""
_MS = 1000
_log = logging.getLogger(__name__)


class NotRecordedError(LookupError):
    """A replayed run took a step that the recorded one did not take."""


@dataclass(frozen=True, slots=True)
class _Ending:
    answer: Answer
    detail: str = ""
    timed_out: bool = False


async def attempt(
    planned: Planned,
    truth: CaseTruth,
    open_session: OpenSession,
    step: Step,
    trace_id: str,
    limit: Limit,
    *,
    watched: bool = True,
) -> ScoredRun:
    """The scored run. One that takes too long or breaks is scored as well: it gave no answer.

    A replay is not ``watched``: its steps say whether the time was up.
    """
    notes = EventLog()
    checker: Checker | None = None
    question = Question(
        text=planned.question,
        feature=planned.gold.feature,
        language=planned.case.language,
        thread=planned.case.thread,
    )
    try:
        session = open_session(notes.emit)
        checker = session.feature.checker
        async with asyncio.timeout(limit.seconds if watched else None):
            given = await answer(question, session, step, trace_id)
        ending = _Ending(given)
    except TimeoutError:
        ending = _Ending(_no_answer(planned, trace_id), limit.detail, timed_out=True)
    except NotRecordedError as error:
        ending = _Ending(_no_answer(planned, trace_id), f"{NOT_RECORDED}: {error}")
    except Exception as error:
        _log.exception("the run of %s broke", planned.key)
        ending = _Ending(_no_answer(planned, trace_id), f"broke: {type(error).__name__}: {error}")
    trace = notes.trace(trace_id)
    record = _record(planned, truth, ending, trace, limit, checker)
    return ScoredRun(record, trace, notes.texts)


def _no_answer(planned: Planned, trace_id: str) -> Answer:
    language = planned.case.language
    return Answer(kind=AnswerKind.FAILED, text="", language=language, trace_id=trace_id)


def _record(
    planned: Planned,
    truth: CaseTruth,
    ending: _Ending,
    trace: AgentTrace,
    limit: Limit,
    checker: Checker | None,
) -> RunRecord:
    case, given = planned.case, ending.answer
    counted = counters(trace)
    if ending.timed_out:
        counted = counted.model_copy(update={"elapsed_ms": limit.seconds * _MS})
    return RunRecord(
        key=planned.key,
        question=planned.question,
        language=case.language,
        difficulty=case.difficulty,
        traps=case.traps,
        expected=case.expected,
        kind=given.kind,
        text=given.text,
        score=_score(planned, truth, ending, trace, checker),
        counters=counted,
        failure_codes=_failure_codes(trace),
        overcome=overcame_refusal(trace),
        repaired_at_once=repaired_at_once(trace),
        rounds=sum(isinstance(event, ModelCalled) for event in trace.events),
        timed_out=ending.timed_out,
        detail=ending.detail,
        trace_id=trace.trace_id,
    )


def _score(
    planned: Planned, truth: CaseTruth, ending: _Ending, trace: AgentTrace, checker: Checker | None
) -> Score:
    verdict = score(planned.case, planned.question, truth, ending.answer, trace, checker)
    if ending.detail:
        return verdict.model_copy(update={"reasons": (ending.detail.partition(":")[0],)})
    return verdict


def _failure_codes(trace: AgentTrace) -> tuple[str, ...]:
    codes: list[str] = []
    for event in trace.events:
        if isinstance(event, ToolCalled) and event.validation_failure_code is not None:
            codes.append(event.validation_failure_code)
        if isinstance(event, Gated) and event.verdict is Verdict.BLOCK:
            codes += (finding.code for finding in event.findings)
    return tuple(codes)
