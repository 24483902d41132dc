"""The runs of a tenant as a list: what was asked, how it ended, how long it took, what it cost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from veridical.contracts.answer import AnswerKind

MOODS = {
    AnswerKind.PATTERN.value: "good",
    AnswerKind.AGENT.value: "good",
    AnswerKind.FAILED.value: "bad",
    AnswerKind.CHAT.value: "note",
    AnswerKind.INGEST.value: "note",
}
"""The colours of outcomes; all others are open."""
MOST = 200
_PAGE = text("""
    SELECT r.trace_id, r.started_at, r.caller, r.outcome,
           s.event -> 'question' ->> 'text' AS question,
           s.event -> 'question' ->> 'feature' AS feature,
           coalesce(e.events, 0) AS events, coalesce(e.codes, '{}') AS codes,
           coalesce(e.tokens, 0) AS tokens, e.cost, e.seconds
    FROM veridical.runs r
    LEFT JOIN veridical.events s ON s.trace_id = r.trace_id AND s.sequence = 0
    LEFT JOIN LATERAL (
        SELECT count(*) AS events,
               array_agg(DISTINCT o.event ->> 'validationFailureCode')
                   FILTER (WHERE o.kind = 'toolCalled'
                           AND o.event ->> 'validationFailureCode' IS NOT NULL)
               || array_agg(DISTINCT o.event -> 'findings' -> 0 ->> 'code')
                   FILTER (WHERE o.kind = 'gated' AND o.event ->> 'verdict' = 'block') AS codes,
               sum(spent.tokens) AS tokens,
               CASE WHEN bool_or(spent.tokens > 0 AND spent.cost IS NULL) THEN NULL
                    ELSE sum(spent.cost) END AS cost,
               max(spent.ended) - min(spent.began) AS seconds
        FROM veridical.events o
        CROSS JOIN LATERAL (
            SELECT (o.event ->> 'at')::float AS began,
                   (o.event ->> 'at')::float
                   + coalesce((o.event ->> 'elapsedMs')::float, 0) / 1000 AS ended,
                   CASE WHEN o.kind = 'modelCalled' THEN
                       coalesce((o.event ->> 'inputTokens')::numeric, 0)
                       + coalesce((o.event ->> 'outputTokens')::numeric, 0) END AS tokens,
                   CASE WHEN o.kind = 'modelCalled' THEN
                       (o.event ->> 'cost')::float END AS cost
        ) spent
        WHERE o.trace_id = r.trace_id
    ) e ON true
    WHERE r.tenant = :tenant AND r.started_at IS NOT NULL
      AND (CAST(:before AS timestamptz) IS NULL
           OR (r.started_at, r.trace_id) < (CAST(:before AS timestamptz), :before_id))
      AND (CAST(:outcome AS text) IS NULL OR coalesce(r.outcome, 'open') = :outcome)
      AND (CAST(:since AS timestamptz) IS NULL OR r.started_at >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR r.started_at < :until)
      AND (CAST(:words AS text) IS NULL OR r.trace_id LIKE :begin
           OR s.event -> 'question' ->> 'text' ILIKE :words)
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
    words: str = ""
    """Part of the question, or the beginning of the run's id."""
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
    tokens: int = 0
    cost: float | None = None
    """In US dollars; none where a model's price is not known."""
    seconds: float | None = None

    @property
    def mood(self) -> str:
        """The colour of its outcome."""
        return MOODS.get(self.outcome or "", "open")


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
            "words": f"%{_literally(wanted.words)}%" if wanted.words else None,
            "begin": f"{_literally(wanted.words)}%",
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
            int(row.tokens),
            row.cost,
            row.seconds,
        )
        for row in rows
    ]


def _literally(words: str) -> str:
    """Words as part of a pattern, where no sign stands for others."""
    return re.sub(r"([\\%_])", r"\\\1", words)
