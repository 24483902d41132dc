"""As text, 9 is larger than 10: numbers that are stored as text are not ordered as numbers."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import EXTREMES, ORDERS, Filter, Kind, Problem, distinct
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.name_kinds import NameKind, kinds_of

_NUMBERS = frozenset({NameKind.AMOUNT, NameKind.RATE, NameKind.LEVEL, NameKind.MEASURED})


def find(context: Context) -> Iterable[Problem]:
    """Smallest and largest of such texts, their order, and their comparison with a number."""
    facts = context.facts
    found = [
        Problem(Code.TEXT_AS_NUMBER, column.name)
        for column in _ordered(context)
        if column.type is ValueType.TEXT and _holds_numbers(column)
    ]
    found.extend(
        Problem(Code.TEXT_AS_NUMBER, each.origin.column.name)
        for each in facts.comparisons
        if _meets_number(each)
    )
    return distinct(found)


def _ordered(context: Context) -> Iterator[ColumnCard]:
    facts = context.facts
    for aggregate in facts.aggregates:
        if aggregate.function in EXTREMES and aggregate.type is ValueType.TEXT:
            yield from (term.origin.column for term in aggregate.terms if not term.via)
    for each in facts.sorted:
        yield each.column


def _holds_numbers(column: ColumnCard) -> bool:
    if column.numeric_text:
        return True
    if column.values is not None:
        return bool(column.values) and all(map(_is_number, column.values))
    return not (column.named or kinds_of(column.name)).isdisjoint(_NUMBERS)


def _is_number(value: object) -> bool:
    return isinstance(value, str) and value.strip().lstrip("-").replace(".", "", 1).isdigit()


def _meets_number(each: Filter) -> bool:
    """Engines that are strict about types refuse this; the others compare the texts."""
    return (
        each.op in ORDERS
        and each.origin.column.type is ValueType.TEXT
        and any(value.kind is Kind.NUMBER for value in each.values)
        and _holds_numbers(each.origin.column)
    )
