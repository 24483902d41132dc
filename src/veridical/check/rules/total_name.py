"""What is a balance or a total by its name is not summed, where no ontology says more about it."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.dated_keys import days_of_key, open_days
from veridical.check.facts import Aggregate, Problem, Term, distinct
from veridical.contracts.violation import Code
from veridical.ontology.name_kinds import NameKind, kinds_of

_UNCHANGED = frozenset({"", "list", "shifted"})


def find(context: Context) -> Iterable[Problem]:
    """Sums of such columns: a name is no proof, so it only warns unless the host is strict."""
    facts = context.facts
    return distinct(
        [
            Problem(
                Code.INVALID_AGGREGATE_TARGET,
                term.origin.column.name,
                None,
                "named",
                soft=not context.strict_names,
            )
            for aggregate in facts.aggregates
            if aggregate.function == "sum"
            for term in aggregate.terms
            if term.origin.column.named_total
            and term.via in _UNCHANGED
            and facts.uses[term.origin.use].table.entity is None
            and not _is_of_one_day(context, aggregate, term)
            and (context.strict_names or not _has_one_row_each(context, term))
        ]
    )


def _is_of_one_day(context: Context, aggregate: Aggregate, term: Term) -> bool:
    """Balances of several things on one day add up, where the key says that it has days."""
    days = days_of_key(context.facts.uses[term.origin.use].table)
    return bool(days) and not open_days(context, aggregate, term)


def _has_one_row_each(context: Context, term: Term) -> bool:
    """Whether a key without a day names one thing a row, and no column a period: what each account
    holds today, the total of each invoice. These add up."""
    table = context.facts.uses[term.origin.use].table
    periods = {NameKind.PERIOD, NameKind.SNAPSHOT}
    dated = any(not periods.isdisjoint(each.named) for each in table.columns.values())
    named = not periods.isdisjoint(kinds_of(table.name))
    alone = any(len(key) == 1 for key in table.keys) and not days_of_key(table)
    return alone and not dated and not named
