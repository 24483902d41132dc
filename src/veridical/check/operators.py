"""The operators of structured filters: one spelling each, with the others that people write."""

EQUAL = "="
OPERATORS: tuple[str, ...] = (
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "like", "not like", "ilike", "between",
    "is null", "is not null",
)  # fmt: skip
_ALIASES = {
    "==": "=", "eq": "=", "equals": "=", "is": "=", "<>": "!=", "ne": "!=", "neq": "!=",
    "gt": ">", "gte": ">=", "ge": ">=", "lt": "<", "lte": "<=", "le": "<=",
    "not_in": "not in", "notin": "not in", "nin": "not in", "isnull": "is null",
    "is_null": "is null", "notnull": "is not null", "is_not_null": "is not null",
    "not_like": "not like",
}  # fmt: skip
_KNOWN = frozenset(OPERATORS)


def canonical(op: str) -> str | None:
    """The one spelling of this operator; none when nobody knows it."""
    if op in _KNOWN:
        return op
    lowered = " ".join(op.strip().lower().split())
    if lowered in _KNOWN:
        return lowered
    return _ALIASES.get(lowered)
