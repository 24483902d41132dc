"""What a name says of a measure where no ontology does: a rate, an amount in some currency, a stock
on some day, a version that has ended. A name is no proof, so all of this only warns."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.dated_keys import days_of_key, is_day, open_days
from veridical.check.facts import Aggregate, Origin, Problem, Term, distinct
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.name_kinds import NameKind, kinds_of

_UNCHANGED = frozenset({"", "list", "shifted"})
_OF_ROWS = frozenset({"sum", "avg", "count"})


def find(context: Context) -> Iterable[Problem]:
    """Sums of such measures over what keeps them apart."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function == "sum":
            for term in aggregate.terms:
                if term.via in _UNCHANGED and not _is_declared(context, term.origin):
                    found.extend(_summed(context, aggregate, term))
        if aggregate.function in _OF_ROWS and not aggregate.distinct:
            found.extend(_versions(context, aggregate))
    return distinct(found)


def _is_declared(context: Context, origin: Origin) -> bool:
    return context.facts.uses[origin.use].table.entity is not None


def _summed(context: Context, aggregate: Aggregate, term: Term) -> Iterator[Problem]:
    column = term.origin.column
    code = Code.INVALID_AGGREGATE_TARGET
    table = context.facts.uses[term.origin.use].table
    if _is_rate(table, column) and len(aggregate.terms) == 1:
        yield Problem(code, column.name, None, "rate", soft=True)
    if NameKind.LEVEL in column.named or NameKind.SNAPSHOT in kinds_of(table.name):
        days = open_days(context, aggregate, term)
        if days:
            values = (("fields", ", ".join(days)),)
            yield Problem(code, column.name, days[0], "over", values, soft=True)
    if NameKind.AMOUNT in column.named:
        for unit in _units(table):
            if not _is_settled(context, aggregate, term, unit):
                values = (("field", unit),)
                yield Problem(Code.MIXED_UNITS, column.name, unit, "", values, soft=True)


def _is_rate(table: TableCard, column: ColumnCard) -> bool:
    """A price beside a quantity is that of one piece."""
    counted = any(NameKind.QUANTITY in each.named for each in table.columns.values())
    return NameKind.RATE in column.named or (NameKind.PRICE in column.named and counted)


def _units(table: TableCard) -> list[str]:
    return [each.name for each in table.columns.values() if NameKind.UNIT in each.named]


def _is_settled(context: Context, aggregate: Aggregate, term: Term, unit: str) -> bool:
    """True when the sum has one unit, or each amount is multiplied with the rate of its own."""
    settled, place = context.settled, (term.origin.use, unit)
    if settled.fixed(place, aggregate, term):
        return True
    converted = {use for use, _ in settled.same(place)} - {term.origin.use}
    return any(other.origin.use in converted for other in aggregate.terms)


def _versions(context: Context, aggregate: Aggregate) -> Iterator[Problem]:
    """Rows that hold from a day until another: without a choice, those that ended count as well."""
    block = context.facts.blocks[aggregate.block]
    for side in block.sides:
        if len(side.uses) != 1:
            continue
        use = context.facts.uses[min(side.uses)]
        ends = _ends(use.table)
        if not ends or use.table.entity is not None:
            continue
        days = [each.name for each in use.table.columns.values() if is_day(each)]
        readings = context.facts.readings
        read = {each.origin.column.name for each in readings if each.origin.use == use.id}
        if read.isdisjoint(days):
            values = (("fields", ends[0]), ("table", use.table.name))
            yield Problem(Code.MISSING_REQUIRED_FILTER, ends[0], ends[0], "", values, soft=True)


def _ends(table: TableCard) -> list[str]:
    """The columns that say until when a row holds, where the key says since when."""
    if not days_of_key(table):
        return []
    return [
        each.name
        for each in table.columns.values()
        if NameKind.UNTIL in each.named and is_day(each)
    ]
