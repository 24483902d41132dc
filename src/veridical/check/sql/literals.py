"""Values written in SQL."""

from sqlglot import exp

from veridical.check.facts import Literal, LiteralKind

OTHER = Literal(LiteralKind.OTHER)
_TEMPORAL_CASTS = frozenset({"DATE", "TIMESTAMP", "TIMESTAMPTZ", "DATETIME"})
_MOMENTS = (
    exp.CurrentDate,
    exp.CurrentTimestamp,
    exp.CurrentDatetime,
    exp.Localtimestamp,
    exp.StrToDate,
    exp.StrToTime,
    exp.UnixToTime,
    exp.TsOrDsToDate,
    exp.TimestampTrunc,
    exp.DateTrunc,
    exp.DateFromParts,
    exp.TimestampFromParts,
)
_UNWRITTEN = (exp.Query, exp.Placeholder, exp.Parameter)
_SEVERAL = (exp.Any, exp.All, exp.Tuple)
_MOMENT_FUNCTIONS = frozenset({"make_date", "make_timestamp"})


def literal_of(node: exp.Expr) -> Literal | None:
    """The single value this expression is; none when it depends on columns."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return None
    if isinstance(node, exp.Literal):
        if node.is_string:
            return Literal(LiteralKind.TEXT, node.this)
        return Literal(LiteralKind.NUMBER, _number(node.this))
    if isinstance(node, exp.Neg):
        inner = literal_of(node.this)
        if inner is None or inner.kind is not LiteralKind.NUMBER:
            return inner
        return Literal(LiteralKind.NUMBER, -inner.value)
    if isinstance(node, exp.Boolean):
        return Literal(LiteralKind.BOOLEAN, node.this)
    if isinstance(node, exp.Null):
        return Literal(LiteralKind.NULL)
    if isinstance(node, exp.Cast):
        return _cast(node)
    if isinstance(node, _UNWRITTEN):
        return OTHER
    if isinstance(node, _SEVERAL):
        return None
    if node.find(exp.Column):
        return None
    return Literal(LiteralKind.DATE, node.sql()) if is_moment(node) else OTHER


def is_written(node: exp.Expr) -> bool:
    """True for a number or a text that is written out."""
    value = literal_of(node)
    return value is not None and value.kind in (LiteralKind.NUMBER, LiteralKind.TEXT)


def is_moment(node: exp.Expr) -> bool:
    """True for an expression that gives a day or a point in time."""
    node = node.unnest()
    if isinstance(node, exp.Cast):
        return is_temporal_cast(node)
    if isinstance(node, exp.Add | exp.Sub):
        return is_moment(node.this) and not is_moment(node.expression)
    if isinstance(node, exp.Anonymous):
        return node.name.casefold() in _MOMENT_FUNCTIONS
    return isinstance(node, _MOMENTS)


def is_temporal_cast(node: exp.Cast) -> bool:
    """True for a cast to a day or a point in time."""
    return isinstance(node.to.this, exp.DType) and node.to.this.name in _TEMPORAL_CASTS


def _cast(node: exp.Cast) -> Literal | None:
    inner = literal_of(node.this)
    if inner is None:
        return None
    if not is_temporal_cast(node):
        return OTHER
    return Literal(LiteralKind.DATE, inner.value if inner.kind is LiteralKind.TEXT else node.sql())


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return float("nan")
