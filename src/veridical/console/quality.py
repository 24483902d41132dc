"""The quality of the last weeks: outcomes and interceptions by day, and the catches of each rule,
counted in the database."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Connection, text

from veridical.console.day_bars import Stack, stacks_of
from veridical.console.rule_costs import RuleCost, rule_costs

DAYS = 30
_OUTCOMES = text("""
    SELECT date(started_at AT TIME ZONE 'UTC') AS day, coalesce(outcome, 'open') AS outcome,
           count(*) AS runs
    FROM veridical.runs WHERE tenant = :tenant AND started_at >= :since
    GROUP BY 1, 2
""")
_INTERCEPTED = text("""
    SELECT date(r.started_at AT TIME ZONE 'UTC') AS day, e.kind AS kind, count(*) AS times
    FROM veridical.runs r JOIN veridical.events e USING (trace_id)
    WHERE r.tenant = :tenant AND r.started_at >= :since
      AND ((e.kind = 'toolCalled' AND e.event ->> 'validationFailureCode' IS NOT NULL)
           OR (e.kind = 'gated' AND e.event ->> 'verdict' = 'block'))
    GROUP BY 1, 2
""")
_REPORTED = text("""
    SELECT date(at AT TIME ZONE 'UTC') AS day, count(*) AS times
    FROM veridical.false_blocks WHERE tenant = :tenant AND at >= :since GROUP BY 1
""")


@dataclass(frozen=True, slots=True)
class Day:
    """One day: its runs by outcome, and what was intercepted and reported."""

    day: date
    outcomes: Mapping[str, int]
    refused: int
    """Calls that the check refused."""
    blocked: int
    """Answers that the gate held back."""
    reported: int
    """Reports that an answer was held back wrongly."""

    @property
    def total(self) -> int:
        """All runs."""
        return sum(self.outcomes.values())

    @property
    def lost(self) -> int:
        """Runs without an answer."""
        return self.outcomes.get("unknown", 0) + self.outcomes.get("failed", 0)


@dataclass(frozen=True, slots=True)
class Quality:
    """The figures of the last weeks."""

    days: tuple[Day, ...]
    """Without gaps, the oldest first."""
    outcomes: Mapping[str, int]
    checked: tuple[RuleCost, ...]
    """Catches and cost of each rule of the check."""
    gated: tuple[RuleCost, ...]
    """Catches and cost of each rule of the gate."""

    @property
    def runs(self) -> tuple[Stack, ...]:
        """Runs by day, those without an answer at the bottom."""
        return stacks_of([(day.lost, day.total - day.lost) for day in self.days])

    @property
    def intercepted(self) -> tuple[Stack, ...]:
        """Refused calls, held-back answers and reports by day."""
        return stacks_of([(day.refused, day.blocked, day.reported) for day in self.days])


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
    caught = {(row.day, row.kind): row.times for row in connection.execute(_INTERCEPTED, wanted)}
    reported = {row.day: row.times for row in connection.execute(_REPORTED, wanted)}
    checked, gated = rule_costs(connection, tenant, since)
    return Quality(
        days=tuple(
            Day(
                day=day,
                outcomes=by_day.get(day, {}),
                refused=caught.get((day, "toolCalled"), 0),
                blocked=caught.get((day, "gated"), 0),
                reported=reported.get(day, 0),
            )
            for day in (first + timedelta(days=place) for place in range(DAYS))
        ),
        outcomes=dict(sorted(totals.items(), key=lambda each: -each[1])),
        checked=checked,
        gated=gated,
    )
