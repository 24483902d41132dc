"""Rows that something else in the query has already found: their whole key is given."""

from collections.abc import Container

from veridical.check.context import Context
from veridical.check.facts import EXTREMES, Facts, Use


def is_found_by_key(context: Context, use: Use, fields: Container[str] = ()) -> bool:
    """True when another table, or a value, says which row is meant, without any of these fields.

    An order names its customer, who may have left since: the order counts all the same.
    """
    settled = context.settled

    def is_given(name: str) -> bool:
        place = (use.id, name)
        return place in settled.values or any(other != use.id for other, _ in settled.same(place))

    return any(
        key and all(name not in fields and is_given(name) for name in key) for key in use.table.keys
    )


def is_measured(facts: Facts, use: Use) -> bool:
    """True when a figure is made of this use's own rows."""
    return any(
        term.origin.use == use.id
        for each in facts.aggregates
        if each.function not in EXTREMES
        for term in each.terms
    )
