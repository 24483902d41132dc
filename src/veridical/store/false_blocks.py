"""Reports of answers that the gate blocked wrongly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select
from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.wire import Wire
from veridical.store.audit import AuditAction, noting
from veridical.store.tables import FALSE_BLOCK_REVIEWS, FALSE_BLOCKS
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_json, redact_text


class FalseBlockReport(Wire):
    """One report."""

    id: int
    at: datetime
    reported_by: str
    proof: str
    """The id of the proof: the same for the same answer and evidence."""
    codes: tuple[GateCode, ...]
    language: Language
    note: str = ""
    claims: tuple[dict[str, Any], ...] | None = None
    """The claims that were held back; none where the installation keeps no texts."""
    trace_id: str = ""
    """The run that the answer came from, where the report names one."""


def add_report(
    connection: Connection,
    tenant: str,
    reported_by: str,
    proof: str,
    codes: Sequence[GateCode],
    language: Language,
    note: str = "",
    claims: Sequence[Mapping[str, Any]] | None = None,
    trace_id: str = "",
) -> tuple[FalseBlockReport, bool]:
    """The report, and whether it is new: a repeated report counts once."""
    kept = None if claims is None else storable(redact_json([dict(each) for each in claims]))
    added = (
        insert(FALSE_BLOCKS)
        .values(
            tenant=tenant,
            reported_by=storable(reported_by),
            proof=proof,
            codes=[code.value for code in codes],
            language=language.value,
            note=storable(redact_text(note)),
            claims=kept,
            trace_id=storable(trace_id),
        )
        .on_conflict_do_nothing()
        .returning(FALSE_BLOCKS.c.id)
    )
    is_new = connection.scalar(added) is not None
    own = FALSE_BLOCKS.c.reported_by == storable(reported_by)
    found = select(FALSE_BLOCKS).where(FALSE_BLOCKS.c.proof == proof, own)
    return report_from(dict(connection.execute(found).mappings().one())), is_new


def reports(
    connection: Connection, limit: int = 50, before: int | None = None
) -> tuple[FalseBlockReport, ...]:
    """The newest reports that the transaction may see, those before this number."""
    newest = select(FALSE_BLOCKS).order_by(FALSE_BLOCKS.c.id.desc()).limit(limit)
    if before is not None:
        newest = newest.where(FALSE_BLOCKS.c.id < before)
    return tuple(report_from(dict(row)) for row in connection.execute(newest).mappings())


def report_of(connection: Connection, number: int) -> FalseBlockReport | None:
    """One report, if the transaction may see it."""
    found = select(FALSE_BLOCKS).where(FALSE_BLOCKS.c.id == number)
    row = connection.execute(found).mappings().one_or_none()
    return None if row is None else report_from(dict(row))


def report_from(row: dict[Any, Any]) -> FalseBlockReport:
    """The report of a row of the table."""
    kept = {name: restored(row[name]) for name in ("reported_by", "note", "claims", "trace_id")}
    given = {name: value for name, value in row.items() if name != "tenant"}
    return FalseBlockReport.model_validate({**given, **kept})


class Review(Wire):
    """The decision on one report."""

    report: int
    agreed: bool
    reason: str = ""
    decided_by: str
    decided_at: datetime
    gold: dict[str, Any] | None = None
    """The gold question that it became."""
    no_case: str = ""
    """Why it became none: the name of a message."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A reviewer's decision about a report."""

    agreed: bool
    reason: str = ""
    gold: Mapping[str, Any] | None = None
    no_case: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A report with its decision, if there is one."""

    report: FalseBlockReport
    review: Review | None


def add_review(
    connection: Connection, tenant: str, decided_by: str, report: int, ruling: Ruling
) -> bool:
    """Keep a decision with its entry in the audit log; false where one was made before."""
    gold = None if ruling.gold is None else storable(redact_json(dict(ruling.gold)))
    done = (
        insert(FALSE_BLOCK_REVIEWS)
        .values(
            report=report,
            tenant=tenant,
            agreed=ruling.agreed,
            reason=storable(redact_text(ruling.reason)),
            decided_by=storable(decided_by),
            gold=gold,
            no_case=ruling.no_case,
        )
        .on_conflict_do_nothing()
        .returning(FALSE_BLOCK_REVIEWS.c.report)
        .cte("done")
    )
    detail = {"agreed": ruling.agreed, "reason": ruling.reason, "noCase": ruling.no_case}
    action = AuditAction.FALSE_BLOCK_REVIEWED
    noted = noting(done, tenant, decided_by, action, str(report), detail)
    return connection.execute(noted).rowcount > 0


def reviewed(
    connection: Connection, *, undecided: bool, limit: int = 50, before: int | None = None
) -> tuple[Reviewed, ...]:
    """The newest reports that the transaction may see with their decisions; on request those
    without one."""
    both = FALSE_BLOCKS.outerjoin(FALSE_BLOCK_REVIEWS)
    newest = select(FALSE_BLOCKS, *_decision()).select_from(both)
    newest = newest.order_by(FALSE_BLOCKS.c.id.desc()).limit(limit)
    if undecided:
        newest = newest.where(FALSE_BLOCK_REVIEWS.c.report.is_(None))
    if before is not None:
        newest = newest.where(FALSE_BLOCKS.c.id < before)
    return tuple(map(_reviewed, connection.execute(newest).mappings()))


def undecided_count(connection: Connection) -> int:
    """How many reports wait for a decision."""
    both = FALSE_BLOCKS.outerjoin(FALSE_BLOCK_REVIEWS)
    waiting = select(func.count()).select_from(both).where(FALSE_BLOCK_REVIEWS.c.report.is_(None))
    return connection.scalar(waiting) or 0


def gold_of(connection: Connection, report: int) -> dict[str, Any] | None:
    """The gold question that a report became, if the transaction may see it."""
    wanted = select(FALSE_BLOCK_REVIEWS.c.gold).where(FALSE_BLOCK_REVIEWS.c.report == report)
    return restored(connection.scalar(wanted))


_PREFIX = "review_"


def _decision() -> list[Any]:
    return [column.label(f"{_PREFIX}{column.name}") for column in FALSE_BLOCK_REVIEWS.c]


def _reviewed(row: RowMapping) -> Reviewed:
    values = {str(name): value for name, value in row.items()}
    ours = {
        name.removeprefix(_PREFIX): values.pop(name)
        for name in list(values)
        if name.startswith(_PREFIX)
    }
    return Reviewed(report_from(values), _review(ours) if ours["report"] is not None else None)


def _review(row: dict[str, Any]) -> Review:
    kept = {name: restored(row[name]) for name in ("reason", "decided_by", "gold")}
    given = {name: value for name, value in row.items() if name != "tenant"}
    return Review.model_validate({**given, **kept})
