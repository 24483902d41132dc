"""Run rows in PostgreSQL: written by the server and workers, read by their tenant."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from sqlalchemy import (
    Connection,
    Float,
    Row,
    Select,
    and_,
    case,
    cast,
    func,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.answer import Answer
from veridical.contracts.step import Json
from veridical.runs.errors import IdempotencyConflictError
from veridical.runs.request import RunSegment, run_of
from veridical.runs.state import FINAL, RunState, RunStatus
from veridical.store.audit import AuditAction, note, noting
from veridical.store.tables import DECISIONS, INBOX
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.trace.batch import Statement
from veridical.trace.event_json import restored, storable, to_stored_text

_COLLECTS = func.jsonb_typeof(RUNS.c.request["collect"]) == "object"
_UNFINISHED = RUNS.c.status.not_in(sorted(FINAL))
_AT_WORK: LiteralString = """
    UPDATE veridical.run_requests SET status = 'running'
    WHERE run_id = ANY(%(runs)s) AND workflow_id = ANY(%(workflows)s)
        AND status IN ('queued', 'waiting')
"""
_END: LiteralString = """
    UPDATE veridical.run_requests AS run
    SET status = new.status, answer = new.answer, error = new.error, finished_at = now()
    FROM jsonb_to_recordset(CAST(%(rows)s AS jsonb)) AS new
        (run_id text, status text, answer jsonb, error text)
    WHERE run.run_id = ANY(%(runs)s) AND run.run_id = new.run_id AND run.finished_at IS NULL
"""


def insert_run(
    connection: Connection,
    segment: RunSegment,
    idempotency_key: str | None,
    people: Sequence[str] = (),
) -> str:
    """The run's id: of a new row with an audit entry, or of the run started with this key before.

    Raises ``IdempotencyConflictError`` when the key was used for another request.
    """
    request = storable(segment.request.model_dump(mode="json", by_alias=True))
    new = insert(RUNS).values(
        run_id=segment.run_id,
        tenant=segment.tenant,
        asked_by=segment.asked_by,
        people=storable(list(people)),
        request=request,
        idempotency_key=idempotency_key,
        workflow_id=segment.workflow_id,
    )
    if idempotency_key is not None:
        new = new.on_conflict_do_nothing()
    noted = noting(
        new.returning(RUNS.c.run_id).cte("started"),
        segment.tenant,
        segment.asked_by,
        AuditAction.RUN_STARTED,
        segment.run_id,
        {"feature": segment.request.feature},
    )
    if connection.execute(noted).rowcount or idempotency_key is None:
        return segment.run_id
    known = connection.execute(
        select(RUNS.c.run_id, RUNS.c.request, RUNS.c.asked_by).where(
            RUNS.c.tenant == segment.tenant, RUNS.c.idempotency_key == idempotency_key
        )
    ).one()
    if known.request != request or known.asked_by != segment.asked_by:
        raise IdempotencyConflictError(idempotency_key)
    return known.run_id


def state_of(connection: Connection, run_id: str, tenant: str) -> RunState | None:
    """The run, if this tenant has it."""
    found = connection.execute(_states(tenant).where(RUNS.c.run_id == run_id)).first()
    return None if found is None else _state(found)


def recent_states(
    connection: Connection,
    tenant: str,
    limit: int,
    before: str | None = None,
    *,
    collecting: bool = False,
) -> tuple[RunState, ...]:
    """The tenant's latest runs, newest first, before a run for paging; on request only those that
    collect evidence."""
    place = tuple_(RUNS.c.created_at, RUNS.c.run_id)
    wanted = _states(tenant).order_by(RUNS.c.created_at.desc(), RUNS.c.run_id.desc()).limit(limit)
    if collecting:
        wanted = wanted.where(_COLLECTS)
    if before is not None:
        last = select(RUNS.c.created_at, RUNS.c.run_id).where(
            RUNS.c.run_id == before, RUNS.c.tenant == tenant
        )
        wanted = wanted.where(place < last.scalar_subquery())
    return tuple(map(_state, connection.execute(wanted)))


def is_collecting(connection: Connection, run_id: str, tenant: str) -> bool:
    """Whether the tenant has this run and it collects evidence."""
    found = select(RUNS.c.run_id).where(RUNS.c.run_id == run_id, RUNS.c.tenant == tenant, _COLLECTS)
    return connection.scalar(found) is not None


def status_of(connection: Connection, run_id: str, tenant: str) -> RunStatus | None:
    """The run's status, if this tenant has it."""
    status = connection.scalar(
        select(RUNS.c.status).where(RUNS.c.run_id == run_id, RUNS.c.tenant == tenant)
    )
    return None if status is None else RunStatus(status)


def cancel_row(connection: Connection, run_id: str, tenant: str, by: str) -> str | None:
    """Mark a run as cancelled, and by whom; the workflow to stop, or none where nothing runs."""
    workflow_id = connection.scalar(
        update(RUNS)
        .where(RUNS.c.run_id == run_id, RUNS.c.tenant == tenant, _UNFINISHED)
        .values(status=RunStatus.CANCELLED, finished_at=func.now())
        .returning(RUNS.c.workflow_id)
    )
    if workflow_id is not None:
        note(connection, tenant, by, AuditAction.RUN_CANCELLED, run_id)
    return workflow_id


def at_work(workflow_ids: Sequence[str]) -> list[Statement]:
    """The statements that mark these segments as running."""
    runs = [run_of(each) for each in workflow_ids]
    return [(_AT_WORK, {"workflows": list(workflow_ids), "runs": runs})] if runs else []


@dataclass(frozen=True, slots=True)
class Ending:
    """The outcome of a run."""

    run_id: str
    status: RunStatus
    answer: Answer | None = None
    error: str | None = None


def ended(endings: Iterable[Ending]) -> list[Statement]:
    """The statements that store outcomes; an outcome stored before is not overwritten."""
    in_order = sorted(endings, key=lambda each: each.run_id)
    if not in_order:
        return []
    rows = ",".join(map(_end_row, in_order))
    return [(_END, {"rows": f"[{rows}]", "runs": [each.run_id for each in in_order]})]


def _end_row(each: Ending) -> str:
    about = {"run_id": each.run_id, "status": each.status, "error": each.error}
    answer = "null" if each.answer is None else to_stored_text(each.answer)
    return f'{json.dumps(about)[:-1]},"answer":{answer}}}'


def move_on(connection: Connection, segment: RunSegment, status: RunStatus) -> bool:
    """Advance the run to its next segment; false when this segment is no longer the current one."""
    moved = connection.execute(
        update(RUNS)
        .where(
            RUNS.c.run_id == segment.run_id,
            RUNS.c.workflow_id == segment.workflow_id,
            _UNFINISHED,
        )
        .values(status=status, workflow_id=segment.next.workflow_id)
    )
    return moved.rowcount == 1


def current_workflow(connection: Connection, run_id: str) -> str | None:
    """The current segment of a run, locked; none when the run has ended."""
    return connection.scalar(
        select(RUNS.c.workflow_id)
        .where(RUNS.c.run_id == run_id, _UNFINISHED)
        .with_for_update(key_share=True)
    )


def cancelled_among(connection: Connection, workflow_ids: Sequence[str]) -> list[str]:
    """The workflows of cancelled runs among these."""
    runs = {run_of(each): each for each in workflow_ids}
    cancelled = connection.scalars(
        select(RUNS.c.run_id).where(RUNS.c.run_id.in_(runs), RUNS.c.status == RunStatus.CANCELLED)
    )
    return [runs[run_id] for run_id in cancelled]


def seconds_to_wait(connection: Connection, item: str) -> float:
    """Seconds until an inbox item expires, or its decision is final; 0 once it is."""
    final_at = cast(DECISIONS.c.decision["finalAt"].astext, Float)
    expires_at = func.extract("epoch", INBOX.c.expires_at)
    until = case((DECISIONS.c.item.is_(None), expires_at), else_=final_at)
    left = connection.scalar(
        select(until - func.extract("epoch", func.now()))
        .outerjoin(DECISIONS, DECISIONS.c.item == INBOX.c.id)
        .where(INBOX.c.id == item)
    )
    return max(float(left or 0), 0.0)


def database_time(connection: Connection) -> float:
    """Start of the transaction in seconds since 1970, by the database's clock."""
    return float(connection.execute(select(func.extract("epoch", func.now()))).scalar_one())


def _states(tenant: str) -> Select[*tuple[Any, ...]]:
    waiting_for = (
        select(INBOX.c.id)
        .outerjoin(DECISIONS, DECISIONS.c.item == INBOX.c.id)
        .where(and_(INBOX.c.run_id == RUNS.c.run_id, DECISIONS.c.item.is_(None)))
        .order_by(INBOX.c.asked_at.desc())
        .limit(1)
        .scalar_subquery()
    )
    return select(
        RUNS.c.run_id,
        RUNS.c.tenant,
        RUNS.c.asked_by,
        RUNS.c.request["feature"].astext.label("feature"),
        RUNS.c.status,
        RUNS.c.created_at,
        RUNS.c.finished_at,
        RUNS.c.answer,
        RUNS.c.error,
        waiting_for.label("waiting_for"),
    ).where(RUNS.c.tenant == tenant)


def _state(row: Row[Any]) -> RunState:
    answer: Json = row.answer
    status = RunStatus(row.status)
    return RunState(
        run_id=row.run_id,
        tenant=row.tenant,
        asked_by=row.asked_by,
        feature=row.feature,
        status=status,
        created_at=row.created_at,
        finished_at=row.finished_at,
        answer=None if answer is None else Answer.model_validate(restored(answer)),
        error=row.error,
        waiting_for=row.waiting_for if status is RunStatus.WAITING else None,
    )
