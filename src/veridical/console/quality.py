"""What happened over the last weeks: outcomes by day, and how often each rule held something
back, counted in the database."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Connection, text

DAYS = 30
_OUTCOMES = text("""
    SELECT date(started_at AT TIME ZONE 'UTC') AS day, coalesce(outcome, 'open') AS outcome,
           count(*) AS runs
    FROM veridical.runs WHERE tenant = :tenant AND started_at >= :since
    GROUP BY 1, 2
""")
_REFUSALS = text("""
    SELECT e.event ->> 'validationFailureCode' AS code, count(*) AS times
    FROM veridical.events e JOIN veridical.runs r USING (trace_id)
    WHERE r.tenant = :tenant AND r.started_at >= :since AND e.kind = 'toolCalled'
      AND e.event ->> 'validationFailureCode' IS NOT NULL
    GROUP BY 1 ORDER BY 2 DESC, 1
""")
_BLOCKS = text("""
    SELECT e.event -> 'findings' -> 0 ->> 'code' AS code, count(*) AS times
    FROM veridical.events e JOIN veridical.runs r USING (trace_id)
    WHERE r.tenant = :tenant AND r.started_at >= :since AND e.kind = 'gated'
      AND e.event ->> 'verdict' = 'block'
    GROUP BY 1 ORDER BY 2 DESC, 1
""")


@dataclass(frozen=True, slots=True)
class Day:
    """The runs of one day by outcome."""

    day: date
    outcomes: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Quality:
    """What happened in the last weeks."""

    days: tuple[Day, ...]
    """Without gaps, the oldest first."""
    outcomes: Mapping[str, int]
    refusals: tuple[tuple[str, int], ...]
    """How often each rule of the check refused a call."""
    blocks: tuple[tuple[str, int], ...]
    """How often each finding of the gate held an answer back."""

    @property
    def busiest(self) -> int:
        """The most runs of a day."""
        return max((day.total for day in self.days), default=0)


def quality_of(connection: Connection, tenant: str, today: date | None = None) -> Quality:
    """The last weeks of a tenant."""
    last = today or datetime.now(UTC).date()
    first = last - timedelta(days=DAYS - 1)
    since = datetime.combine(first, datetime.min.time(), UTC)
    wanted = {"tenant": tenant, "since": since}
    by_day: dict[date, dict[str, int]] = defaultdict(dict)
    totals: dict[str, int] = defaultdict(int)
    for row in connection.execute(_OUTCOMES, wanted):
        by_day[row.day][row.outcome] = row.runs
        totals[row.outcome] += row.runs
    days = (first + timedelta(days=place) for place in range(DAYS))
    return Quality(
        days=tuple(Day(day, by_day.get(day, {})) for day in days),
        outcomes=dict(sorted(totals.items(), key=lambda each: -each[1])),
        refusals=tuple((row.code, row.times) for row in connection.execute(_REFUSALS, wanted)),
        blocks=tuple((row.code, row.times) for row in connection.execute(_BLOCKS, wanted)),
    )
