"""Reports of answers that the gate blocked wrongly."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.wire import Wire
from veridical.store.tables import FALSE_BLOCKS
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
