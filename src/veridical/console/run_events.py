"""The events of one run, a page at a time: a run of thousands opens as fast as a short one."""

import logging
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, text

from veridical.contracts.trace import Answered, Event, Gated, RunStarted
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
_ENDS = text("""
    SELECT e.event FROM veridical.events e JOIN veridical.runs r USING (trace_id)
    WHERE e.trace_id = :trace_id AND r.tenant = :tenant
      AND (e.sequence = 0 OR e.kind IN ('answered', 'gated'))
    ORDER BY e.sequence
""")
_log = logging.getLogger("veridical.console")


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events of a run, in order."""

    events: tuple[tuple[int, Event], ...]
    total: int
    next_after: int | None
    """The number that the next page begins after; none on the last one."""
    started: RunStarted | None = None
    answered: Answered | None = None
    """The first and the last event of the run, on every page."""
    gated: tuple[Gated, ...] = ()
    """The gate's verdicts on each attempt, on every page."""

    @property
    def last(self) -> int:
        """The number of the last event of this page; -1 where there is none."""
        return self.events[-1][0] if self.events else -1


NOTHING_YET = EventPage((), 0, None)
"""The page of a run that no worker has begun."""


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
        event = _read(row.event)
        if event is None:
            _log.warning("event %s:%d can't be read", trace_id, row.sequence)
        else:
            found.append((row.sequence, event))
    more = shown[-1].sequence if len(rows) > limit else None
    ends = [_read(row.event) for row in connection.execute(_ENDS, wanted)]
    return EventPage(
        tuple(found),
        total,
        more,
        next((each for each in ends if isinstance(each, RunStarted)), None),
        next((each for each in ends if isinstance(each, Answered)), None),
        tuple(each for each in ends if isinstance(each, Gated)),
    )


def _read(event: Any) -> Event | None:
    try:
        return from_stored(event)
    except ValidationError:
        return None
