"""What people say about answers: right or wrong, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert

from veridical.store.audit import AuditAction, note
from veridical.store.tables import FEEDBACK
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_json, redact_text


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one person says about the answer of one run."""

    id: int
    trace_id: str
    person: str
    is_right: bool
    why: str
    at: datetime
    decided_by: str | None
    decided_at: datetime | None
    gold: dict[str, Any] | None
    """The gold question that it became."""
    no_case: str
    """Why it became none: the name of a message."""


_COLUMNS = tuple(FEEDBACK.c[name] for name in Feedback.__slots__)
_IS_OPEN = FEEDBACK.c.decided_at.is_(None)


def give_feedback(
    connection: Connection, tenant: str, person: str, trace_id: str, why: str, *, is_right: bool
) -> None:
    """Keeps what this person says about an answer, instead of what they said before; once it is
    decided on, it stays."""
    opinion = {"is_right": is_right, "why": storable(redact_text(why))}
    given = insert(FEEDBACK).values(
        tenant=tenant, trace_id=storable(trace_id), person=storable(person), **opinion
    )
    connection.execute(
        given.on_conflict_do_update(
            index_elements=["tenant", "trace_id", "person"],
            set_={**opinion, "at": func.now()},
            where=_IS_OPEN,
        )
    )


def own_feedback(
    connection: Connection, tenant: str, person: str, traces: Sequence[str]
) -> dict[str, bool]:
    """What this person said about these runs: whether each is right."""
    found = select(FEEDBACK.c.trace_id, FEEDBACK.c.is_right).where(
        FEEDBACK.c.tenant == tenant,
        FEEDBACK.c.person == storable(person),
        FEEDBACK.c.trace_id.in_(traces),
    )
    return {row.trace_id: row.is_right for row in connection.execute(found)}


def list_feedback(connection: Connection, *, undecided: bool, limit: int) -> tuple[Feedback, ...]:
    """What the transaction may see, wrong answers first, then the latest."""
    found = select(*_COLUMNS).order_by(FEEDBACK.c.is_right, FEEDBACK.c.id.desc()).limit(limit)
    if undecided:
        found = found.where(_IS_OPEN)
    return tuple(map(_feedback, connection.execute(found)))


def confirmed_answers(connection: Connection, tenant: str, limit: int) -> tuple[Feedback, ...]:
    """What this tenant's people call right and none of them wrong, the latest first."""
    other = FEEDBACK.alias()
    is_contested = exists().where(
        other.c.tenant == FEEDBACK.c.tenant,
        other.c.trace_id == FEEDBACK.c.trace_id,
        other.c.is_right.is_(False),
    )
    found = (
        select(*_COLUMNS)
        .where(FEEDBACK.c.tenant == tenant, FEEDBACK.c.is_right.is_(True), ~is_contested)
        .order_by(FEEDBACK.c.at.desc())
        .limit(limit)
    )
    return tuple(map(_feedback, connection.execute(found)))


def find_feedback(connection: Connection, number: int) -> Feedback | None:
    """One of them, if the transaction may see it."""
    row = connection.execute(select(*_COLUMNS).where(FEEDBACK.c.id == number)).one_or_none()
    return None if row is None else _feedback(row)


def wrong_answers(connection: Connection) -> int:
    """How many answers that somebody calls wrong wait for a decision."""
    is_wrong: ColumnElement[bool] = FEEDBACK.c.is_right.is_(False)
    found = select(func.count()).select_from(FEEDBACK).where(is_wrong, _IS_OPEN)
    return connection.scalar(found) or 0


def decide_feedback(
    connection: Connection,
    tenant: str,
    decided_by: str,
    number: int,
    gold: Mapping[str, Any] | None = None,
    no_case: str = "",
) -> bool:
    """Keeps the decision with its entry in the audit log; false where one was made before."""
    decided = (
        update(FEEDBACK)
        .where(FEEDBACK.c.id == number, FEEDBACK.c.tenant == tenant, _IS_OPEN)
        .values(
            decided_by=storable(decided_by),
            decided_at=func.now(),
            gold=None if gold is None else storable(redact_json(dict(gold))),
            no_case=no_case,
        )
    )
    if connection.execute(decided).rowcount == 0:
        return False
    detail = {"gold": gold is not None, "noCase": no_case}
    note(connection, tenant, decided_by, AuditAction.FEEDBACK_DECIDED, str(number), detail)
    return True


def _feedback(row: Row[Any]) -> Feedback:
    values = {name: getattr(row, name) for name in Feedback.__slots__}
    texts = {name: restored(values[name]) for name in ("trace_id", "person", "why", "gold")}
    return Feedback(**{**values, **texts})
