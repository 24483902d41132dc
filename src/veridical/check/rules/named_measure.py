"""What a name says of a measure where no ontology does: a rate, a code, a mean, an amount in some
currency, a stock on some day. A name is no proof, so all of this only warns."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.dated_keys import open_days
from veridical.check.facts import Aggregate, Origin, Problem, Term, distinct
from veridical.check.parent_columns import is_fixed, places_of
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.name_kinds import NameKind, kinds_within
from veridical.ontology.parents import TO_ONE

_UNCHANGED = frozenset({"", "list", "shifted"})
_ADDING = frozenset({"sum", "avg"})


def find(context: Context) -> Iterable[Problem]:
    """Sums and means of such measures over what keeps them apart."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            if term.via in _UNCHANGED and not _is_declared(context, term.origin):
                if term.origin.column.named:
                    found.extend(_added(context, aggregate, term))
                if aggregate.function == "sum":
                    found.extend(_summed(context, aggregate, term))
    return distinct(found)


def _is_declared(context: Context, origin: Origin) -> bool:
    return context.facts.uses[origin.use].table.entity is not None


def _added(context: Context, aggregate: Aggregate, term: Term) -> Iterator[Problem]:
    """What neither a sum nor a mean makes sense of."""
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
        if not _has_one_unit(context, aggregate, term, unit):
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
    """The columns that say what a measure is counted in, in its table or in the only parent."""
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


def _has_one_unit(context: Context, aggregate: Aggregate, term: Term, unit: str) -> bool:
    """True when the sum has one unit, or each amount is multiplied with the rate of its own."""
    if is_fixed(context, unit, aggregate, term):
        return True
    places = places_of(context, term.origin.use, unit)
    converted = {use for place in places for use, _ in context.settled.same(place)}
    converted -= {term.origin.use, *(use for use, _ in places)}
    return any(other.origin.use in converted for other in aggregate.terms)
