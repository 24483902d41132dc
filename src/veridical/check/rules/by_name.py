"""Measures and rows by their names where no ontology declares them: a balance, a rate, a code, an
amount in some currency, rows that no longer hold. A name is no proof, so it only warns unless the
host is strict."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Term, Use
from veridical.check.row_keys import (
    chooses_kind,
    days_of_key,
    is_day,
    is_found_by_key,
    open_days,
    places_of,
)
from veridical.check.rules.same_unit import has_one_unit
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.name_kinds import NameKind, kinds_of, kinds_within
from veridical.ontology.parents import TO_ONE

_UNCHANGED = frozenset({"", "list", "shifted"})
_ADDING = frozenset({"sum", "avg"})

_OF_ROWS = frozenset({"sum", "avg", "count"})
_MARKS = frozenset({NameKind.UNTIL, NameKind.VALID_FROM, NameKind.VALID_UNTIL, NameKind.DELETED})
"""Names that mark a row which may no longer hold."""


def total_name(context: Context) -> Iterable[Problem]:
    """Sums of such columns: a name is no proof, so it only warns unless the host is strict."""
    facts, code, soft = context.facts, Code.INVALID_AGGREGATE_TARGET, not context.strict_names
    return [
        Problem(code, term.origin.column.name, None, "named", soft=soft)
        for aggregate in facts.aggregates
        if aggregate.function == "sum"
        for term in aggregate.terms
        if term.origin.column.named_total
        and term.via in _UNCHANGED
        and facts.uses[term.origin.use].table.entity is None
        and not _is_of_one_day(context, aggregate, term)
        and (context.strict_names or not _has_one_row_each(context, term))
    ]


def _is_of_one_day(context: Context, aggregate: Aggregate, term: Term) -> bool:
    """Balances of several things on one day add up, if the key has days."""
    days = days_of_key(context.facts.uses[term.origin.use].table)
    return bool(days) and not open_days(context, aggregate, term)


def _has_one_row_each(context: Context, term: Term) -> bool:
    """True if a key without a day names one thing a row, and no column a period: what each account
    holds today, the total of each invoice. These add up."""
    table = context.facts.uses[term.origin.use].table
    periods = {NameKind.PERIOD, NameKind.SNAPSHOT}
    dated = any(not periods.isdisjoint(each.named) for each in table.columns.values())
    named = not periods.isdisjoint(kinds_of(table.name))
    alone = any(len(key) == 1 for key in table.keys) and not days_of_key(table)
    return alone and not dated and not named


def named_measure(context: Context) -> Iterable[Problem]:
    """Sums and means of such measures over what keeps them apart."""
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            table = context.facts.uses[term.origin.use].table
            if term.via in _UNCHANGED and table.entity is None:
                if term.origin.column.named:
                    yield from _added(context, aggregate, term)
                if aggregate.function == "sum":
                    yield from _summed(context, aggregate, term)


def _added(context: Context, aggregate: Aggregate, term: Term) -> Iterator[Problem]:
    """Columns for which neither a sum nor a mean makes sense."""
    column = term.origin.column
    table = context.facts.uses[term.origin.use].table
    alone = len(aggregate.terms) == 1
    if alone and column.type.is_numeric and NameKind.CODE in column.named:
        values = (("function", aggregate.function.upper()),)
        yield Problem(Code.INVALID_AGGREGATE_TARGET, column.name, None, "never", values, soft=True)
    if alone and aggregate.function == "avg" and NameKind.MEAN in column.named:
        yield Problem(Code.MEAN_OF_MEANS, column.name, soft=True)
    elif alone and aggregate.function == "avg" and _is_weighed_rate(table, column):
        yield Problem(Code.MEAN_OF_RATIOS, column.name, soft=True)
    for unit in _units(context, table, column):
        if not _may_have_one_unit(context, aggregate, term, unit):
            variant = "" if places_of(context, term.origin.use, unit) else "elsewhere"
            values = (("field", unit),)
            yield Problem(Code.MIXED_UNITS, column.name, unit, variant, values, soft=True)


def _summed(context: Context, aggregate: Aggregate, term: Term) -> Iterator[Problem]:
    column = term.origin.column
    code = Code.INVALID_AGGREGATE_TARGET
    table = context.facts.uses[term.origin.use].table
    if len(aggregate.terms) == 1 and _is_rate(table, column):
        yield Problem(code, column.name, None, "rate", soft=True)
    if NameKind.LEVEL in column.named or _holds_states(table, column):
        days = open_days(context, aggregate, term)
        if days:
            values = (("fields", ", ".join(days)),)
            yield Problem(code, column.name, days[0], "over", values, soft=True)


def _holds_states(table: TableCard, column: ColumnCard) -> bool:
    """A table of balances or readings holds states, but for what moved in the meantime."""
    return NameKind.SNAPSHOT in kinds_within(table.name) and NameKind.FLOW not in kinds_within(
        column.name
    )


def _is_weighed_rate(table: TableCard, column: ColumnCard) -> bool:
    """A share or a percentage beside a quantity or an amount that it is one of."""
    weights = {NameKind.QUANTITY, NameKind.AMOUNT}
    others = (each for each in table.columns.values() if each is not column)
    return (
        NameKind.RATE in column.named
        and NameKind.PRICE not in column.named
        and any(not weights.isdisjoint(each.named) for each in others)
    )


def _is_rate(table: TableCard, column: ColumnCard) -> bool:
    """A price beside a quantity is that of one piece."""
    if NameKind.PRICE in column.named and NameKind.QUANTITY in table.named:
        return True
    return NameKind.RATE in column.named or NameKind.MEAN in column.named


def _units(context: Context, table: TableCard, column: ColumnCard) -> list[str]:
    """The columns with the unit of a measure, in its table or in the only parent."""
    wanted = _wanted(column)
    if not wanted:
        return []
    own = _named(table, wanted)
    if own:
        return own
    parents = {join.target for join in table.joins if join.cardinality in TO_ONE}
    cards = (context.catalog.table(name) for name in sorted(parents - {table.name}))
    found = [f"{card.name}.{name}" for card in cards if card for name in _named(card, wanted)]
    return found if len(found) == 1 else []


def _wanted(column: ColumnCard) -> frozenset[NameKind]:
    """Pieces have a unit, money has a currency; either may belong to a scenario."""
    if NameKind.QUANTITY in column.named:
        return frozenset({NameKind.UNIT, NameKind.SCENARIO})
    if NameKind.AMOUNT in column.named:
        return frozenset({NameKind.CURRENCY, NameKind.SCENARIO})
    return frozenset({NameKind.UNIT}) if NameKind.READING in column.named else frozenset()


def _named(table: TableCard, kinds: frozenset[NameKind]) -> list[str]:
    if kinds.isdisjoint(table.named):
        return []
    return [each.name for each in table.columns.values() if not kinds.isdisjoint(each.named)]


def _may_have_one_unit(context: Context, aggregate: Aggregate, term: Term, unit: str) -> bool:
    """True when the sum has one unit, or is of one kind of thing that may well have one."""
    if has_one_unit(context, unit, aggregate, term):
        return True
    currency = NameKind.CURRENCY in kinds_of(unit.rpartition(".")[2])
    return not currency and chooses_kind(context, term)


def named_rows(context: Context) -> Iterable[Problem]:
    """Figures of all rows of a table that marks those that hold."""
    for aggregate in context.facts.aggregates:
        if aggregate.function in _OF_ROWS and not aggregate.distinct:
            for use in _counted(context, aggregate):
                yield from _unchosen(context, use)


def _counted(context: Context, aggregate: Aggregate) -> Iterator[Use]:
    """The plain tables of an aggregate that have meaningful names but no ontology."""
    for side in context.facts.blocks[aggregate.block].sides:
        if len(side.uses) == 1:
            use = context.facts.uses[min(side.uses)]
            if use.table.entity is None and not _MARKS.isdisjoint(use.table.named):
                yield use


def _unchosen(context: Context, use: Use) -> Iterator[Problem]:
    readings = context.facts.readings
    read = {each.origin.column.name for each in readings if each.origin.use == use.id}
    ends = _ends(use.table)
    if ends and read.isdisjoint(ends) and read.isdisjoint(_days(use.table)):
        yield _missing(use, ends[0])
    marks = (_validity(use.table), _columns_named(use.table, NameKind.DELETED))
    unread = [names for names in marks if names and read.isdisjoint(names)]
    if unread and not is_found_by_key(context, use):
        for names in unread:
            yield _missing(use, names[0])


def _days(table: TableCard) -> Iterator[str]:
    return (each.name for each in table.columns.values() if is_day(each))


def _missing(use: Use, name: str) -> Problem:
    values = (("fields", name), ("table", use.table.name))
    return Problem(Code.MISSING_REQUIRED_FILTER, name, name, "", values, soft=True)


def _ends(table: TableCard) -> list[str]:
    """The columns with the last day of a row, if the key has its first day."""
    names = _columns_named(table, NameKind.UNTIL)
    if not names or not days_of_key(table):
        return []
    return [name for name in names if is_day(table.columns[name])]


def _validity(table: TableCard) -> list[str]:
    """The last and the first day, where the rows have numbers of their own and a row is
    valid from one to the other by their names; and a mark of those that hold today."""
    first = _columns_named(table, NameKind.VALID_FROM)
    last = _columns_named(table, NameKind.VALID_UNTIL)
    marks = _columns_named(table, NameKind.CURRENT)
    return [*last, *first, *marks] if first and last and not days_of_key(table) else []


def _columns_named(table: TableCard, kind: NameKind) -> tuple[str, ...]:
    return table.named.get(kind, ())
