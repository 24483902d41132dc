"""Marks runs as failed or cancelled that the engine has ended, so that every run has an outcome."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from dbos import DBOSClient
from sqlalchemy import Row, select

from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.request import RunRequest, run_of
from veridical.runs.rows import Ending, database_time, ended
from veridical.runs.state import FINAL, RunStatus
from veridical.store.connection import Store
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.trace.batch import execute_together, notices
from veridical.trace.event_json import restored


class RunError(StrEnum):
    """Code of a run's failure, for programs; its answer has the words."""

    BROKE = "BROKE"
    """something unforeseen happened in it"""
    GAVE_UP = "GAVE_UP"
    """its workers died too often, or it went on waiting too often"""


_CANCELLED = "CANCELLED"
_DEAD = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


def close_failed_runs(store: Store, client: DBOSClient, seconds: float) -> list[str]:
    """Close the runs that the engine ended within this time; their ids."""
    with store.system() as connection:
        lately = datetime.fromtimestamp(database_time(connection) - seconds, UTC)
        over = client.list_workflows(
            status=["ERROR", _CANCELLED, _DEAD],
            completed_after=lately.isoformat(),
            load_input=False,
            load_output=False,
        )
        if not over:
            return []
        given_up = {each.workflow_id: each.status for each in over}
        rows = connection.execute(
            select(RUNS.c.run_id, RUNS.c.workflow_id, RUNS.c.request)
            .where(RUNS.c.run_id.in_(map(run_of, given_up)))
            .where(RUNS.c.workflow_id.in_(given_up), RUNS.c.status.not_in(sorted(FINAL)))
            .with_for_update(skip_locked=True)
        ).all()
        endings = [_ending(row, given_up[row.workflow_id]) for row in rows]
        settled = [row.run_id for row in rows]
        execute_together(connection, [*ended(endings), *notices(settled)])
        return settled


def failed_answer(run_id: str, language: Language) -> Answer:
    """The answer that a user gets for a failed run."""
    text = message("durable.failed", language)
    return Answer(kind=AnswerKind.FAILED, text=text, language=language, trace_id=run_id)


def _ending(row: Row[*tuple[Any, ...]], status: str) -> Ending:
    if status == _CANCELLED:
        return Ending(row.run_id, RunStatus.CANCELLED)
    request = RunRequest.model_validate(restored(row.request))
    answer = failed_answer(row.run_id, request.question.language or request.caller.language)
    error = RunError.GAVE_UP if status == _DEAD else RunError.BROKE
    return Ending(row.run_id, RunStatus.FAILED, answer, error)
