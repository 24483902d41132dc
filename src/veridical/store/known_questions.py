"""Known questions of a tenant: what a person certified or dismissed, and how it stands."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from veridical.store.audit import AuditAction, note
from veridical.store.tables import KNOWN_QUESTIONS
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_json


class QuestionState(StrEnum):
    """What was decided about a question."""

    CERTIFIED = "certified"
    DISMISSED = "dismissed"
    DOUBTED = "doubted"
    """certified once; then it no longer returned the same, and a person is to look at it"""


@dataclass(frozen=True, slots=True)
class DecidedQuestion:
    """A known question with the decision about it."""

    feature: str
    key: str
    """Of the cluster that it was proposed from."""
    name: str
    state: QuestionState
    pattern: dict[str, Any]
    evidence: dict[str, Any]
    """How many people asked it, when, with examples."""
    checks: list[dict[str, Any]]
    """What its examples returned when it was certified."""
    caller: dict[str, Any] | None
    """Who certified it, with what they may see."""
    ontology_hash: str
    schema_hash: str
    decided_by: str
    decided_at: datetime
    verified_at: datetime | None
    reason: str = ""
    """Why it is doubted: the name of a message."""

    def is_of(self, ontology_hash: str, schema_hash: str) -> bool:
        """True if it was certified, or verified since, under these."""
        return (self.ontology_hash, self.schema_hash) == (ontology_hash, schema_hash)


_TABLE = KNOWN_QUESTIONS.c
_COLUMNS = tuple(_TABLE[name] for name in DecidedQuestion.__slots__)
_JSON = ("pattern", "evidence", "checks", "caller")
_TEXTS = ("name", "decided_by", *_JSON)
_ACTIONS = {
    QuestionState.CERTIFIED: AuditAction.QUESTION_CERTIFIED,
    QuestionState.DISMISSED: AuditAction.QUESTION_DISMISSED,
}


def decide_question(connection: Connection, tenant: str, made: DecidedQuestion) -> None:
    """Keeps a decision, instead of an earlier one about the same question, with its entry in the
    audit log."""
    values: dict[str, Any] = {name: getattr(made, name) for name in DecidedQuestion.__slots__}
    for name in _JSON:
        values[name] = storable(redact_json(values[name]))
    values |= {each: storable(values[each]) for each in ("name", "decided_by")}
    given = insert(KNOWN_QUESTIONS).values(tenant=tenant, **values)
    changed = {name: value for name, value in values.items() if name not in ("feature", "key")}
    connection.execute(
        given.on_conflict_do_update(index_elements=["tenant", "feature", "key"], set_=changed)
    )
    detail = {"feature": made.feature, "name": made.name}
    note(connection, tenant, made.decided_by, _ACTIONS[made.state], made.key, detail)


def rename_question(
    connection: Connection, tenant: str, by: str, found: DecidedQuestion, name: str
) -> None:
    """Keeps another name."""
    connection.execute(_of(tenant, found).values(name=storable(name)))
    detail = {"feature": found.feature, "name": name}
    note(connection, tenant, by, AuditAction.QUESTION_RENAMED, found.key, detail)


def reopen_question(connection: Connection, tenant: str, by: str, found: DecidedQuestion) -> None:
    """Takes a decision back: what people confirmed is proposed again."""
    connection.execute(
        delete(KNOWN_QUESTIONS).where(
            _TABLE.tenant == tenant, _TABLE.feature == found.feature, _TABLE.key == found.key
        )
    )
    note(connection, tenant, by, AuditAction.QUESTION_REOPENED, found.key, {"name": found.name})


def keep_verification(
    connection: Connection,
    tenant: str,
    found: DecidedQuestion,
    hashes: tuple[str, str],
    reason: str,
) -> bool:
    """Keeps the outcome of running it again under these hashes of ontology and schema: current, or
    doubted for a reason. False where somebody has decided about it meanwhile."""
    ontology_hash, schema_hash = hashes
    values = (
        {"state": QuestionState.DOUBTED, "reason": reason}
        if reason
        else {"ontology_hash": ontology_hash, "schema_hash": schema_hash, "reason": ""}
    )
    unchanged = _of(tenant, found).where(
        _TABLE.decided_at == found.decided_at, _TABLE.state == QuestionState.CERTIFIED
    )
    kept = connection.execute(unchanged.values(verified_at=func.now(), **values))
    return kept.rowcount == 1


def decided_questions(
    connection: Connection, tenant: str, state: QuestionState | None = None
) -> tuple[DecidedQuestion, ...]:
    """The decisions of this tenant, the latest first."""
    found = select(*_COLUMNS).where(_TABLE.tenant == tenant).order_by(_TABLE.decided_at.desc())
    if state is not None:
        found = found.where(_TABLE.state == state)
    return tuple(map(_decided, connection.execute(found)))


def certified_questions(connection: Connection) -> tuple[tuple[str, DecidedQuestion], ...]:
    """What each tenant has certified, for a role that sees all tenants."""
    found = select(_TABLE.tenant, *_COLUMNS).where(_TABLE.state == QuestionState.CERTIFIED)
    return tuple((row.tenant, _decided(row)) for row in connection.execute(found))


def _of(tenant: str, found: DecidedQuestion) -> Any:
    return update(KNOWN_QUESTIONS).where(
        _TABLE.tenant == tenant, _TABLE.feature == found.feature, _TABLE.key == found.key
    )


def _decided(row: Row[Any]) -> DecidedQuestion:
    values: dict[str, Any] = {name: getattr(row, name) for name in DecidedQuestion.__slots__}
    values |= {name: restored(values[name]) for name in _TEXTS}
    values["state"] = QuestionState(row.state)
    return DecidedQuestion(**values)
