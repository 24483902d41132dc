"""From a checked query to the SQL that runs: one path for structured calls and for raw SQL.

What is written for a structured call depends on its *shape* alone, never on its values, so the
text can be kept; the values travel beside it as bound parameters.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.call import AggregateCall, BrowseCall, QueryCall, TableCall
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Bound, Statement
from veridical.ontology.catalog import Catalog, TableCard
from veridical.statement.errors import EngineError, Problem
from veridical.statement.filters import FilterShape, bound_values, condition, filter_shape
from veridical.statement.read_back import content_of, read_back
from veridical.statement.reader import GRAMMARS
from veridical.statement.scope import Ground, ScopeShape, Slot, apply_scope

_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "count": exp.Count,
    "sum": exp.Sum,
    "avg": exp.Avg,
    "min": exp.Min,
    "max": exp.Max,
    "median": exp.Median,
    "stddev": exp.Stddev,
}
_DISTINCT = "count_distinct"


def with_limit(tree: exp.Query, rows: int) -> exp.Query:
    """The tree asking for one row more than allowed, so that a cut is seen.

    A limit of the query's own stays unless it is a larger number; the fetch stops in any case.
    """
    return _limited(tree, rows, rows + 1)


def at_most(tree: exp.Query, rows: int | None) -> exp.Query:
    """The tree asking for this many rows at most."""
    return tree if rows is None else _limited(tree, rows, rows)


def _limited(tree: exp.Query, rows: int, limit: int) -> exp.Query:
    while isinstance(tree, exp.Subquery) and tree.is_wrapper:
        tree = tree.this  # PostgreSQL takes no limit outside of parentheses that hold one
    own = tree.args.get("limit")
    if own is None or (isinstance(own, exp.Limit) and _exceeds(own.expression, rows)):
        tree.set("limit", exp.Limit(expression=exp.Literal.number(limit)))
    return tree


def _exceeds(limit: exp.Expr, rows: int) -> bool:
    return isinstance(limit, exp.Literal) and limit.is_int and int(limit.name) > rows


class Emitted(NamedTuple):
    """SQL whose last parameters are the values of these tenant columns, one after the other."""

    sql: str
    slots: tuple[Slot, ...]
    tables: tuple[tuple[str, ...], ...]

    def bind(self, values: tuple[Bound, ...], scope: Scope) -> Statement:
        """The statement for these filter values and this caller's tenants."""
        tenants = (str(value) for _, column in self.slots for value in scope.allowed[column])
        return Statement(self.sql, (*values, *tenants), self.tables)


class Shape(NamedTuple):
    """A structured call without its values."""

    table: str
    fields: tuple[str, ...] = ()
    aggregate: str | None = None
    measure: str | None = None
    filters: tuple[FilterShape, ...] = ()
    group_by: tuple[str, ...] = ()
    order_by: tuple[tuple[str, str], ...] = ()


def call_shape(call: TableCall) -> Shape:
    """The parts of this call that its SQL depends on, apart from its limit."""
    match call:
        case BrowseCall():
            return Shape(call.table_name, call.fields)
        case QueryCall():
            return Shape(
                call.table_name,
                call.fields,
                filters=tuple(map(filter_shape, call.filters)),
                order_by=tuple((key.field, key.direction) for key in call.order_by),
            )
        case AggregateCall():
            return Shape(
                call.table_name,
                aggregate=call.aggregate,
                measure=call.field,
                filters=tuple(map(filter_shape, call.filters)),
                group_by=call.group_by,
                order_by=tuple((key.field, key.direction) for key in call.order_by),
            )


def parameters_of(call: TableCall) -> tuple[Bound, ...]:
    """The filter values of a call, in the order of its parameters."""
    if isinstance(call, BrowseCall):
        return ()
    return tuple(value for each in call.filters for value in bound_values(each))


def tree_of(shape: Shape, catalog: Catalog, visible: Mapping[str, tuple[str, ...]]) -> exp.Select:
    """The statement of a structured call; its values are the parameters from ``$1`` on."""
    card = catalog.table(shape.table)
    if card is None:
        raise EngineError(Problem.UNKNOWN_TABLE, table=shape.table)
    writer = _Writer(card)
    groups = [writer.column(name) for name in shape.group_by]
    measure = None if shape.aggregate is None else writer.measure(shape)
    if measure is None:
        shown = [writer.column(name) for name in shape.fields or visible[card.name]]
    else:
        shown = [*groups, exp.alias_(measure, _label(shape), quoted=True)]
    table = exp.Table(this=exp.to_identifier(card.name, quoted=True))
    table.meta["table"] = card.name
    tree = exp.Select(expressions=shown, from_=exp.From(this=table))
    conditions = writer.conditions(shape.filters)
    if conditions:
        tree.set("where", exp.Where(this=exp.and_(*conditions, copy=False)))
    if groups:
        tree.set("group", exp.Group(expressions=[each.copy() for each in groups]))
    if shape.order_by:
        tree.set("order", exp.Order(expressions=writer.order(shape, measure)))
    return tree


def emit(
    tree: exp.Query, shape: ScopeShape, ground: Ground, rows: int, dialect: str, values: int = 0
) -> Emitted:
    """The SQL text of a tree, scoped and limited. ``values`` parameters are used already.

    The tree is used up: it is scoped in place, and what is written of it is not copied once more.
    """
    scoped = apply_scope(tree, shape, ground, values + 1)
    return Emitted(written(with_limit(scoped.tree, rows), dialect), scoped.slots, scoped.tables)


def written(tree: exp.Query, dialect: str) -> str:
    """The text of a scoped tree, read back. Raises ``EngineError`` where it reads as another one.

    The tree is used up: sqlglot changes it while it writes.
    """
    content = content_of(tree, dialect)
    try:
        sql = tree.sql(GRAMMARS.get(dialect, dialect), copy=False, comments=False)
    except (SqlglotError, ValueError, TypeError, AttributeError, KeyError, IndexError):
        # sqlglot writes what makes sense, and is not hardened against calls that make none
        raise EngineError(Problem.MISWRITTEN) from None
    read_back(sql, content, dialect)
    return sql


class _Writer:
    """Writes the parts of a structured call over one table."""

    def __init__(self, card: TableCard) -> None:
        self._card = card
        self._used = 0

    def column(self, name: str) -> exp.Column:
        card = self._card.column(name)
        if card is None:
            raise EngineError(Problem.NOT_ALLOWED, part=name)
        return exp.column(card.name, table=self._card.name, quoted=True)

    def measure(self, shape: Shape) -> exp.AggFunc:
        name = _function(shape)
        argument = exp.Star() if _counts_rows(shape) else self.column(shape.measure or "")
        if name == _DISTINCT:
            return exp.Count(this=exp.Distinct(expressions=[argument]))
        if name not in _AGGREGATES:
            raise EngineError(Problem.NOT_ALLOWED, part=name)
        return _AGGREGATES[name](this=argument)

    def conditions(self, shapes: tuple[FilterShape, ...]) -> list[exp.Expr]:
        return [
            condition(shape, self.column(shape.field), self._parameters(shape.values))
            for shape in shapes
        ]

    def order(self, shape: Shape, measure: exp.AggFunc | None) -> list[exp.Expr]:
        grouped = {name.casefold() for name in shape.group_by}
        return [
            exp.Ordered(
                this=self.column(name)
                if measure is None or name.casefold() in grouped
                else measure.copy(),
                desc=direction == "desc",
                nulls_first=False,
            )
            for name, direction in shape.order_by
        ]

    def _parameters(self, count: int) -> list[exp.Expr]:
        first = self._used + 1
        self._used += count
        return [
            exp.Parameter(this=exp.Literal.number(number)) for number in range(first, first + count)
        ]


def _label(shape: Shape) -> str:
    name = _function(shape)
    return name if _counts_rows(shape) else f"{name}_{shape.measure}"


def _function(shape: Shape) -> str:
    return (shape.aggregate or "").strip().lower()


def _counts_rows(shape: Shape) -> bool:
    return shape.measure in (None, "*")
