"""Aggregates and window functions to cells."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from veridical.contracts.lineage import OriginKind
from veridical.lineage import functions
from veridical.lineage.cell import (
    COMPUTED,
    COUNT,
    SOME_LITERAL,
    UNKNOWN,
    UNREDEEMED,
    Cell,
    joins_only,
    worst,
)
from veridical.lineage.choices import chosen
from veridical.lineage.scope import Rows

Read = Callable[[exp.Expr], Cell]

_SHARES = frozenset(map(Decimal, (0, 1, 100, 1000)))
_ONE = frozenset({Decimal(1)})
"""Where 1 stands in, rows are counted: the sum is their number."""
_BY_ROWS = frozenset({Rows.READ})
_Wrappers = exp.Filter | exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls
_AGGREGATES = exp.AggFunc | _Wrappers
_LISTS = (exp.GroupConcat, exp.ArrayAgg)


def is_aggregate(node: exp.Expr) -> bool:
    """True for an aggregate, with or without FILTER and WITHIN GROUP."""
    return isinstance(node, _AGGREGATES)


def aggregate(node: exp.Expr, rows: Rows, read: Read) -> Cell:
    """One value from many rows."""
    if isinstance(node, exp.WithinGroup):
        order = node.expression
        ordered = order.expressions[0] if order.expressions else None
        inner = node.this
        if isinstance(inner, exp.Filter):
            inner = inner.this
        if isinstance(inner, exp.GroupConcat):
            return aggregate(inner, rows, read)
        return _taken(read(ordered), rows) if ordered is not None else UNKNOWN
    if isinstance(node, _Wrappers):
        return aggregate(node.this, rows, read) if is_aggregate(node.this) else UNKNOWN
    if isinstance(node, functions.COUNTS):
        return _count(node, rows, read)
    of = node.this
    if not isinstance(of, exp.Expr):
        return UNKNOWN
    cell = read(of)
    if isinstance(node, exp.Sum):
        return _sum(cell, rows)
    if isinstance(node, exp.Avg):
        return _mean(cell, rows)
    if isinstance(node, functions.EXTREMES):
        return replace(cell, kind=OriginKind.AGGREGATE) if cell.is_data else cell
    if isinstance(node, _LISTS):
        return _listed(node, cell, read)
    return _taken(cell, rows)


def window(node: exp.Window, rows: Rows, read: Read) -> Cell:
    """A value that looks at other rows as well."""
    called = node.this
    while isinstance(called, exp.IgnoreNulls | exp.RespectNulls):
        called = called.this
    if isinstance(called, functions.RANKS):
        return COMPUTED if rows is not Rows.WRITTEN else SOME_LITERAL
    if isinstance(called, functions.SHIFTS):
        cell, default = read(called.this), called.args.get("default")
        return cell if default is None else chosen([cell, read(default)], [cell])
    if is_aggregate(called):
        return aggregate(called, rows, read)
    return UNKNOWN


def _count(node: exp.Expr, rows: Rows, read: Read) -> Cell:
    if rows not in _BY_ROWS:
        return SOME_LITERAL if rows is Rows.WRITTEN else UNREDEEMED
    of = node.this
    if isinstance(of, exp.Distinct):
        cells = [read(each) for each in of.expressions]
        spoilt = worst(cells)
        if spoilt is not None or not all(cell.is_data for cell in cells):
            return spoilt or UNREDEEMED
        if any(len(cell.written) > 1 for cell in cells):
            return UNREDEEMED
        if any(cell.written for cell in cells):
            return replace(COUNT, written=_ONE)  # one more group, which may be the only one
    return COUNT


def _sum(cell: Cell, rows: Rows) -> Cell:
    if cell.flag or (cell.is_literal and cell.known and cell.number == 1):
        return COUNT if rows in _BY_ROWS else UNREDEEMED
    if cell.is_literal:
        return UNREDEEMED if rows is not Rows.WRITTEN else SOME_LITERAL  # so much for each row
    return _taken(cell, rows)


def _mean(cell: Cell, rows: Rows) -> Cell:
    if cell.flag and rows is not Rows.WRITTEN:
        return Cell(OriginKind.COMPUTED, ratio=True)
    if cell.is_literal and cell.chosen and cell.known and cell.written <= _SHARES:
        return Cell(OriginKind.COMPUTED, ratio=True)
    return cell if cell.is_literal else _taken(cell, rows)


def _taken(cell: Cell, rows: Rows) -> Cell:
    if cell.is_literal:
        return SOME_LITERAL
    if not cell.is_data:
        return cell
    if rows is Rows.WRITTEN or not cell.written <= _ONE:
        return UNREDEEMED
    counts = bool(cell.written) or cell.counts
    return Cell(OriginKind.AGGREGATE, cell.written, counts=counts, ratio=cell.ratio)


def _listed(node: exp.Expr, cell: Cell, read: Read) -> Cell:
    separator = node.args.get("separator")
    between = read(separator) if separator is not None else None
    if not cell.is_data or cell.written:
        return SOME_LITERAL if cell.is_literal else UNREDEEMED if cell.is_data else cell
    if between is not None:
        sound = between.is_literal and between.known and joins_only([*map(str, between.written)])
        if not sound:
            return UNREDEEMED
    return replace(cell, kind=OriginKind.AGGREGATE)
