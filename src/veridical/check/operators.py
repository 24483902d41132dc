"""The operators of structured filters: one spelling each, with the others that people write."""

from veridical.contracts.call import BrowseCall, TableCall

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


def respelled(call: TableCall) -> TableCall:
    """The call with every known operator in its one spelling."""
    if isinstance(call, BrowseCall) or all(each.op in _KNOWN for each in call.filters):
        return call
    filters = tuple(
        each.model_copy(update={"op": canonical(each.op) or each.op}) for each in call.filters
    )
    return call.model_copy(update={"filters": filters})


def canonical(op: str) -> str | None:
    """The one spelling of this operator; none when nobody knows it."""
    if op in _KNOWN:
        return op
    lowered = " ".join(op.strip().lower().split())
    if lowered in _KNOWN:
        return lowered
    return _ALIASES.get(lowered)
