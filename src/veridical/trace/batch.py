"""Writes events of many runs in one batch, and notifies their watchers.

Events are written once: an event that exists is left as it is, so a run that is replayed may write
all its events again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, cast

import psycopg
from sqlalchemy import Connection

from veridical.contracts.step import Json
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.trace.timestamps import moment

CHANNEL = "veridical_runs"
"""Watchers listen to it. A payload is the id of a run with news, or progress as JSON."""
_LONGEST_PAYLOAD = 7_900
"""PostgreSQL takes less than 8,000 bytes."""

# All rows as one JSON text: a client writes that much faster than arrays of values.
_RUNS: LiteralString = """
    INSERT INTO veridical.runs AS held (trace_id, tenant, caller, started_at, outcome)
    SELECT trace_id, coalesce(tenant, ''), coalesce(caller, ''), started_at, outcome
    FROM jsonb_to_recordset(CAST(%(rows)s AS jsonb)) AS new
        (trace_id text, tenant text, caller text, started_at timestamptz, outcome text)
    ON CONFLICT (trace_id) DO UPDATE SET
        tenant = CASE WHEN held.started_at IS NULL THEN excluded.tenant ELSE held.tenant END,
        caller = CASE WHEN held.started_at IS NULL THEN excluded.caller ELSE held.caller END,
        started_at = coalesce(held.started_at, excluded.started_at),
        outcome = coalesce(held.outcome, excluded.outcome)
    WHERE held.started_at IS NULL AND excluded.started_at IS NOT NULL
        OR held.outcome IS NULL AND excluded.outcome IS NOT NULL
"""
_EVENTS: LiteralString = """
    INSERT INTO veridical.events (trace_id, sequence, kind, event)
    SELECT trace_id, sequence, kind, event FROM jsonb_to_recordset(CAST(%(rows)s AS jsonb)) AS new
        (trace_id text, sequence integer, kind text, event jsonb)
    ON CONFLICT DO NOTHING
"""
_NOTIFY: LiteralString = (
    "SELECT pg_notify(%(channel)s, payload) FROM unnest(CAST(%(payloads)s AS text[])) AS payload"
)

Statement = tuple[LiteralString | bytes, Mapping[str, Any]]
"""A statement with its parameters, as psycopg takes it."""


@dataclass(frozen=True, slots=True)
class Written:
    """One event to be stored."""

    trace_id: str
    sequence: int
    event: Event
    stored: str
    """The event as the store holds it: JSON text, so that it is not serialised again."""


def execute_together(connection: Connection, statements: Iterable[Statement]) -> None:
    """Execute all of them in their order, in one round trip. Raises ``psycopg.Error``."""
    driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
    with driver.pipeline():
        for sql, values in statements:
            driver.execute(sql, values)


def written(batch: Iterable[Written]) -> list[Statement]:
    """The statements that store new events and update their runs."""
    # In one order for all writers, so that two with the same events can't block each other.
    events = sorted(batch, key=lambda each: (each.trace_id, each.sequence))
    if not events:
        return []
    rows = ",".join(map(_row, events))
    return [(_RUNS, as_rows(_runs(events))), (_EVENTS, {"rows": f"[{rows}]"})]


def _row(each: Written) -> str:
    about = f'"sequence":{each.sequence},"kind":"{each.event.kind}"'
    return f'{{"trace_id":{json.dumps(each.trace_id)},{about},"event":{each.stored}}}'


def notices(payloads: Iterable[str]) -> list[Statement]:
    """The statements that notify listeners on commit. Payloads that are too long are left out."""
    fitting = [each for each in payloads if len(each.encode()) <= _LONGEST_PAYLOAD]
    return [(_NOTIFY, {"channel": CHANNEL, "payloads": fitting})] if fitting else []


def as_rows(rows: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """Rows as one JSON parameter, for ``jsonb_to_recordset``."""
    return {"rows": json.dumps(rows, allow_nan=False)}


def _runs(events: Iterable[Written]) -> list[dict[str, str]]:
    """The values of the runs in the events: one row for each run."""
    rows: dict[str, dict[str, str]] = {}
    for each in events:
        row = rows.setdefault(each.trace_id, {"trace_id": each.trace_id})
        match each.event:
            case RunStarted() as started:
                row |= {"tenant": started.tenant, "caller": started.caller}
                row["started_at"] = moment(started.at).isoformat()
            case Answered() as answered:
                row["outcome"] = answered.answer.kind.value
            case _:
                pass
    return list(rows.values())
