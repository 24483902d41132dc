"""LIKE is for text, = for whole values, IS NULL for nothing at all."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Filter, Kind, Problem, distinct
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code

_PATTERNS = frozenset(
    {"like", "not like", "ilike", "not ilike", "similar", "not similar", "glob", "regexp"}
)
_ORDERS = frozenset({"<", "<=", ">", ">=", "between", "not between"})
_TEXTUAL = frozenset({ValueType.TEXT, ValueType.UNKNOWN})
_ORDERED = frozenset(
    {
        ValueType.INTEGER, ValueType.NUMBER, ValueType.TEXT, ValueType.DATE, ValueType.TIMESTAMP,
        ValueType.TIME, ValueType.INTERVAL, ValueType.UNKNOWN,
    }
)  # fmt: skip
_NESTED = frozenset({ValueType.JSON, ValueType.OTHER})
_EQUALS = frozenset({"=", "!=", "in", "not in"})


def find(context: Context) -> Iterable[Problem]:
    """Operators that can't do what they were chosen for."""
    found: list[Problem] = []
    strict = context.dialect.strict_types
    for each in context.facts.comparisons:
        better = _better(each, strict)
        if better is not None:
            found.append(
                Problem(
                    Code.OPERATOR_INCOMPATIBLE,
                    each.origin.column.name,
                    better,
                    "",
                    (("op", each.op.upper()), ("type", each.origin.column.type.value)),
                )
            )
    return distinct(found)


def _better(each: Filter, strict: bool) -> str | None:
    """The operator to try instead; none when this one will do."""
    op = each.op
    if op in _EQUALS:
        return _better_equality(each)
    if not strict:
        return None
    column = each.origin.column
    if op in _PATTERNS:
        return None if column.type in _TEXTUAL else _instead(column.type)
    if op in _ORDERS:
        closed = column.allowed_values is not None and column.type is ValueType.TEXT
        return _instead(column.type) if closed or column.type not in _ORDERED else None
    return None


def _instead(kind: ValueType) -> str:
    """Of what is nested, a part is compared."""
    return "->>" if kind in _NESTED else "="


def _better_equality(each: Filter) -> str | None:
    negated = each.op in ("!=", "not in")
    for literal in each.values:
        if literal.kind is Kind.NULL and each.op in ("=", "!="):
            return "is not null" if negated else "is null"
        if literal.kind is Kind.TEXT and "%" in literal.value and _is_pattern(literal.value):
            return "not like" if negated else "like"
    return None


def _is_pattern(text: str) -> bool:
    """One word with a wildcard at its end: in a sentence the sign may mean per cent."""
    return len(text) > 1 and "%" in (text[0], text[-1]) and " " not in text
