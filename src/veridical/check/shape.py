"""The shape of a structured call: all of it that its verdict depends on.

Calls of one shape differ in values that no rule looks at: another account, another city. A shape
that passed once passes again, so the rules need not run. Where a rule does look at values (closed
lists, levels, tenants, encodings, wildcards), they are part of the shape.
"""

from functools import lru_cache
from typing import Any

from veridical.contracts.call import BrowseCall, Filter, QueryCall, TableCall
from veridical.contracts.caller import Scope
from veridical.contracts.schema import ValueType
from veridical.ontology.catalog import TableCard

Shape = tuple[Any, ...]

_FREE_TYPES: dict[ValueType, tuple[type, ...]] = {
    ValueType.TEXT: (str,),
    ValueType.INTEGER: (int,),
    ValueType.NUMBER: (int, float),
}
"""The types whose values fit a column of this type without exception."""
_PATTERNS = frozenset({"like", "not like", "ilike"})


def shape_of(call: TableCall, table: TableCard, scope: Scope) -> Shape | None:
    """The shape of this call on this table; none when it should be checked again."""
    if isinstance(call, BrowseCall):
        return (table, call.fields)
    conditions = _conditions(call.filters, table, scope)
    if conditions is None:
        return None
    ordered = tuple([each.field for each in call.order_by]) if call.order_by else ()
    if isinstance(call, QueryCall):
        return (table, call.fields, conditions, ordered)
    return (table, call.aggregate, call.field, call.group_by, conditions, ordered)


def _conditions(filters: tuple[Filter, ...], table: TableCard, scope: Scope) -> Shape | None:
    """Name and operator of each filter, and its value where a rule looks at it."""
    free = _free_columns(table)
    allowed = scope.allowed
    shape: list[Any] = []
    for each in filters:
        name, value = each.field, each.value
        if name in shape or name in allowed:
            return None
        kind = type(value)
        if kind in free.get(name, ()) and not (kind is str and _is_wild(each.op, value)):
            shape += (name, each.op)
        else:
            shape += (name, each.op, value, kind)
    return tuple(shape)


def _is_wild(op: str, value: Any) -> bool:
    """A wildcard matters where the operator takes it for itself."""
    return "%" in value and op not in _PATTERNS


@lru_cache(maxsize=20_000)
def _free_columns(table: TableCard) -> dict[str, tuple[type, ...]]:
    """The columns whose values no rule looks at, each with the types that fit it."""
    levels = {
        name
        for column in table.columns.values()
        for level in column.one_level
        for name in level.fields
    }
    required = {name for each in table.required_filters for name in each.fields}
    required |= {part.column for each in table.counted for parts in each.parts for part in parts}
    return {
        column.name: _FREE_TYPES[column.type]
        for column in table.columns.values()
        if column.type in _FREE_TYPES
        and column.allowed_texts is None
        and column.values is None
        and column.encoding is None
        and column.name not in levels
        and column.name not in required
    }
