"""A mean of means, of ratios, or of snapshots of many things weighs its rows as nobody meant."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.dated_keys import open_days, open_things
from veridical.check.facts import Aggregate, Problem, Term, distinct
from veridical.contracts.violation import Code
from veridical.ontology.model import Role
from veridical.ontology.name_kinds import NameKind, kinds_of

_MEANS = frozenset({"avg", "median"})


def find(context: Context) -> Iterable[Problem]:
    """Means that are taken over the wrong rows."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _MEANS or not aggregate.terms:
            continue
        name = aggregate.terms[0].origin.column.name
        if _is_of_means(aggregate):
            found.append(Problem(Code.MEAN_OF_MEANS, name))
        elif _is_of_ratios(context, aggregate):
            found.append(Problem(Code.MEAN_OF_RATIOS, name))
        else:
            found.extend(_snapshots(context, aggregate))
    return distinct(found)


def _is_of_means(aggregate: Aggregate) -> bool:
    """An aggregate before this one made them; or the ontology says that they don't add up, and
    their name why: ``avg_protein``."""
    if all(term.via in _MEANS for term in aggregate.terms):
        return True
    term, *others = aggregate.terms
    column = term.origin.column
    alone = not others and not term.via and column.never_aggregate is not None
    return alone and NameKind.MEAN in kinds_of(column.name)


def _is_of_ratios(context: Context, aggregate: Aggregate) -> bool:
    """Of one column divided by another, of a ratio whose parts the ontology names, or of a rate of
    something that rows have more or less of. The mean over days of a state is a mean."""
    terms = aggregate.terms
    if aggregate.ratio:
        return not all(term.via == "sum" and term.origin.column.semi_additive for term in terms)
    first, *others = terms
    if others or first.via:
        return False
    column = first.origin.column
    never = column.never_aggregate
    if never is None:
        return False
    return bool(never.fields) or (
        NameKind.RATE in kinds_of(column.name) and _is_weighed(context, first)
    )


def _is_weighed(context: Context, term: Term) -> bool:
    """True when the rows also say of how much it is a rate: a measure that adds up."""
    table = context.facts.uses[term.origin.use].table
    return any(
        each.role is Role.MEASURE and each.never_aggregate is None and each.semi_additive is None
        for each in table.columns.values()
    )


def _snapshots(context: Context, aggregate: Aggregate) -> Iterable[Problem]:
    """The mean over the days of one thing is a mean; over days and things at once it is none."""
    for term in aggregate.terms:
        column = term.origin.column
        named = column.named_total or NameKind.LEVEL in column.named
        if term.via or not (column.semi_additive or named):
            continue
        days = open_days(context, aggregate, term)
        if days and open_things(context, aggregate, term):
            values = (("fields", ", ".join(days)),)
            yield Problem(Code.MEAN_OF_SNAPSHOTS, column.name, days[0], "", values)
