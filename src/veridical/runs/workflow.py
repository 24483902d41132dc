"""One life of a run, from its request to an outcome or to where it has to wait for somebody."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from dbos import DBOSClient
from dbos import error as dbos_error

from veridical.answering.flow import answer
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import Answer
from veridical.contracts.approvals import Approvals
from veridical.contracts.caller import Caller
from veridical.contracts.person import AskPerson, Decision, PersonNeeded, Waiting
from veridical.contracts.step import Json
from veridical.runs.asking import asking_through
from veridical.runs.continuation import WAITING_FOR, earlier_steps, go_on_later, go_on_now
from veridical.runs.inbox import Inbox
from veridical.runs.journal import Journal
from veridical.runs.lease import Lease, LeaseLost
from veridical.runs.lives import Life
from veridical.runs.patience import CutOff, insist, is_passing
from veridical.runs.settling import RunError, failed_answer
from veridical.runs.steps import DurableStep
from veridical.runs.telling import Telling
from veridical.runs.turns import Part, Turns
from veridical.store.connection import Store

Sessions = Callable[[str, Caller, Emit], Session]
"""Where a caller's questions about a feature are answered."""

_log = logging.getLogger("veridical.runs")


@dataclass(frozen=True)
class Workplace:
    """All that the lives of one worker share."""

    sessions: Sessions
    inbox: Inbox
    store: Store
    client: DBOSClient
    journal: Journal
    lease: Lease
    most_lives: int
    active: dict[str, "asyncio.Task[object]"] = field(
        default_factory=dict[str, "asyncio.Task[object]"]
    )
    """By workflow: the lives that are being lived here."""
    turns: Turns = field(default_factory=Turns)


async def live(given: Json, workplace: Workplace) -> str:
    """Live one life; how it ended, for the engine's own list."""
    life = Life.model_validate(given)
    _note(life, workplace)
    try:
        with workplace.turns.taking_part(life.tenant) as part:
            return await _lived(life, part, workplace)
    except Exception as error:
        if workplace.lease.is_lost:
            raise LeaseLost from error
        if is_passing(error):
            _log.warning("run %s was cut off and will be taken up again: %s", life.run_id, error)
            raise CutOff from error
        raise


async def _lived(life: Life, part: Part, workplace: Workplace) -> str:
    telling = Telling(workplace.journal, life)
    try:
        final = await _answer(life, part, telling, workplace)
    except Waiting as waiting:
        return await _wait(life, waiting, telling, workplace)
    except dbos_error.DBOSUnexpectedStepError:
        # This life was begun by other code. In the next one, steps are found by their names.
        _log.info("run %s goes on with other code than it began with", life.run_id)
        await insist(partial(go_on_now, workplace.store, workplace.client, life))
        return "handed on"
    except Exception as error:
        if workplace.lease.is_lost or is_passing(error):
            raise
        _log.exception("run %s broke", life.run_id)
        return await _break_off(life, telling, RunError.BROKE)
    await telling.finish(final)
    return "done"


async def _answer(life: Life, part: Part, telling: Telling, workplace: Workplace) -> Answer:
    request = life.request
    known = await insist(partial(earlier_steps, workplace.store, life)) if life.number else {}
    step = DurableStep(life.run_id, workplace.lease, workplace.store, known, part.come)
    session = workplace.sessions(request.feature, request.caller.thawed(), telling.emit)
    session = replace(
        session,
        ask=_asked_in_a_step(asking_through(workplace.inbox)(life), step),
        approvals=_together(session.approvals, request.approvals),
    )
    return await answer(request.question, session, step, life.run_id)


def _together(feature: Approvals, run: Approvals) -> Approvals:
    """What either of them asks people for."""
    return Approvals(
        evidence=feature.evidence or run.evidence,
        clarify=feature.clarify or run.clarify,
        calls=tuple(dict.fromkeys((*feature.calls, *run.calls))),
    )


def _asked_in_a_step(ask: AskPerson, step: DurableStep) -> AskPerson:
    """A decision, kept like any step's result; that there was none yet is kept for this life.

    So a life that is lived again after a crash ends where it ended before, even if a decision has
    come meanwhile: it is the next life that goes on with it.
    """

    async def asked(needed: PersonNeeded) -> Decision:
        async def look() -> Json:
            try:
                return (await ask(needed)).model_dump(mode="json", by_alias=True)
            except Waiting as waiting:
                return {WAITING_FOR: waiting.item, "seconds": waiting.seconds}

        # By what is asked as well: about other evidence, the question is another one.
        found = await step(f"ask:{needed.name}:{needed.evidence_hash[:12]}", look)
        if WAITING_FOR in found:
            raise Waiting(found[WAITING_FOR], found["seconds"])
        return Decision.model_validate(found)

    return asked


async def _wait(life: Life, waiting: Waiting, telling: Telling, workplace: Workplace) -> str:
    await telling.flush()
    if life.number + 1 >= workplace.most_lives:
        return await _break_off(life, telling, RunError.GAVE_UP)
    await insist(partial(go_on_later, workplace.store, workplace.client, life, waiting.item))
    return "waiting"


async def _break_off(life: Life, telling: Telling, error: RunError) -> str:
    request = life.request
    language = request.question.language or request.caller.language
    await telling.fail(failed_answer(life.run_id, language), error, time.time())
    return "failed"


def _note(life: Life, workplace: Workplace) -> None:
    """Let the worker know of this life until the engine is done with it."""
    if workplace.lease.is_lost:
        raise LeaseLost
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("a life is lived in a task")
    active, workflow_id = workplace.active, life.workflow_id
    active[workflow_id] = task

    def forget(done: "asyncio.Task[object]") -> None:
        if active.get(workflow_id) is done:
            del active[workflow_id]

    task.add_done_callback(forget)
