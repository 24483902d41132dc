"""The events of one run, a page at a time: a run of thousands opens as fast as a short one."""

import logging
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection, text

from veridical.contracts.trace import Event
from veridical.trace.event_json import from_stored

PAGE = 100
_COUNT = text("""
    SELECT count(*) FROM veridical.events e JOIN veridical.runs r USING (trace_id)
    WHERE e.trace_id = :trace_id AND r.tenant = :tenant
""")
_EVENTS = text("""
    SELECT e.sequence, e.event FROM veridical.events e JOIN veridical.runs r USING (trace_id)
    WHERE e.trace_id = :trace_id AND r.tenant = :tenant AND e.sequence > :after
    ORDER BY e.sequence LIMIT :limit
""")
_log = logging.getLogger("veridical.console")


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events of a run, in order."""

    events: tuple[tuple[int, Event], ...]
    total: int
    next_after: int | None
    """For the next page; none on the last one."""


def event_page(
    connection: Connection, trace_id: str, tenant: str, after: int = -1, limit: int = PAGE
) -> EventPage | None:
    """The events after a number; none where this tenant has no such run."""
    wanted = {"trace_id": trace_id, "tenant": tenant}
    total = connection.scalar(_COUNT, wanted) or 0
    if total == 0:
        return None
    rows = connection.execute(_EVENTS, {**wanted, "after": after, "limit": limit + 1}).all()
    shown = rows[:limit]
    found: list[tuple[int, Event]] = []
    for row in shown:
        try:
            found.append((row.sequence, from_stored(row.event)))
        except ValidationError:
            _log.warning("event %s:%d can't be read", trace_id, row.sequence)
    more = shown[-1].sequence if len(rows) > limit else None
    return EventPage(tuple(found), total, more)
