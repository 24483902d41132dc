"""Conditions that tie literals to data: ``column = 'x'``, columns that must be equal, and literal
outputs that a condition supports: ``2024 AS year`` over 2024."""

import re
from collections.abc import Iterator
from decimal import Decimal

from sqlglot import exp

from veridical.lineage.cell import Cell, Value, read_literal
from veridical.lineage.scope import LineageScope

_OUTER = frozenset({"LEFT", "RIGHT", "FULL"})
_ISO = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = re.compile(r"((?:19|20)\d\d)-(\d\d)")
_DAY = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_QUARTER = re.compile(r"(?:((?:19|20)\d\d)[- ]?Q([1-4])|Q([1-4])[- ]?((?:19|20)\d\d))", re.I)


def conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The parts that must all hold."""
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        for each in condition.flatten():
            yield from conjuncts(each) if isinstance(each.unnest(), exp.And) else (each.unnest(),)
    else:
        yield condition


def equal_values(condition: exp.Expr, scope: LineageScope) -> frozenset[Value]:
    """The values that some column of a table has in every row."""
    found: set[Value] = set()
    for part in conjuncts(condition):
        if isinstance(part, exp.EQ):
            for side, other in ((part.this, part.expression), (part.expression, part.this)):
                cell = read_literal(other)
                if cell is None or not cell.known or not isinstance(side, exp.Column):
                    continue
                if scope.column(side).is_data:
                    found.update(cell.written)
    return frozenset(found)


def keeps_nothing(condition: exp.Expr) -> bool:
    """True for a part that reads nothing and is not plainly true: ``1 = 0``."""
    for part in conjuncts(condition):
        reads = part.find(exp.Column, exp.Subquery, exp.Query, exp.Func) is not None
        if not reads and not _is_true(part):
            return True
    return False


def _is_true(part: exp.Expr) -> bool:
    if isinstance(part, exp.Boolean):
        return bool(part.this)
    if isinstance(part, exp.EQ):
        return part.this == part.expression
    return isinstance(part, exp.Literal) and part.name == "1"


def meeting(node: exp.Select, scope: LineageScope) -> set[tuple[str, str]]:
    """The columns of literal sources that equal a column of a table in every row.

    An outer join keeps rows that meet nothing: there, only days are labels of what is missing.
    """
    found: set[tuple[str, str]] = set()
    where = node.args.get("where")
    if where is not None:
        found |= _met(where.this, scope, outer=False)
    for join in node.args.get("joins") or ():
        condition = join.args.get("on")
        outer = (join.side or "").upper() in _OUTER
        if condition is not None:
            found |= _met(condition, scope, outer=outer)
        if not outer:
            found |= _using(join, scope)
    return found


def _using(join: exp.Join, scope: LineageScope) -> set[tuple[str, str]]:
    names = [each.name.casefold() for each in join.args.get("using") or ()]
    reads = any(relation.is_table for relation in scope.sources.values())
    return {
        (key, name)
        for name in names
        for key, relation in scope.sources.items()
        if reads and not relation.is_table and relation.cell(name) is not None
    }


def _met(condition: exp.Expr, scope: LineageScope, *, outer: bool) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for part in conjuncts(condition):
        if not isinstance(part, exp.EQ):
            continue
        for side, other in ((part.this, part.expression), (part.expression, part.this)):
            if not isinstance(side, exp.Column):
                continue
            spot = _spot(side, scope)
            cell = scope.column(side)
            if spot is None or not cell.is_literal or (outer and not cell.temporal):
                continue
            if any(scope.column(each).is_data for each in other.find_all(exp.Column)):
                found.add(spot)
    return found


def _spot(column: exp.Column, scope: LineageScope) -> tuple[str, str] | None:
    name, table = column.name.casefold(), column.table.casefold()
    keys = [table] if table else list(scope.sources)
    for key in keys:
        relation = scope.sources.get(key)
        if relation is not None and not relation.is_table and relation.cell(name) is not None:
            return key, name
    return None


def time_limits(condition: exp.Expr, scope: LineageScope) -> tuple[str, str] | None:
    """The first and the last day, as ISO texts, that conditions on data let through."""
    lows: list[str] = []
    highs: list[str] = []
    for part in conjuncts(condition):
        if isinstance(part, exp.Between) and _reads(part.this, scope):
            lows += _days(part.args.get("low"))
            highs += _days(part.args.get("high"))
        elif isinstance(part, exp.GTE | exp.GT) and _reads(part.this, scope):
            lows += _days(part.expression)
        elif isinstance(part, exp.LTE | exp.LT) and _reads(part.this, scope):
            highs += _days(part.expression)
        elif isinstance(part, exp.EQ | exp.Like) and _reads(part.this, scope):
            lows += _days(part.expression)
            highs += _days(part.expression)
    return (max(lows), min(highs)) if lows and highs else None


def _reads(node: exp.Expr, scope: LineageScope) -> bool:
    return any(scope.column(each).is_data for each in node.find_all(exp.Column))


def _days(node: exp.Expr | None) -> list[str]:
    if node is None or node.find(exp.Column) is not None:
        return []
    texts = [each.name for each in node.find_all(exp.Literal)]
    return [found.group() for text in texts[:1] if (found := _ISO.match(text))]


def vouched_label(cell: Cell, condition: exp.Expr, scope: LineageScope) -> bool:
    """True where every row that is let through has the literal, or lies in the period it names."""
    if not cell.known or len(cell.written) != 1:
        return False
    (value,) = cell.written
    if value in scope.equal_to or _plain(value) in {_plain(each) for each in scope.equal_to}:
        return True
    period = _period(_plain(value))
    limits = time_limits(condition, scope) if period else None
    if period is None or limits is None:
        return False
    first, last = limits
    return period[0] <= _from(first) and _from(last) <= period[1]


def _plain(value: Value) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value.strip().casefold()


def _period(text: str) -> tuple[str, str] | None:
    """The first day of a period, and the first day behind it."""
    if _YEAR.fullmatch(text):
        return f"{text}-01-01", f"{int(text) + 1}-01-01"
    found = _MONTH.fullmatch(text)
    if found:
        return f"{text}-01", _after(int(found[1]), int(found[2]))
    if _DAY.fullmatch(text):
        return text, text
    found = _QUARTER.fullmatch(text)
    if found:
        year, quarter = int(found[1] or found[4]), int(found[2] or found[3])
        return f"{year}-{3 * quarter - 2:02}-01", _after(year, 3 * quarter)
    return None


def _after(year: int, month: int) -> str:
    return f"{year + month // 12}-{month % 12 + 1:02}-01"


def _from(text: str) -> str:
    """The day that a limit begins at, or reaches to: for a year or a month, its first one."""
    return f"{text}-01-01" if len(text) == 4 else f"{text}-01" if len(text) == 7 else text
