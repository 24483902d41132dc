"""The quality of the last weeks: outcomes and interceptions by day, and the catches of each rule,
counted in the database."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Connection, text

from veridical.console.rule_costs import RuleCost, rule_costs

WIDTH, HEIGHT = 600, 110


@dataclass(frozen=True, slots=True)
class BarPart:
    """One part of a bar."""

    number: int
    """The part, which gives the colour."""
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Stack:
    """The bar of one day."""

    x: float
    width: float
    counts: tuple[float, ...]
    parts: tuple[BarPart, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of the axis."""

    y: float
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars by day, with their axis."""

    stacks: tuple[Stack, ...]
    ticks: tuple[Tick, ...]

    @property
    def is_empty(self) -> bool:
        """True if no day has anything."""
        return not any(each.parts for each in self.stacks)


def chart_of(counts: Sequence[Sequence[float]]) -> Chart:
    """A bar for each day, and the values at the bottom, in the middle and at the top."""
    top = _top(counts)
    ticks = tuple(Tick(HEIGHT * (1 - share), top * share) for share in (0, 0.5, 1))
    return Chart(stacks_of(counts), ticks)


def _top(counts: Sequence[Sequence[float]]) -> float:
    """The round number above the largest bar."""
    most = max((sum(each) for each in counts), default=0)
    if most <= 0:
        return 2.0
    size = 10.0 ** math.floor(math.log10(most))
    round_ones = (each * size for each in (1, 2, 4, 6, 8, 10))
    top = next(each for each in round_ones if each >= most * (1 - 1e-9))
    return (
        max(top, 2.0) if most >= 1 and all(isinstance(n, int) for c in counts for n in c) else top
    )


def stacks_of(counts: Sequence[Sequence[float]]) -> tuple[Stack, ...]:
    """A bar for each day, its parts from the bottom up."""
    most = _top(counts)
    step = WIDTH / max(len(counts), 1)
    return tuple(
        Stack(
            x=round(place * step + 1, 1),
            width=round(step - 2, 1),
            counts=tuple(each),
            parts=tuple(_parts(each, HEIGHT / most)),
        )
        for place, each in enumerate(counts)
    )


def _parts(counts: Sequence[float], scale: float) -> list[BarPart]:
    found: list[BarPart] = []
    below = 0.0
    for number, count in enumerate(counts, 1):
        if count:
            top = HEIGHT - (below + count) * scale
            found.append(BarPart(number, round(top, 1), round(count * scale, 1)))
        below += count
    return found


DAYS = 30
MOST_WRONG = 10
"""The wrong answers that are listed."""
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
_SPENT = text("""
    SELECT date(r.started_at AT TIME ZONE 'UTC') AS day,
           sum((e.event ->> 'inputTokens')::bigint + (e.event ->> 'outputTokens')::bigint)::bigint
               AS tokens,
           sum((e.event ->> 'cost')::float) AS cost
    FROM veridical.runs r JOIN veridical.events e USING (trace_id)
    WHERE r.tenant = :tenant AND r.started_at >= :since AND e.kind = 'modelCalled'
      AND jsonb_typeof(e.event -> 'inputTokens') = 'number'
      AND jsonb_typeof(e.event -> 'outputTokens') = 'number'
    GROUP BY 1
""")
_WRONG = text("""
    SELECT f.trace_id, f.why, f.person, f.at, s.event -> 'question' ->> 'text' AS question
    FROM veridical.feedback f
    LEFT JOIN veridical.events s ON s.trace_id = f.trace_id AND s.sequence = 0
    WHERE f.tenant = :tenant AND f.at >= :since AND NOT f.is_right
    ORDER BY f.decided_at IS NOT NULL, f.at DESC LIMIT :most
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
    tokens: int = 0
    cost: float = 0.0
    """In US dollars, as far as prices are known."""

    @property
    def total(self) -> int:
        """All runs."""
        return sum(self.outcomes.values())

    @property
    def lost(self) -> int:
        """Runs without an answer."""
        return self.outcomes.get("unknown", 0) + self.outcomes.get("failed", 0)


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An answer that somebody calls wrong."""

    trace_id: str
    question: str
    why: str
    person: str
    at: datetime


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
    wrong: tuple[WrongAnswer, ...]
    """Those that nobody has decided on first."""

    @property
    def total(self) -> int:
        """All runs."""
        return sum(day.total for day in self.days)

    @property
    def caught(self) -> int:
        """Refused calls and answers that were held back."""
        return sum(day.refused + day.blocked for day in self.days)

    @property
    def tokens(self) -> Chart:
        """Tokens by day."""
        return chart_of([(day.tokens,) for day in self.days])

    @property
    def cost(self) -> Chart:
        """Dollars by day."""
        return chart_of([(day.cost,) for day in self.days])

    @property
    def runs(self) -> Chart:
        """Runs by day, those without an answer at the bottom."""
        return chart_of([(day.lost, day.total - day.lost) for day in self.days])

    @property
    def intercepted(self) -> Chart:
        """Refused calls, held-back answers and reports by day."""
        return chart_of([(day.refused, day.blocked, day.reported) for day in self.days])


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
    spent = {row.day: (row.tokens, row.cost or 0.0) for row in connection.execute(_SPENT, wanted)}
    wrong = connection.execute(_WRONG, {**wanted, "most": MOST_WRONG})
    checked, gated = rule_costs(connection, tenant, since)
    return Quality(
        days=tuple(
            Day(
                day=day,
                outcomes=by_day.get(day, {}),
                refused=caught.get((day, "toolCalled"), 0),
                blocked=caught.get((day, "gated"), 0),
                reported=reported.get(day, 0),
                tokens=spent.get(day, (0, 0.0))[0],
                cost=spent.get(day, (0, 0.0))[1],
            )
            for day in (first + timedelta(days=place) for place in range(DAYS))
        ),
        outcomes=dict(sorted(totals.items(), key=lambda each: -each[1])),
        checked=checked,
        gated=gated,
        wrong=tuple(
            WrongAnswer(row.trace_id, row.question or row.trace_id, row.why, row.person, row.at)
            for row in wrong
        ),
    )
