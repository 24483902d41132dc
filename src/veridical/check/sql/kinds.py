"""The family of values that an expression gives, and what takes times apart, moves them, or makes
them from numbers."""

from functools import cache

from sqlglot import exp

from veridical.check.facts import FROM_DATE_TEXT, FROM_MILLISECONDS, FROM_SECONDS
from veridical.check.sql.literals import is_temporal_cast
from veridical.check.sql.scope import SelectScope
from veridical.contracts.schema import ValueType, value_type_of
from veridical.statement.reader import with_subkinds

DATE_FUNCTIONS = (
    exp.Extract, exp.Year, exp.Month, exp.Day, exp.Quarter, exp.DateTrunc, exp.TimestampTrunc,
    exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.Date, exp.DateDiff, exp.DateAdd, exp.DateSub,
    exp.ToChar, exp.TimeToStr, exp.Week, exp.DayOfWeek, exp.StrToTime, exp.StrToDate,
)  # fmt: skip
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


def reads_time(node: exp.Expr) -> bool:
    """True for what takes a time apart or moves it: it can't be given seconds."""
    if isinstance(node, exp.Cast):
        return is_temporal_cast(node)
    if isinstance(node, exp.Anonymous):
        return node.name.casefold() == "age"
    return isinstance(node, DATE_FUNCTIONS) or (
        isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval)
    )


def read_as_milliseconds(node: exp.Expr) -> bool:
    """True for a conversion of a number that is divided by 1000 first."""
    return _is_thousandth(node.this.unnest())


_OTHER_NUMBERS = frozenset({"auto", "julianday"})
"""Modifiers with which SQLite reads a number that is, or may be, no count of seconds."""
_OWN = frozenset({"date", "datetime", "time", "julianday", "unixepoch", "strftime"})


def sqlite_time(node: exp.Expr) -> tuple[exp.Expr, str] | None:
    """The call of SQLite's functions of time around a value, and how it reads the value.

    ``date(x)`` reads a text, ``date(x, 'unixepoch')`` seconds.
    """
    if not isinstance(node, exp.Anonymous) or node.name.casefold() not in _OWN:
        return None
    place = 1 if node.name.casefold() == "strftime" else 0
    given = node.expressions[place : place + 1]
    modifiers = {each.name.casefold() for each in node.expressions[place + 1 :] if each.is_string}
    if not given or modifiers & _OTHER_NUMBERS:
        return None
    if "unixepoch" not in modifiers:
        return node, FROM_DATE_TEXT
    inner = given[0].unnest()
    return (inner, FROM_MILLISECONDS) if _is_thousandth(inner) else (node, FROM_SECONDS)


def _is_thousandth(node: exp.Expr) -> bool:
    return isinstance(node, exp.Div) and node.expression.name in ("1000", "1000.0")


_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)
_PREFIXES = (exp.Left, exp.Substring)


def coalesced(node: exp.Expr) -> list[exp.Expr]:
    """The values of a COALESCE, also of ``CASE WHEN x IS NULL THEN y ELSE x END``; of any other
    expression, itself alone."""
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Case) and node.args.get("this") is None and len(node.args["ifs"]) == 1:
        branch, rest = node.args["ifs"][0], node.args.get("default")
    else:
        branch, rest = node, node.args.get("false") if isinstance(node, exp.If) else None
    if rest is None:
        return [node]
    value, test = branch.args["true"].unnest(), branch.this.unnest()
    if isinstance(test, exp.Not):
        value, rest, test = rest.unnest(), value, test.this.unnest()
    empty = isinstance(test, exp.Is) and isinstance(test.expression, exp.Null)
    return [test.this, value] if empty and test.this == rest.unnest() else [node]


def is_choosing_form(node: exp.Expr) -> bool:
    """True for a function of a column whose value depends on the column's: a part of a date,
    the beginning of a text. A function that may turn all values into one does not count."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return True
    if isinstance(node, _ARITHMETIC):
        return _keeps_apart(node)
    if isinstance(node, exp.Cast | exp.TryCast):
        return is_choosing_form(node.this)
    if isinstance(node, _PREFIXES):
        start, length = (
            node.args.get("start"),
            node.args.get("length") or node.args.get("expression"),
        )
        beginning = start is None or start.name == "1"
        some = not isinstance(length, exp.Expr) or length.name != "0"
        return beginning and some and is_choosing_form(node.this)
    if isinstance(node, (*DATE_FUNCTIONS, exp.UnixToTime)):
        inner = [each for each in node.iter_expressions() if each.find(exp.Column)]
        return len(inner) == 1 and is_choosing_form(inner[0])
    return False


def _keeps_apart(node: exp.Expr) -> bool:
    """A number added or multiplied, but for 0; or two parts of a date put together."""
    inner = [each.unnest() for each in (node.this, node.expression) if each.find(exp.Column)]
    written = [each for each in (node.this, node.expression) if not each.find(exp.Column)]
    if len(inner) == 2:
        return (
            isinstance(node, exp.Add) and inner[0] != inner[1] and all(map(is_choosing_form, inner))
        )
    return is_choosing_form(inner[0]) and all(each.name not in ("0", "0.0") for each in written)


def type_of(scope: SelectScope, node: exp.Expr) -> ValueType | None:
    """The type of this expression; none when that is not known."""
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


def _agreed(scope: SelectScope, branches: list[exp.Expr | None]) -> ValueType | None:
    """The one type of all branches; a literal takes the type of what stands beside it."""
    kinds = {
        type_of(scope, each)
        for each in branches
        if each is not None and not isinstance(each, exp.Literal | exp.Null | exp.Boolean)
    }
    return kinds.pop() if len(kinds) == 1 else None


def _moved(scope: SelectScope, node: exp.Expr) -> ValueType | None:
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
