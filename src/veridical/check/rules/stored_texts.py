"""Days and numbers as text: 9 is larger than 10, 01.12.2025 comes before 31.01.2024, and a day as
the end of a period is its first moment."""

import re
from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import EXTREMES, ORDERS, Filter, LiteralKind, Problem
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.name_kinds import NameKind, kinds_of

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ENDS = frozenset({"between", "<=", "="})
_DAY_FIRST = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}.*")
_NUMBERS = frozenset({NameKind.AMOUNT, NameKind.RATE, NameKind.LEVEL, NameKind.MEASURED})


def whole_day(context: Context) -> Iterable[Problem]:
    """Timestamps that must be at most, or exactly, a day."""
    for each in context.facts.comparisons:
        if _ends_with_day(each):
            values = (("value", str(each.values[-1].value)),)
            yield Problem(Code.DAY_FOR_TIMESTAMP, each.origin.column.name, None, "", values)


def _holds_moments(column: ColumnCard) -> bool:
    """True by its type, by its observed values, or, for a text, by its name: ``created_at``."""
    if column.type is ValueType.TIMESTAMP:
        return True
    return column.type is ValueType.TEXT and (column.timed or NameKind.MOMENT in column.named)


def _ends_with_day(each: Filter) -> bool:
    if not _holds_moments(each.origin.column) or each.op not in _ENDS:
        return False
    last = each.values[-1] if each.values else None
    if last is None or last.kind not in (LiteralKind.TEXT, LiteralKind.DATE):
        return False
    return _DAY.fullmatch(str(last.value)) is not None


def text_day(context: Context) -> Iterable[Problem]:
    """Texts that must be more or less than such a day."""
    return [
        Problem(Code.TEXT_AS_DAY, each.origin.column.name, None, "", (("value", day),))
        for each in context.facts.comparisons
        if (day := _day_of(each))
    ]


def _day_of(each: Filter) -> str:
    if each.op not in ORDERS or each.origin.column.type is not ValueType.TEXT:
        return ""
    texts = (str(value.value) for value in each.values if value.kind is LiteralKind.TEXT)
    return next((text for text in texts if _DAY_FIRST.fullmatch(text)), "")


def text_number(context: Context) -> Iterable[Problem]:
    """Smallest and largest of such texts, their order, and their comparison with a number."""
    for column in _ordered(context):
        if column.type is ValueType.TEXT and _holds_numbers(column):
            yield Problem(Code.TEXT_AS_NUMBER, column.name)
    for each in context.facts.comparisons:
        if _meets_number(each):
            yield Problem(Code.TEXT_AS_NUMBER, each.origin.column.name)


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
        and any(value.kind is LiteralKind.NUMBER for value in each.values)
        and _holds_numbers(each.origin.column)
    )
