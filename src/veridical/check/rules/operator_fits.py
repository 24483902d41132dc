"""LIKE is for text, = for whole values, IS NULL for nothing at all."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Comparison, Kind, Problem, distinct
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code

_PATTERNS = frozenset({"like", "not like", "ilike", "not ilike"})
_ORDERS = frozenset({"<", "<=", ">", ">=", "between"})
_EQUALS = frozenset({"=", "!=", "in", "not in"})


def find(context: Context) -> Iterable[Problem]:
    """Operators that can't do what they were chosen for."""
    found: list[Problem] = []
    for each in context.facts.comparisons:
        better = _better(each, context.dialect.strict_types)
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


def _better(each: Comparison, strict: bool) -> str | None:
    column = each.origin.column
    if each.op in _PATTERNS:
        not_text = column.type not in (ValueType.TEXT, ValueType.UNKNOWN, ValueType.JSON)
        return "=" if strict and not_text else None
    if each.op in _ORDERS and strict:
        closed = column.allowed_values is not None and column.type is ValueType.TEXT
        return "=" if closed or column.type is ValueType.BOOLEAN else None
    if each.op in _EQUALS:
        return _better_equality(each)
    return None


def _better_equality(each: Comparison) -> str | None:
    negated = each.op in ("!=", "not in")
    for literal in each.values:
        if literal.kind is Kind.NULL and each.op in ("=", "!="):
            return "is not null" if negated else "is null"
        text = str(literal.value)
        wild = literal.kind is Kind.TEXT and len(text) > 1 and "%" in (text[0], text[-1])
        if wild and " " not in text:
            return "not like" if negated else "like"
    return None
