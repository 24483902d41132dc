"""Marks runs as failed or cancelled that the engine has ended, so that every run has an outcome."""

from enum import StrEnum
from typing import Any

from sqlalchemy import Row, select, text

from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.request import RunRequest
from veridical.runs.rows import Ending, ended
from veridical.runs.segment import run_of
from veridical.runs.state import FINAL, RunStatus
from veridical.store.connection import Store, become
from veridical.store.roles import DatabaseRole
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.trace.batch import execute_together, notices
from veridical.trace.event_json import restored


class RunError(StrEnum):
    """Why a run failed, for programs; its answer says it in words."""

    BROKE = "BROKE"
    """something unforeseen happened in it"""
    GAVE_UP = "GAVE_UP"
    """its workers died too often, or it went on waiting too often"""


_GIVEN_UP = text("""
    SELECT workflow_uuid, status FROM dbos.workflow_status
    WHERE status IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')
        AND completed_at >= CAST((extract(epoch FROM now()) - :seconds) * 1000 AS bigint)
""")
_CANCELLED = "CANCELLED"
_DEAD = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


def close_failed_runs(store: Store, seconds: float) -> list[str]:
    """Close the runs that the engine ended within this time; their ids."""
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        given_up = {row[0]: row[1] for row in connection.execute(_GIVEN_UP, {"seconds": seconds})}
        if not given_up:
            return []
        become(connection, DatabaseRole.WORKER)
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
