"""Values written in SQL."""

from sqlglot import exp

from veridical.check.facts import Kind, Literal

OTHER = Literal(Kind.OTHER)
_TEMPORAL_CASTS = frozenset({"DATE", "TIMESTAMP", "TIMESTAMPTZ", "DATETIME"})


def literal_of(node: exp.Expr) -> Literal | None:
    """The single value this expression is; none when it depends on columns."""
    node = node.unnest()
    if isinstance(node, exp.Literal):
        if node.is_string:
            return Literal(Kind.TEXT, node.this)
        return Literal(Kind.NUMBER, _number(node.this))
    if isinstance(node, exp.Neg):
        inner = literal_of(node.this)
        if inner is None or inner.kind is not Kind.NUMBER:
            return inner
        return Literal(Kind.NUMBER, -inner.value)
    if isinstance(node, exp.Boolean):
        return Literal(Kind.BOOLEAN, node.this)
    if isinstance(node, exp.Null):
        return Literal(Kind.NULL)
    if isinstance(node, exp.Cast):
        return _cast(node)
    if isinstance(node, exp.Query | exp.Placeholder | exp.Parameter):
        return OTHER
    if isinstance(node, exp.Column | exp.Any | exp.All | exp.Tuple):
        return None
    return None if node.find(exp.Column) else OTHER


def _cast(node: exp.Cast) -> Literal | None:
    inner = literal_of(node.this)
    if inner is None:
        return None
    target = node.to.this.name if isinstance(node.to.this, exp.DType) else ""
    if target in _TEMPORAL_CASTS and inner.kind is Kind.TEXT:
        return Literal(Kind.DATE, inner.value)
    return OTHER


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return float("nan")
