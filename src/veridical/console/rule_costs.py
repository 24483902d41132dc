"""The catches and the cost of each rule, and the constraints whose refusals the data settled,
counted in the stored runs of the last weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from veridical.contracts.answer import AnswerKind
from veridical.ontology.model import Constraint

MOST_RUNS = 5_000
"""The newest runs that are looked at."""
_ANSWERED = [AnswerKind.PATTERN.value, AnswerKind.AGENT.value]
_RECENT = """
    recent AS MATERIALIZED (
        SELECT trace_id, outcome FROM veridical.runs
        WHERE tenant = :tenant AND started_at >= :since
        ORDER BY started_at DESC LIMIT :most
    )
"""
_SPENT = """
    SELECT coalesce(sum((m.event ->> 'inputTokens')::numeric
                        + (m.event ->> 'outputTokens')::numeric), 0) AS tokens
    FROM veridical.events m
    WHERE m.trace_id = c.trace_id AND m.kind = 'modelCalled' AND m.sequence > c.sequence
      AND jsonb_typeof(m.event -> 'inputTokens') = 'number'
      AND jsonb_typeof(m.event -> 'outputTokens') = 'number'
"""
_COUNTED = f"""
    SELECT c.code, count(*) AS times, count(DISTINCT c.trace_id) AS runs,
           count(DISTINCT c.trace_id) FILTER (WHERE recent.outcome = ANY (:answered)) AS answered,
           sum(spent.tokens)::float AS tokens
    FROM caught c JOIN recent USING (trace_id)
    CROSS JOIN LATERAL ({_SPENT} AND m.sequence < c.until) spent
    GROUP BY 1 ORDER BY 2 DESC, 1
"""  # noqa: S608 # our own text
_REFUSED = text(
    f"""
    WITH {_RECENT}, caught AS (
        SELECT e.trace_id, e.sequence, e.event ->> 'validationFailureCode' AS code,
               coalesce((SELECT min(n.sequence) FROM veridical.events n
                         WHERE n.trace_id = e.trace_id AND n.kind = 'toolCalled'
                           AND n.sequence > e.sequence), 2147483647) AS until
        FROM veridical.events e JOIN recent USING (trace_id)
        WHERE e.kind = 'toolCalled' AND e.event ->> 'validationFailureCode' IS NOT NULL
    ) {_COUNTED}
    """  # noqa: S608 # our own text
)
_BLOCKED = text(
    f"""
    WITH {_RECENT}, caught AS (
        SELECT DISTINCT e.trace_id, e.sequence, found ->> 'code' AS code,
               coalesce((SELECT min(n.sequence) FROM veridical.events n
                         WHERE n.trace_id = e.trace_id AND n.kind = 'gated'
                           AND n.sequence > e.sequence), 2147483647) AS until
        FROM veridical.events e JOIN recent USING (trace_id)
        CROSS JOIN LATERAL jsonb_array_elements(e.event -> 'findings') found
        WHERE e.kind = 'gated' AND e.event ->> 'verdict' = 'block'
          AND found ->> 'mode' = 'block'
    ) {_COUNTED}
    """  # noqa: S608 # our own text
)
_REPORTED = text("""
    SELECT code, count(*) AS reported, count(*) FILTER (WHERE r.agreed) AS agreed
    FROM veridical.false_blocks f CROSS JOIN LATERAL unnest(f.codes) code
    LEFT JOIN veridical.false_block_reviews r ON r.report = f.id
    WHERE f.tenant = :tenant AND f.at >= :since
    GROUP BY 1
""")
OFTEN = 2
"""One case may be chance."""
_SETTLED = text("""
    WITH recent AS MATERIALIZED (
        SELECT trace_id FROM veridical.runs
        WHERE tenant = :tenant AND started_at >= :since
        ORDER BY started_at DESC LIMIT :most
    )
    SELECT rule, count(*) AS times
    FROM recent
    JOIN veridical.events s ON s.trace_id = recent.trace_id AND s.sequence = 0
    JOIN veridical.events e ON e.trace_id = recent.trace_id AND e.kind = 'toolCalled'
    CROSS JOIN LATERAL jsonb_array_elements_text(e.event -> 'settled' -> 'rules') rule
    WHERE s.event -> 'question' ->> 'feature' = :feature
      AND jsonb_typeof(e.event -> 'settled' -> 'rules') = 'array'
      AND NOT coalesce((e.event -> 'settled' ->> 'doubted')::boolean, false)
    GROUP BY 1 HAVING count(*) >= :often ORDER BY 2 DESC, 1
""")


@dataclass(frozen=True, slots=True)
class RuleCost:
    """One rule over the last weeks."""

    code: str
    times: int
    """The number of refused calls and blocked answers."""
    runs: int
    answered: int
    """Runs that were answered nevertheless, after a repair."""
    tokens: int
    """Tokens that the model used for the next attempt."""
    reported: int
    """The number of reports that it is wrong."""
    agreed: int
    """The number of reports that were right."""


def rule_costs(
    connection: Connection, tenant: str, since: datetime
) -> tuple[tuple[RuleCost, ...], tuple[RuleCost, ...]]:
    """The rules of the check and those of the gate, the busiest first."""
    wanted = {"tenant": tenant, "since": since, "most": MOST_RUNS, "answered": _ANSWERED}
    period = {"tenant": tenant, "since": since}
    reports_by_code = {
        row.code: (row.reported, row.agreed) for row in connection.execute(_REPORTED, period)
    }
    checked, gated = (
        tuple(
            RuleCost(row.code, row.times, row.runs, row.answered, int(row.tokens), *reports)
            for row in connection.execute(statement, wanted)
            for reports in (reports_by_code.get(row.code, (0, 0)),)
        )
        for statement in (_REFUSED, _BLOCKED)
    )
    return checked, gated


@dataclass(frozen=True, slots=True)
class Doubt:
    """A constraint that refused calls whose corrections returned the same rows."""

    number: int
    """Its place among the constraints."""
    constraint: Constraint
    times: int


def doubtful_rules(
    connection: Connection,
    tenant: str,
    feature: str,
    constraints: Sequence[Constraint],
    since: datetime,
) -> tuple[Doubt, ...]:
    """The constraints of a feature that the data settled more than once, the most frequent first;
    what is no longer declared is left out."""
    wanted = {"tenant": tenant, "feature": feature, "since": since}
    found = connection.execute(_SETTLED, {**wanted, "most": MOST_RUNS, "often": OFTEN})
    numbers = {each.title: number for number, each in enumerate(constraints)}
    return tuple(
        Doubt(numbers[row.rule], constraints[numbers[row.rule]], row.times)
        for row in found
        if row.rule in numbers
    )
