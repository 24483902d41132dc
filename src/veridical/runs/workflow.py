"""The workflow of one segment: from the request to an outcome, or to where it must wait for a
person."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from dbos import DBOSClient
from dbos import error as dbos_error
from sqlalchemy import Engine

from veridical.answering.flow import answer
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.extras import require
from veridical.contracts.person import Approvals, AskPerson, Decision, PersonNeeded, Waiting
from veridical.contracts.requirements_review import ReviewTask
from veridical.contracts.search_collect import CollectTask
from veridical.contracts.step import Json
from veridical.runs.continuation import WAITING_FOR, earlier_steps, go_on_later, go_on_now
from veridical.runs.fair_scheduler import FairScheduler, Participant
from veridical.runs.inbox import Inbox
from veridical.runs.journal import EventPublisher, Journal
from veridical.runs.lease import Lease, LeaseLost
from veridical.runs.recovery import RunError, failed_answer
from veridical.runs.request import RunSegment
from veridical.runs.retry import DatabaseLost, is_transient, retry
from veridical.runs.steps import DurableStep
from veridical.store.connection import Store

Sessions = Callable[[str, Caller, Emit], Session]
"""Opens the session that answers a caller's questions about a feature."""

_log = logging.getLogger("veridical.runs")


@dataclass(frozen=True)
class WorkerContext:
    """Resources that all segments of one worker share."""

    sessions: Sessions
    inbox: Inbox
    store: Store
    database: Engine
    """The engine's."""
    client: DBOSClient
    journal: Journal
    lease: Lease
    most_segments: int
    documents: Store
    """The store of documents: it waits longer than the store of the runs."""
    active: dict[str, "asyncio.Task[object]"] = field(
        default_factory=dict[str, "asyncio.Task[object]"]
    )
    """The segments that run here, by workflow."""
    scheduler: FairScheduler = field(default_factory=FairScheduler)


async def run_segment(given: Json, context: WorkerContext) -> str:
    """Run one segment; returns its outcome for the engine's own list."""
    segment = RunSegment.model_validate(given)
    _note(segment, context)
    try:
        with context.scheduler.participant(segment.tenant) as part:
            return await _answered(segment, part, context)
    except Exception as error:
        if context.lease.is_lost:
            raise LeaseLost from error
        if is_transient(error):
            _log.warning("run %s was cut off and will be taken up again: %s", segment.run_id, error)
            raise DatabaseLost from error
        raise


async def _answered(segment: RunSegment, part: Participant, context: WorkerContext) -> str:
    publisher = EventPublisher(context.journal, segment)
    try:
        final = await _answer(segment, part, publisher, context)
    except Waiting as waiting:
        return await _wait(segment, waiting, publisher, context)
    except dbos_error.DBOSUnexpectedStepError:
        # This segment was begun by other code. In the next one, steps are found by their names.
        _log.info("run %s goes on with other code than it began with", segment.run_id)
        await retry(partial(go_on_now, context.store, context.client, segment))
        return "handed on"
    except Exception as error:
        if context.lease.is_lost or is_transient(error):
            raise
        _log.exception("run %s broke", segment.run_id)
        return await _break_off(segment, publisher, RunError.BROKE)
    await publisher.finish(final)
    return "done"


async def _answer(
    segment: RunSegment, part: Participant, publisher: EventPublisher, context: WorkerContext
) -> Answer:
    request = segment.request
    known = await retry(partial(earlier_steps, context.store, segment)) if segment.number else {}
    step = DurableStep(segment.run_id, context.lease, context.store, known, part.come)
    if request.ingest is not None:
        require("search")
        from veridical.runs.ingest_run import run_ingest

        return await run_ingest(segment, request.ingest, context.documents, step, publisher.emit)
    ask = _ask_in_a_step(context.inbox.ask_for(segment), step)
    if request.collect is not None:
        return await _collect(segment, request.collect, ask, step, publisher, context)
    if request.review is not None and not request.feature:
        return await _review(segment, request.review, None, ask, step, publisher)
    caller = request.caller.thawed()
    session = await asyncio.to_thread(
        context.sessions, request.feature, caller, publisher.emit
    )  # it may look for what the caller's tenant has certified meanwhile
    if request.review is not None:
        return await _review(segment, request.review, session, ask, step, publisher)
    session = replace(
        session,
        ask=ask,
        approvals=_together(session.approvals, request.approvals),
    )
    return await answer(request.question, session, step, segment.run_id)


async def _collect(
    segment: RunSegment,
    task: CollectTask,
    ask: AskPerson,
    step: DurableStep,
    publisher: EventPublisher,
    context: WorkerContext,
) -> Answer:
    require("search")
    from veridical.runs.collect_run import CollectRun

    request, model = segment.request, None
    if request.feature and task.scored_by_model:
        caller = request.caller.thawed()
        model = context.sessions(request.feature, caller, publisher.emit).model
    return await CollectRun(segment, task, context.documents, step, model).answer(
        ask, publisher.emit
    )


async def _review(
    segment: RunSegment,
    task: ReviewTask,
    session: Session | None,
    ask: AskPerson,
    step: DurableStep,
    publisher: EventPublisher,
) -> Answer:
    require("requirements")
    from veridical.runs.review_run import run_review

    return await run_review(segment, task, session, ask, step, publisher.emit)


def _together(feature: Approvals, run: Approvals) -> Approvals:
    """The approvals that either of them needs."""
    return Approvals(
        evidence=feature.evidence or run.evidence,
        passages=feature.passages or run.passages,
        clarify=feature.clarify or run.clarify,
        calls=tuple(dict.fromkeys((*feature.calls, *run.calls))),
    )


def _ask_in_a_step(ask: AskPerson, step: DurableStep) -> AskPerson:
    """A decision, stored like any step's result; that there was none yet is stored for this
    segment.

    So a segment that is run again after a crash ends where it ended before, even if a decision has
    come meanwhile: it is the next segment that continues with it.
    """

    async def ask_once(needed: PersonNeeded) -> Decision:
        async def look() -> Json:
            try:
                return (await ask(needed)).model_dump(mode="json", by_alias=True)
            except Waiting as waiting:
                return {WAITING_FOR: waiting.item, "seconds": waiting.seconds}

        # Named by the evidence as well: about other evidence, the question is another one.
        found = await step(f"ask:{needed.name}:{needed.evidence_hash[:12]}", look)
        if WAITING_FOR in found:
            raise Waiting(found[WAITING_FOR], found["seconds"])
        return Decision.model_validate(found)

    return ask_once


async def _wait(
    segment: RunSegment, waiting: Waiting, publisher: EventPublisher, context: WorkerContext
) -> str:
    await publisher.flush()
    if segment.number + 1 >= context.most_segments:
        return await _break_off(segment, publisher, RunError.GAVE_UP)
    await retry(partial(go_on_later, context.store, context.client, segment, waiting.item))
    return "waiting"


async def _break_off(segment: RunSegment, publisher: EventPublisher, error: RunError) -> str:
    request = segment.request
    language = request.question.language or request.caller.language
    await publisher.fail(failed_answer(segment.run_id, language), error, time.time())
    return "failed"


def _note(segment: RunSegment, context: WorkerContext) -> None:
    """Register this segment with the worker until the engine is done with it."""
    if context.lease.is_lost:
        raise LeaseLost
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("a segment runs in a task")
    active, workflow_id = context.active, segment.workflow_id
    active[workflow_id] = task

    def forget(done: "asyncio.Task[object]") -> None:
        if active.get(workflow_id) is done:
            del active[workflow_id]

    task.add_done_callback(forget)
