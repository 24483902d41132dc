"""Constraints whose refusals the data settled, counted in the stored runs of the last weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from veridical.console.rule_costs import MOST_RUNS
from veridical.ontology.model import Constraint

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
