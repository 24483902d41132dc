"""What takes points in time apart, moves them, or makes them from numbers."""

from sqlglot import exp

from veridical.check.facts import FROM_DATE_TEXT, FROM_MILLISECONDS, FROM_SECONDS
from veridical.check.sql.literals import is_temporal_cast

DATE_FUNCTIONS = (
    exp.Extract,
    exp.Year,
    exp.Month,
    exp.Day,
    exp.Quarter,
    exp.DateTrunc,
    exp.TimestampTrunc,
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.Date,
    exp.DateDiff,
    exp.DateAdd,
    exp.DateSub,
    exp.ToChar,
    exp.TimeToStr,
    exp.Week,
    exp.DayOfWeek,
    exp.StrToTime,
    exp.StrToDate,
)


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
"""With these, SQLite's functions take a number that is no count of seconds, or may be none."""
_OWN = frozenset({"date", "datetime", "time", "julianday", "unixepoch", "strftime"})


def sqlite_time(node: exp.Expr) -> tuple[exp.Expr, str] | None:
    """What SQLite's own functions of time take a value for: the node around it, and how it is read.

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


def is_choosing_form(node: exp.Expr) -> bool:
    """True for a function of a column whose value tells something of the column's: a part of a
    date, the beginning of a text. What may turn all values into one tells nothing."""
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
