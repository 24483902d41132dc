"""Statements that ran in the last weeks, to see what a rule would have done to them."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Row, text

from veridical.console.constraint_effect import Statement
from veridical.contracts.call import CALL_MODELS, parse_call

MOST = 2_000
_RAN = text("""
    SELECT e.trace_id, s.event -> 'question' ->> 'text' AS question,
           coalesce(e.event -> 'ranAs' ->> 'tool', e.event ->> 'tool') AS tool,
           coalesce(e.event -> 'ranAs' -> 'arguments', e.event -> 'arguments') AS arguments
    FROM veridical.runs r
    JOIN veridical.events s ON s.trace_id = r.trace_id AND s.sequence = 0
    JOIN veridical.events e ON e.trace_id = r.trace_id AND e.kind = 'toolCalled'
    WHERE r.tenant = :tenant AND r.started_at >= :since
      AND s.event -> 'question' ->> 'feature' = :feature
      AND e.event ->> 'success' = 'true'
    ORDER BY r.started_at DESC, e.sequence LIMIT :most
""")


def past_statements(
    connection: Connection, tenant: str, feature: str, since: datetime
) -> tuple[Statement, ...]:
    """The statements that ran for a feature, each once, the newest first."""
    wanted = {"tenant": tenant, "feature": feature, "since": since, "most": MOST}
    found: dict[str, Statement] = {}
    for row in connection.execute(_RAN, wanted):
        key = json.dumps([row.tool, row.arguments], sort_keys=True)
        if key not in found:
            found.update((key, each) for each in _statement(row))
    return tuple(found.values())


def _statement(row: Row[Any]) -> Iterator[Statement]:
    if row.tool not in CALL_MODELS or not isinstance(row.arguments, dict):
        return
    try:
        call = parse_call({**row.arguments, "tool": row.tool})
    except ValidationError:
        return
    yield Statement(row.trace_id, row.question or "", "ran", call)
