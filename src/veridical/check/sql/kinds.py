"""The family of values that an expression gives, where the schema or its form says so."""

from functools import cache

from sqlglot import exp

from veridical.check.sql.scope import Scope
from veridical.check.sql.times import DATE_FUNCTIONS
from veridical.contracts.schema import ValueType, value_type_of
from veridical.statement.nodes import with_subkinds

_SAME_AS_INSIDE = with_subkinds(
    exp.Paren, exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Distinct, exp.Min, exp.Max,
    exp.AnyValue, exp.Neg, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.Order, exp.Ordered,
)  # fmt: skip
_TEXTS = (
    exp.DPipe, exp.Concat, exp.ConcatWs, exp.Lower, exp.Upper, exp.Trim, exp.Substring, exp.Left,
    exp.Right, exp.Replace, exp.ToChar, exp.TimeToStr, exp.Initcap, exp.JSONExtractScalar,
    exp.GroupConcat,
)  # fmt: skip
_MOMENTS = (exp.DateTrunc, exp.TimestampTrunc, exp.UnixToTime, exp.CurrentTimestamp)
_DAYS = (exp.TsOrDsToDate, exp.Date, exp.StrToDate, exp.CurrentDate)
_JSON = (exp.JSONExtract, exp.JSONObject, exp.JSONArrayAgg, exp.JSONObjectAgg)
_READ_AS_TEXT = with_subkinds(*_TEXTS, exp.Collate)
_CASTS = (exp.Cast, exp.TryCast)
_MOVES = (exp.Add, exp.Sub)
_TIMES = (ValueType.DATE, ValueType.TIMESTAMP)


def type_of(scope: Scope, node: exp.Expr) -> ValueType | None:
    """The type of this expression; none when nobody can tell."""
    node = node.unnest()
    resolved = scope.work.resolved.get(id(node))
    if resolved is not None:
        return resolved.type
    if isinstance(node, _CASTS):
        return value_type_of(node.to.sql())
    if isinstance(node, exp.Window):
        return type_of(scope, node.this)
    if isinstance(node, exp.Case):
        branches = [each.args.get("true") for each in node.args["ifs"]]
        return _agreed(scope, [*branches, node.args.get("default")])
    if isinstance(node, exp.If):
        return _agreed(scope, [node.args.get("true"), node.args.get("false")])
    if type(node) in _SAME_AS_INSIDE:
        return _agreed(scope, list(node.iter_expressions()))
    if isinstance(node, _MOVES):
        return _moved(scope, node)
    return _by_form(node)


def _by_form(node: exp.Expr) -> ValueType | None:
    return _family(type(node))


@cache
def _family(form: type[exp.Expr]) -> ValueType | None:
    for kinds, family in (
        (_TEXTS, ValueType.TEXT),
        (_MOMENTS, ValueType.TIMESTAMP),
        (_DAYS, ValueType.DATE),
        (_JSON, ValueType.JSON),
        (exp.Interval, ValueType.INTERVAL),
        ((exp.Count, exp.CountIf, exp.Extract), ValueType.INTEGER),
    ):
        if issubclass(form, kinds):
            return family
    return None


def _agreed(scope: Scope, branches: list[exp.Expr | None]) -> ValueType | None:
    """The one type of all branches; a literal takes the type of what stands beside it."""
    kinds = {
        type_of(scope, each)
        for each in branches
        if each is not None and not isinstance(each, exp.Literal | exp.Null | exp.Boolean)
    }
    return kinds.pop() if len(kinds) == 1 else None


def _moved(scope: Scope, node: exp.Expr) -> ValueType | None:
    """A time and an interval give a time; the difference of two times is an interval."""
    left, right = type_of(scope, node.this), type_of(scope, node.expression)
    if isinstance(node, exp.Sub) and left in _TIMES and right in _TIMES:
        return ValueType.INTERVAL
    if ValueType.INTERVAL in (left, right):
        return left if right is ValueType.INTERVAL else right
    return None


def reads_as_text(node: exp.Expr) -> bool:
    """True for what takes a number for the text of a date."""
    if isinstance(node, _CASTS):
        return value_type_of(node.to.sql()) in (ValueType.TEXT, ValueType.JSON, ValueType.TIME)
    return type(node) in _READ_AS_TEXT and not isinstance(node, DATE_FUNCTIONS)
