"""What has several spellings is chosen by all of them, and grouped as one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Filter, Origin, Problem, violated
from veridical.check.narrowing import admits
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint


def spellings(context: Context) -> Iterable[Problem]:
    """Filters that let some spellings of a value pass and not all, and groups of each."""
    facts = context.facts
    read = (each.origin.column for each in facts.readings)
    if all(column.spellings is None for column in read):
        return
    yield from _chosen(facts.filters)
    for aggregate in facts.aggregates:
        for conditions in {aggregate.conditions, *(term.conditions for term in aggregate.terms)}:
            yield from _chosen(conditions)
    for origin in facts.blocks[0].keys if facts.blocks else ():
        constraint = origin.column.spellings
        if constraint is not None:
            filters = context.settled.filters(origin.place)
            for name, values in constraint.levels.items():
                if len([each for each in values if admits(filters, each)]) > 1:
                    yield _found(constraint, origin, name, values, "spellings")


def _chosen(filters: Iterable[Filter]) -> Iterator[Problem]:
    by_column: defaultdict[Origin, list[Filter]] = defaultdict(list)
    for each in filters:
        if each.origin.column.spellings is not None:
            by_column[each.origin].append(each)
    for origin, together in by_column.items():
        constraint = origin.column.spellings
        for values in constraint.levels.values() if constraint is not None else ():
            passed = [each for each in values if admits(together, each)]
            left_out = [each for each in values if each not in passed]
            if constraint is not None and passed and left_out:
                yield _found(constraint, origin, str(passed[0]), left_out, "spelling")


def _found(
    constraint: Constraint, origin: Origin, value: str, others: Iterable[int | str], message: str
) -> Problem:
    listed = ", ".join(map(str, others))
    code, name = Code.VALUE_UNKNOWN, origin.column.name
    return violated(constraint, code, name, None, message, soft=True, value=value, others=listed)
