"""A column is compared with values of its own kind; seconds since 1970 with seconds."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from veridical.check.context import Context
from veridical.check.facts import (
    AS_TEXT,
    FROM_DATE_TEXT,
    FROM_MILLISECONDS,
    FROM_SECONDS,
    ORDERS,
    Applied,
    Filter,
    Literal,
    LiteralKind,
    Problem,
)
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.model import ConstraintRule, Encoding
from veridical.ontology.name_kinds import NameKind

_NUMBERS = frozenset({ValueType.INTEGER, ValueType.NUMBER, ValueType.UNKNOWN})
_AMOUNTS = _NUMBERS | {ValueType.INTERVAL}
_ORDERED = _AMOUNTS | {
    ValueType.TEXT, ValueType.BOOLEAN, ValueType.DATE, ValueType.TIMESTAMP, ValueType.TIME,
}  # fmt: skip
_FITTING: dict[str, frozenset[ValueType]] = {
    "sum": _AMOUNTS,
    "avg": _AMOUNTS,
    "median": _AMOUNTS,
    "stddev": _NUMBERS,
    "variance": _NUMBERS,
    "min": _ORDERED,
    "max": _ORDERED,
}
"""The types that each aggregate takes; those that are not listed take anything."""
_PATTERNS = frozenset(
    {
        "like", "not like", "ilike", "not ilike", "similar", "not similar", "glob", "regexp",
        "is null",
    }
)  # fmt: skip
_PLAUSIBLE = {
    Encoding.UNIX_SECONDS: (1e8, 1e10),
    Encoding.UNIX_MILLISECONDS: (1e11, 1e13),
    Encoding.YYYYMMDD: (1e7, 1e8),
}


_READS = {
    FROM_SECONDS: Encoding.UNIX_SECONDS,
    FROM_MILLISECONDS: Encoding.UNIX_MILLISECONDS,
}
_OF_TIMES = frozenset({FROM_SECONDS, FROM_MILLISECONDS})
_COMPACT = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_OF_DATES = frozenset({FROM_DATE_TEXT, "TIMETOSTR", "TSORDSTOTIMESTAMP", "DATE"})
_DATE = re.compile(r"\d{4}-\d\d(-\d\d|$)")
_SECONDS = 1e7
_ANY = frozenset({LiteralKind.NULL, LiteralKind.OTHER})
_NATURAL = {
    ValueType.INTEGER: _ANY | {LiteralKind.NUMBER},
    ValueType.NUMBER: _ANY | {LiteralKind.NUMBER},
    ValueType.TEXT: _ANY | {LiteralKind.TEXT},
    ValueType.BOOLEAN: _ANY | {LiteralKind.BOOLEAN},
    ValueType.DATE: _ANY | {LiteralKind.DATE},
    ValueType.TIMESTAMP: _ANY | {LiteralKind.DATE},
    ValueType.TIME: frozenset(LiteralKind),
    ValueType.INTERVAL: frozenset(LiteralKind),
    ValueType.JSON: frozenset(LiteralKind),
    ValueType.OTHER: frozenset(LiteralKind),
    ValueType.UNKNOWN: frozenset(LiteralKind),
}
"""The kinds of literal that fit each type as they are."""


def type_fits(context: Context) -> Iterable[Problem]:
    """Literals, functions and aggregates that don't fit a column's type."""
    facts = context.facts
    strict = context.dialect.strict_types
    for each in facts.comparisons:
        yield from _miscompared(each, strict)
    for applied in facts.applied:
        column = applied.origin.column
        if _is_code(column) and applied.function in _OF_TIMES:
            yield _no_time(column, applied.function)
        elif _misreads(applied.function, column.encoding):
            yield _encoded(column, applied.function)
        elif not strict and column.encoding is None and _takes_for_date(applied):
            values = (("type", column.type.value), ("value", ValueType.DATE.value))
            yield Problem(Code.TYPE_MISMATCH, column.name, None, "", values, soft=True)
    if strict and facts.aggregates:
        yield from _untotalled(context)
    if strict and facts.equalities:
        yield from _unequal(context)


def _is_code(column: ColumnCard) -> bool:
    never = column.never_aggregate
    declared = never is not None and never.rule is ConstraintRule.NEVER_AGGREGATE
    return declared and column.encoding is None and column.type.is_numeric


def _no_time(column: ColumnCard, value: str) -> Problem:
    """A number that names something, such as 20240517, is no day."""
    values = (("type", column.type.value), ("value", value))
    return Problem(Code.TYPE_MISMATCH, column.name, None, "", values, soft=True)


def _miscompared(each: Filter, strict: bool) -> Iterable[Problem]:
    column = each.origin.column
    if _is_code(column) and each.op in ORDERS:
        days = [str(value.value) for value in each.values if _COMPACT.fullmatch(str(value.value))]
        yield from (_no_time(column, day) for day in days[:1])
    if each.op in _PATTERNS:
        if column.encoding in _PLAUSIBLE and each.op != "is null":
            yield _encoded(column, each.op.upper())
        if strict and column.type in (
            ValueType.TEXT,
            ValueType.UNKNOWN,
        ):  # on others the operator is wrong, not the value
            numbers = (value for value in each.values if value.kind is LiteralKind.NUMBER)
            yield from (_misfit(column, number) for number in numbers)
        return
    if not (strict or column.encoding):
        yield from _undated(column, each)
        return
    fitting = _NATURAL[column.type]
    for literal in each.values:
        if column.encoding is not None:
            if not _fits_encoding(column.encoding, literal):
                yield _encoded(column, str(literal.value), _seconds(column.encoding, literal))
        elif literal.kind not in fitting and not _can_be_read_as(column.type, literal):
            yield _misfit(column, literal)


def _undated(column: ColumnCard, each: Filter) -> Iterable[Problem]:
    """Engines that compare anything hold a number against the text of a date, and a date's text
    against a number: no row is what was meant."""
    numbers = NameKind.DAY in column.named or NameKind.MOMENT in column.named
    for literal in each.values:
        dated = literal.kind is LiteralKind.TEXT and _DATE.match(str(literal.value)) is not None
        large = literal.kind is LiteralKind.NUMBER and abs(literal.value) >= _SECONDS
        if (column.type.is_numeric and dated) or (
            column.type is ValueType.TEXT and numbers and large
        ):
            yield _misfit(column, literal)._replace(soft=True)


def _misreads(function: str, encoding: Encoding | None) -> bool:
    """True when the function takes the stored number for another kind of time than it is."""
    if encoding not in _PLAUSIBLE:
        return False
    if encoding is Encoding.YYYYMMDD and function == AS_TEXT:
        return False  # its digits are the date: they can be cut out
    return _READS.get(function) is not encoding


def _takes_for_date(applied: Applied) -> bool:
    """True when a number is given to a function that wants the text of a date."""
    return applied.origin.column.type.is_numeric and applied.function in _OF_DATES


def _misfit(column: ColumnCard, literal: Literal) -> Problem:
    values = (("type", column.type.value), ("value", str(literal.value)))
    suggestion = _respelled(column.type, literal)
    return Problem(Code.TYPE_MISMATCH, column.name, suggestion, "", values)


def _fits_encoding(encoding: Encoding, literal: Literal) -> bool:
    if literal.kind in (LiteralKind.NULL, LiteralKind.OTHER):
        return True
    if encoding is Encoding.ISO_TEXT:
        return literal.kind is LiteralKind.TEXT or literal.kind is LiteralKind.DATE
    if literal.kind is not LiteralKind.NUMBER:
        return False
    low, high = _PLAUSIBLE[encoding]
    return literal.value == 0 or low <= abs(literal.value) < high


def _can_be_read_as(kind: ValueType, literal: Literal) -> bool:
    """Text that the engine reads as a number, a truth value or a date."""
    if literal.kind is not LiteralKind.TEXT:
        return False
    text = str(literal.value)
    if kind.is_numeric:
        return _is_number(text)
    if kind is ValueType.BOOLEAN:
        return text.lower() in ("true", "false", "t", "f", "yes", "no", "1", "0")
    return kind.is_temporal and any(sign.isdigit() for sign in text)


def _untotalled(context: Context) -> Iterable[Problem]:
    for aggregate in context.facts.aggregates:
        kind = aggregate.type
        fitting = _FITTING.get(aggregate.function)
        if kind is None or fitting is None or kind in fitting:
            continue
        name = aggregate.terms[0].origin.column.name if aggregate.terms else kind.value
        values = (("type", kind.value), ("function", aggregate.function.upper()))
        yield Problem(Code.TYPE_MISMATCH, name, None, "aggregate", values)


def _unequal(context: Context) -> Iterable[Problem]:
    for equality in context.facts.equalities:
        left, right = equality.left.column, equality.right.column
        text = ValueType.TEXT
        if (left.type is text and right.type.is_numeric) or (
            right.type is text and left.type.is_numeric
        ):
            yield Problem(
                Code.TYPE_MISMATCH,
                left.name,
                None,
                "join",
                (("type", left.type.value), ("other", f"{right.table}.{right.name}")),
            )


def _encoded(column: ColumnCard, value: str, suggestion: str | None = None) -> Problem:
    constraint = column.encoding_guard
    encoding = column.encoding.value if column.encoding else ""
    return Problem(
        Code.TYPE_MISMATCH,
        column.name,
        suggestion,
        "encoding",
        (("encoding", encoding), ("value", value)),
        constraint.message if constraint else "",
        constraint is not None and constraint.warns,
    )


def _seconds(encoding: Encoding, literal: Literal) -> str | None:
    """An ISO date as seconds since 1970, midnight UTC."""
    if encoding is not Encoding.UNIX_SECONDS or literal.kind not in (
        LiteralKind.TEXT,
        LiteralKind.DATE,
    ):
        return None
    try:
        moment = datetime.fromisoformat(str(literal.value))
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return str(int(aware.timestamp()))


def _respelled(kind: ValueType, literal: Literal) -> str | None:
    if kind is ValueType.TEXT and literal.kind is LiteralKind.NUMBER:
        return f"'{literal.value}'"
    if kind is ValueType.BOOLEAN and literal.kind is LiteralKind.NUMBER and literal.value in (0, 1):
        return "true" if literal.value else "false"
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
