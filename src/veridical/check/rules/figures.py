"""Figures that are valid SQL and not what they seem: means of means, sums of distinct values or of
a UNION that keeps equal rows once, columns beside an aggregate, whole divisions, any five rows."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Block, Problem, Term
from veridical.check.row_keys import open_days, open_things
from veridical.contracts.violation import Code
from veridical.ontology.model import Role
from veridical.ontology.name_kinds import NameKind, kinds_of

_MEANS = frozenset({"avg", "median"})
_ADDING = frozenset({"sum", "avg", "median"})


def means(context: Context) -> Iterable[Problem]:
    """Means that are taken over the wrong rows."""
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _MEANS or not aggregate.terms:
            continue
        name = aggregate.terms[0].origin.column.name
        if _is_of_means(aggregate):
            yield Problem(Code.MEAN_OF_MEANS, name)
        elif _is_of_ratios(context, aggregate):
            yield Problem(Code.MEAN_OF_RATIOS, name)
        else:
            yield from _snapshots(context, aggregate)


def _is_of_means(aggregate: Aggregate) -> bool:
    """An aggregate before this one made them; or the ontology declares that they don't add up,
    and their name shows why: ``avg_protein``."""
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
    """True when the rows also have the base of the rate: a measure that adds up."""
    table = context.facts.uses[term.origin.use].table
    return any(
        each.role is Role.MEASURE and each.never_aggregate is None and each.semi_additive is None
        for each in table.columns.values()
    )


def _snapshots(context: Context, aggregate: Aggregate) -> Iterable[Problem]:
    """The mean over the days of one thing is a mean; over both days and things it is none."""
    if aggregate.by_times:
        return
    for term in aggregate.terms:
        column = term.origin.column
        named = column.named_total or NameKind.LEVEL in column.named
        if term.via or not (column.semi_additive or named):
            continue
        days = open_days(context, aggregate, term)
        if days and open_things(context, aggregate, term):
            values = (("fields", ", ".join(days)),)
            yield Problem(Code.MEAN_OF_SNAPSHOTS, column.name, days[0], "", values)


def distinct_sum(context: Context) -> Iterable[Problem]:
    """Sums and means of distinct values."""
    for aggregate in context.facts.aggregates:
        if aggregate.distinct and aggregate.function in _ADDING and aggregate.terms:
            name = aggregate.terms[0].origin.column.name
            values = (("function", aggregate.function.upper()),)
            yield Problem(Code.SUM_OF_DISTINCT, name, None, "", values)


def union_rows(context: Context) -> Iterable[Problem]:
    """Sums and means over a UNION whose rows have no key."""
    blocks = context.facts.blocks
    return [
        Problem(Code.UNION_DROPS_ROWS, aggregate.terms[0].origin.column.name)
        for aggregate in context.facts.aggregates
        if aggregate.function in _ADDING and aggregate.terms and blocks[aggregate.block].merged
    ]


def grouped_field(context: Context) -> Iterable[Problem]:
    """Columns that would take an arbitrary row's value, or that the engine refuses."""
    lenient = not context.dialect.strict_groups
    return [
        Problem(Code.UNGROUPED_FIELD, origin.column.name, origin.column.name, soft=lenient)
        for block in context.facts.blocks
        for origin in block.ungrouped
        if not (lenient and _picks_one_row(context, block))
    ]


def _picks_one_row(context: Context, block: Block) -> bool:
    """An engine that allows it gives some row's value; beside MIN or MAX it is that row's."""
    functions = {each.function for each in context.facts.aggregates if each.block == block.index}
    return block.grouped or not functions.isdisjoint(("min", "max"))


def whole_division(context: Context) -> Iterable[Problem]:
    """Divisions that cut the fraction off, on engines that do so."""
    if not context.dialect.whole_division:
        return ()
    return [Problem(Code.INTEGER_DIVISION, name) for name in context.facts.whole_divisions]


def unordered_limit(context: Context) -> Iterable[Problem]:
    """Blocks that keep some of their groups, or one row, without saying which."""
    return [
        Problem(Code.UNORDERED_LIMIT, f"LIMIT {block.cut}")
        for block in context.facts.blocks
        if block.cut is not None and not block.ordered
    ]
