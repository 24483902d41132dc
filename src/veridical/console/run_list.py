"""The list of runs of a tenant: filtered and paged in the database, a line for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

MOST = 200
_PAGE = text("""
    SELECT r.trace_id, r.started_at, r.caller, r.outcome,
           s.event -> 'question' ->> 'text' AS question,
           s.event -> 'question' ->> 'feature' AS feature,
           coalesce(e.events, 0) AS events, coalesce(e.codes, '{}') AS codes
    FROM veridical.runs r
    LEFT JOIN veridical.events s ON s.trace_id = r.trace_id AND s.sequence = 0
    LEFT JOIN LATERAL (
        SELECT count(*) AS events,
               array_agg(DISTINCT o.event ->> 'validationFailureCode')
                   FILTER (WHERE o.kind = 'toolCalled'
                           AND o.event ->> 'validationFailureCode' IS NOT NULL)
               || array_agg(DISTINCT o.event -> 'findings' -> 0 ->> 'code')
                   FILTER (WHERE o.kind = 'gated' AND o.event ->> 'verdict' = 'block') AS codes
        FROM veridical.events o WHERE o.trace_id = r.trace_id
    ) e ON true
    WHERE r.tenant = :tenant AND r.started_at IS NOT NULL
      AND (CAST(:before AS timestamptz) IS NULL
           OR (r.started_at, r.trace_id) < (CAST(:before AS timestamptz), :before_id))
      AND (CAST(:outcome AS text) IS NULL OR coalesce(r.outcome, 'open') = :outcome)
      AND (CAST(:since AS timestamptz) IS NULL OR r.started_at >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR r.started_at < :until)
      AND (CAST(:code AS text) IS NULL OR EXISTS (
            SELECT 1 FROM veridical.events c WHERE c.trace_id = r.trace_id
            AND (c.event ->> 'validationFailureCode' = :code
                 OR c.event -> 'findings' -> 0 ->> 'code' = :code)))
    ORDER BY r.started_at DESC, r.trace_id DESC
    LIMIT :limit
""")


@dataclass(frozen=True, slots=True)
class RunFilter:
    """The filter of the list."""

    outcome: str | None = None
    code: str | None = None
    """The code of a refusal, or of a finding of the gate."""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run in the list."""

    trace_id: str
    started_at: datetime
    caller: str
    outcome: str | None
    question: str | None
    feature: str | None
    events: int
    codes: tuple[str, ...]


def run_lines(
    connection: Connection,
    tenant: str,
    wanted: RunFilter,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> Sequence[RunLine]:
    """The newest of these runs, before one of them for the next page."""
    rows = connection.execute(
        _PAGE,
        {
            "tenant": tenant,
            "limit": min(limit, MOST),
            "before": before[0] if before else None,
            "before_id": before[1] if before else "",
            "outcome": wanted.outcome,
            "code": wanted.code,
            "since": wanted.since,
            "until": wanted.until,
        },
    )
    return [
        RunLine(
            row.trace_id,
            row.started_at,
            row.caller,
            row.outcome,
            row.question,
            row.feature,
            row.events,
            tuple(dict.fromkeys(code for code in row.codes if code)),
        )
        for row in rows
    ]
