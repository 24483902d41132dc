"""Functions that read a column directly, and those that take the day of a stored time."""

from sqlglot import exp

from veridical.check.facts import AS_TEXT, FROM_MILLISECONDS, FROM_SECONDS, Applied, Origin
from veridical.check.sql.kinds import read_as_milliseconds, reads_as_text, reads_time, sqlite_time
from veridical.check.sql.literals import is_temporal_cast
from veridical.check.sql.scope import SelectScope

_SAME_TIME = (exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.Min, exp.Max)
"""Forms that return the kind of time they take: the earliest of stored times is a stored time."""
_OF_DAYS = (
    exp.Date, exp.TsOrDsToDate, exp.DateTrunc, exp.TimestampTrunc, exp.Extract, exp.Year, exp.Month,
    exp.Day, exp.Quarter, exp.Week, exp.DayOfWeek,
)  # fmt: skip
_WITHIN_A_DAY = frozenset({"hour", "minute", "second", "epoch"})
_OWN_DAYS = frozenset({"date", "strftime"})
_BEGINNINGS = (exp.Substring, exp.Left)
_LONGEST_DAY = 10
"""The characters of a written day."""


def note_applied(scope: SelectScope, node: exp.Expr) -> None:
    """Notes what this function does to the columns that it reads."""
    if takes_day(node):
        scope.work.facts.days.extend(_origins(scope, node))
    if reads_time(node):
        note_function(scope, node, type(node).__name__.upper())
    elif reads_as_text(node):
        note_function(scope, node, AS_TEXT)
    elif isinstance(node, exp.UnixToTime):
        milliseconds = read_as_milliseconds(node)
        inner = node.this.unnest() if milliseconds else node
        note_function(scope, inner, FROM_MILLISECONDS if milliseconds else FROM_SECONDS)
    elif scope.work.dialect.name == "sqlite" and (read := sqlite_time(node)) is not None:
        note_function(scope, *read)


def note_function(scope: SelectScope, node: exp.Expr, name: str) -> None:
    """Notes that this function reads columns as they are stored."""
    scope.work.facts.applied.extend(Applied(name, origin) for origin in _origins(scope, node))


def takes_day(node: exp.Expr) -> bool:
    """True for what gives the day, the month or the year of a time as it is stored: a shift within
    would make it another expression."""
    if isinstance(node, exp.Cast | exp.TryCast):
        return is_temporal_cast(node) and node.to.is_type(exp.DType.DATE)
    if isinstance(node, exp.TimeToStr | exp.ToChar):
        form = node.args.get("format")
        return form is not None and not any(each in form.name for each in ("%H", "HH", "%s"))
    if isinstance(node, _BEGINNINGS):
        length = node.args.get("length") or node.args.get("expression")
        return length is not None and length.name.isdigit() and int(length.name) <= _LONGEST_DAY
    if isinstance(node, exp.Anonymous):
        return node.name.casefold() in _OWN_DAYS and not _is_shifted(node)
    part = str(node.args.get("unit") or node.this).casefold()
    return isinstance(node, _OF_DAYS) and part not in _WITHIN_A_DAY


def _is_shifted(node: exp.Anonymous) -> bool:
    """True for ``date(x, '+2 hours')`` and ``date(x, 'localtime')``."""
    modifiers = [each.name.casefold() for each in node.expressions if each.is_string]
    return any("hour" in each or "minute" in each or "local" in each for each in modifiers) or any(
        not each.is_string and not isinstance(each.unnest(), exp.Column)
        for each in node.expressions
    )


def _origins(scope: SelectScope, node: exp.Expr) -> list[Origin]:
    found: list[Origin] = []
    for child in node.iter_expressions():
        bared = child.unnest()
        while isinstance(bared, _SAME_TIME):
            bared = bared.this.unnest()
        output = scope.work.resolved.get(id(bared))
        if output is not None:
            found += [
                term.origin
                for term in output.terms
                if not term.via and output.type in (None, term.origin.column.type)
            ]
    return found
