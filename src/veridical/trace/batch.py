"""Events of many runs written in one transaction, and the word to whoever watches those runs.

What is written stays: an event that is there already is left as it is, so a run that is played
again may write all its events once more.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from veridical.contracts.step import Json
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.trace.moment import moment

CHANNEL = "veridical_runs"
"""What watchers listen to. A payload is the id of a run that has news, or progress as JSON."""
_LONGEST_PAYLOAD = 7_900
"""PostgreSQL takes less than 8,000 bytes."""

_RUNS = text("""
    INSERT INTO veridical.runs AS held (trace_id, tenant, caller, started_at, outcome)
    SELECT * FROM unnest(CAST(:trace_ids AS text[]), CAST(:tenants AS text[]),
        CAST(:callers AS text[]), CAST(:started AS timestamptz[]), CAST(:outcomes AS text[]))
    ON CONFLICT (trace_id) DO UPDATE SET
        tenant = CASE WHEN held.started_at IS NULL THEN excluded.tenant ELSE held.tenant END,
        caller = CASE WHEN held.started_at IS NULL THEN excluded.caller ELSE held.caller END,
        started_at = coalesce(held.started_at, excluded.started_at),
        outcome = coalesce(held.outcome, excluded.outcome)
    WHERE held.started_at IS NULL AND excluded.started_at IS NOT NULL
        OR held.outcome IS NULL AND excluded.outcome IS NOT NULL
""")
_EVENTS = text("""
    INSERT INTO veridical.events (trace_id, sequence, kind, event)
    SELECT trace_id, sequence, kind, CAST(event AS jsonb)
    FROM unnest(CAST(:trace_ids AS text[]), CAST(:sequences AS integer[]),
        CAST(:kinds AS text[]), CAST(:events AS text[]))
        AS new (trace_id, sequence, kind, event)
    ON CONFLICT DO NOTHING
""")
_NOTIFY = text("SELECT pg_notify(:channel, told) FROM unnest(CAST(:payloads AS text[])) AS told")


@dataclass(frozen=True, slots=True)
class Written:
    """One event on its way to a store."""

    trace_id: str
    sequence: int
    event: Event
    stored: Json
    """The event as the store holds it."""


def write_events(connection: Connection, batch: Iterable[Written]) -> None:
    """Insert what is new of these events, and what they tell about their runs."""
    # In one order for all writers, so that two with the same events can't block each other.
    events = sorted(batch, key=lambda each: (each.trace_id, each.sequence))
    if not events:
        return
    connection.execute(_RUNS, _columns(_runs(events), _RUN_COLUMNS))
    rows = [
        (each.trace_id, each.sequence, each.event.kind, json.dumps(each.stored, allow_nan=False))
        for each in events
    ]
    connection.execute(_EVENTS, _columns(rows, ("trace_ids", "sequences", "kinds", "events")))


def notify(connection: Connection, payloads: Sequence[str]) -> None:
    """Tell whoever listens, once the transaction is through. What is too long is left out."""
    fitting = [each for each in payloads if len(each.encode()) <= _LONGEST_PAYLOAD]
    if fitting:
        connection.execute(_NOTIFY, {"channel": CHANNEL, "payloads": fitting})


_RUN_COLUMNS = ("trace_ids", "tenants", "callers", "started", "outcomes")


def _runs(events: Iterable[Written]) -> list[tuple[Any, ...]]:
    """What the events tell of their runs: one row for each run."""
    held: dict[str, dict[str, Any]] = {}
    for each in events:
        known = held.setdefault(each.trace_id, {})
        match each.event:
            case RunStarted() as started:
                known |= {"tenant": started.tenant, "caller": started.caller}
                known["started_at"] = moment(started.at)
            case Answered() as answered:
                known["outcome"] = answered.answer.kind.value
            case _:
                pass
    return [
        (
            trace_id,
            known.get("tenant", ""),
            known.get("caller", ""),
            known.get("started_at"),
            known.get("outcome"),
        )
        for trace_id, known in held.items()
    ]


def _columns(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
