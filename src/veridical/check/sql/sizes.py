"""Limits on generated data: rows by recursion or series, text by repetition.

A statement of a few words can ask for terabytes. Every result must have a bound that the statement
itself shows; a table's own rows have one already.
"""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from veridical.check.facts import Problem
from veridical.check.sql.growth import COPYING, MAX_COPIES, may_copy_much, most_copies
from veridical.contracts.violation import Code
from veridical.statement.reader import has_any

MAX_ROWS = 100_000
"""Rows of one series."""
MAX_ROUNDS = 10_000
"""Rounds of a recursion over itself alone."""
MAX_JOINED_ROUNDS = 100
"""Rounds of a recursion that joins a table: each can multiply the rows."""
MAX_TEXT = 10_000
"""Characters of a text that is padded or repeated."""
_SERIES = (exp.GenerateSeries, exp.ExplodingGenerateSeries)
_MAKING = (exp.With, exp.Repeat, exp.Pad, *_SERIES)
_BOUNDS = (exp.LT, exp.LTE)
_OPPOSITES = {exp.GTE: exp.LT, exp.GT: exp.LTE, exp.LTE: exp.GT, exp.LT: exp.GTE}
_TURNED = (exp.GT, exp.GTE)


def unbounded_part(
    tree: exp.Query, nodes: Iterable[exp.Expr], types: frozenset[type[exp.Expr]]
) -> Problem | None:
    """The first part of a statement that makes more than it should, or has no bound.

    ``nodes`` are all parts of the tree, and ``types`` are theirs.
    """
    making = (
        [each for each in nodes if isinstance(each, _MAKING)] if has_any(types, _MAKING) else ()
    )
    for node in making:
        problem: Problem | None = None
        if isinstance(node, exp.With):
            problem = _recursion(node) if node.args.get("recursive") else None
        elif isinstance(node, _SERIES):
            problem = _series(node)
        elif isinstance(node, exp.Repeat):
            problem = _text(node, node.args.get("times"))
        else:
            problem = _text(node, node.expression)
        if problem is not None:
            return problem
    if has_any(types, COPYING) and may_copy_much(nodes) and most_copies(tree) > MAX_COPIES:
        return Problem(Code.TOO_COMPLEX, "concat", None, "size")
    return None


def _recursion(with_: exp.With) -> Problem | None:
    for cte in with_.expressions:
        body = cte.this
        names = [table for table in body.find_all(exp.Table) if _is_named(table, cte.alias)]
        if names and not _is_bounded(cte, body, len(names)):
            return Problem(Code.TOO_COMPLEX, cte.alias, None, "recursion")
    return None


def _is_named(table: exp.Table, name: str) -> bool:
    return not table.db and table.name.casefold() == name.casefold()


def _is_bounded(cte: exp.CTE, body: exp.Expr, mentions: int) -> bool:
    """True for a counter with a limit; for rows that are compared with something of the data, such
    as the days of a calendar; and for rows that are joined to a table by their columns, such as
    those below a row: these end where the data does, and the engine's limits hold."""
    step = body.expression.unnest() if isinstance(body, exp.SetOperation) else None
    if not isinstance(step, exp.Select) or mentions != 1:
        return False
    alone = not step.args.get("joins") and not step.args.get("laterals")
    most = MAX_ROUNDS if alone else MAX_JOINED_ROUNDS
    names = _columns_of(cte, body.this)
    counters = _counters(names, step)
    listed = _conditions_of(step)
    if any(_limits(each, counters, most) for each in listed):
        return True
    if alone:
        return any(_ends_with_data(each, names) for each in listed)
    if any(join.args.get("using") for join in step.args.get("joins") or ()):
        return True
    return any(_follows_rows(each, _mention(step, cte.alias)) for each in listed)


def _conditions_of(step: exp.Select) -> list[exp.Expr]:
    """What each row of a round must meet: WHERE, and the ON of its joins."""
    where = step.args.get("where")
    whole = [where.this] if where is not None else []
    whole += [join.args["on"] for join in step.args.get("joins") or () if join.args.get("on")]
    return [
        _not_negated(part.unnest())
        for each in whole
        for part in (each.flatten() if isinstance(each, exp.And) else [each])
    ]


def _not_negated(condition: exp.Expr) -> exp.Expr:
    """``n < 12`` for ``NOT n >= 12``."""
    inner = condition.this.unnest() if isinstance(condition, exp.Not) else None
    turned = _OPPOSITES.get(type(inner)) if inner is not None else None
    if inner is None or turned is None:
        return condition
    return turned(this=inner.this.copy(), expression=inner.expression.copy())


def _ends_with_data(condition: exp.Expr, names: list[str]) -> bool:
    """``day < '2025-12-31'``, ``day < (SELECT MAX(day) FROM …)``: a number alone is no end, as a
    counter with a limit is one already."""
    if not isinstance(condition, (*_BOUNDS, *_TURNED)):
        return False
    folded = {name.casefold() for name in names}
    sides = (condition.this, condition.expression)
    grows = any(each.name.casefold() in folded for each in condition.find_all(exp.Column))
    return grows and all(_number(each) is None for each in sides)


def _follows_rows(condition: exp.Expr, alias: str) -> bool:
    """``child.parent_id = r.id``."""
    if not isinstance(condition, exp.EQ):
        return False
    near = [each.table.casefold() for each in condition.this.find_all(exp.Column)]
    far = [each.table.casefold() for each in condition.expression.find_all(exp.Column)]
    return bool(near) and bool(far) and (alias in near) is not (alias in far)


def _mention(step: exp.Select, name: str) -> str:
    """The name by which a round speaks of the one before."""
    found = next(table for table in step.find_all(exp.Table) if _is_named(table, name))
    return found.alias_or_name.casefold()


def _columns_of(cte: exp.CTE, anchor: exp.Expr) -> list[str]:
    alias = cte.args.get("alias")
    listed = alias.args.get("columns") if alias is not None else None
    first = anchor.unnest()
    shown = first.expressions if isinstance(first, exp.Select) else []
    return [each.name for each in listed] if listed else [each.alias_or_name for each in shown]


def _counters(names: list[str], step: exp.Select) -> frozenset[str]:
    """The columns that grow by at least one with every round."""
    return frozenset(
        name.casefold()
        for name, each in zip(names, step.expressions, strict=False)
        if _counts(each.unalias(), name)
    )


def _counts(value: exp.Expr, name: str) -> bool:
    value = value.unnest()
    if not isinstance(value, exp.Add):
        return False
    column, more = value.this.unnest(), _number(value.expression)
    is_own = isinstance(column, exp.Column) and column.name.casefold() == name.casefold()
    return is_own and more is not None and more >= 1


def _limits(condition: exp.Expr, counters: frozenset[str], most: int) -> bool:
    if isinstance(condition, _BOUNDS):
        counter, limit = condition.this, condition.expression
    elif isinstance(condition, _TURNED):
        counter, limit = condition.expression, condition.this
    else:
        return False
    counter = counter.unnest()
    if isinstance(counter, exp.Add) and _number(counter.expression) is not None:
        counter = counter.this.unnest()  # n + 1 <= 12
    known = _number(limit)
    is_counter = isinstance(counter, exp.Column) and counter.name.casefold() in counters
    return is_counter and known is not None and known <= most


def _series(node: exp.Expr) -> Problem | None:
    start, end, step = (node.args.get(each) for each in ("start", "end", "step"))
    first, last = _number(start or exp.Literal.number(0)), _number(end)
    if first is not None and last is not None:
        by = _number(step) if step is not None else Decimal(1)
        if by and abs(last - first) / abs(by) <= MAX_ROWS:
            return None
    elif any(each is not None and _comes_from_data(each) for each in (start, end)) and (
        step is None or not _is_tiny(step)
    ):
        return None
    return Problem(Code.TOO_COMPLEX, node.sql()[:40], None, "size")


def _comes_from_data(node: exp.Expr) -> bool:
    """True for dates, and for what is taken from columns."""
    dated = (exp.Column, exp.Cast, exp.CurrentDate, exp.CurrentTimestamp, exp.DateFromParts)
    return node.find(*dated) is not None


def _is_tiny(step: exp.Expr) -> bool:
    """A step of less than an hour makes millions of rows out of some years."""
    text = step.sql().casefold()
    return any(unit in text for unit in ("second", "milli", "micro", "minute", "sec'"))


def _text(node: exp.Expr, size: exp.Expr | None) -> Problem | None:
    known = _number(size)
    if known is not None and known <= MAX_TEXT and not node.this.find(exp.Repeat, exp.Pad):
        return None
    return Problem(Code.TOO_COMPLEX, node.sql()[:40], None, "size")


def _number(node: exp.Expr | None) -> Decimal | None:
    """The number that is written here; none where it must be computed."""
    if node is None:
        return None
    node = node.unnest()
    if isinstance(node, exp.Neg):
        inner = _number(node.this)
        return None if inner is None else -inner
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    try:
        return Decimal(node.name)
    except InvalidOperation:
        return None
