"""A statement to the lineage of its result; fails closed on every form that is not understood."""

import logging
from collections.abc import Sequence

from sqlglot import exp

from veridical.contracts.lineage import ColumnOrigin, Lineage, OriginKind
from veridical.lineage.cell import Cell
from veridical.lineage.queries import read_query
from veridical.lineage.scope import Output, Relation, Rows
from veridical.statement.reader import parsed

_log = logging.getLogger("veridical.lineage")
UNREADABLE = Lineage(columns=(), rows_read=False)
"""The lineage of an unreadable statement: no column of it proves anything."""


def lineage_of(tree: exp.Expr) -> Lineage:
    """The origins of the columns of a statement's result. Never raises."""
    if not isinstance(tree, exp.Query | exp.Values | exp.Subquery):
        return UNREADABLE
    try:
        return _summary(read_query(tree, {}))
    except RecursionError:
        return UNREADABLE
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, ArithmeticError):
        # A form of SQL that was not foreseen proves nothing; the fault is ours, so it is logged.
        _log.exception("can't follow the columns of a statement that sqlglot parses")
        return UNREADABLE


def lineage_of_text(sql: str, dialect: str | None = None) -> Lineage:
    """The same from text, of any engine: the first grammar that reads it."""
    tree = parsed(sql, dialect)
    return UNREADABLE if tree is None else lineage_of(tree)


def _summary(relation: Relation) -> Lineage:
    outputs = relation.outputs
    stars = [at for at, output in enumerate(outputs) if output.star]
    rows_read = relation.rows in (Rows.READ, Rows.LIMITED) or (
        relation.rows is Rows.ONE and relation.reads
    )
    if not stars:
        return Lineage(columns=_origins(outputs), rows_read=rows_read)
    between = outputs[stars[0] : stars[-1] + 1]
    if not all(each.star or (each.cell.is_data and not each.cell.written) for each in between):
        return Lineage(columns=(), rows_read=rows_read)
    known = (*outputs[: stars[0]], *outputs[stars[-1] + 1 :])
    return Lineage(columns=_origins(known), rows_read=rows_read, stars=True, star_at=stars[0])


def _origins(outputs: Sequence[Output]) -> tuple[ColumnOrigin, ...]:
    return tuple(_origin(output.cell) for output in outputs)


def _origin(cell: Cell) -> ColumnOrigin:
    if cell.is_literal and not cell.known:
        return ColumnOrigin(kind=OriginKind.LITERAL)
    written = tuple(
        sorted(
            (
                each if isinstance(each, str) else float(each)
                for each in (*cell.written, *cell.spelt)
            ),
            key=str,
        )
    )
    return ColumnOrigin(
        kind=cell.kind,
        written=written,
        constants=tuple(sorted(map(float, cell.constants))),
        redeemable=cell.kind is OriginKind.MIXED and cell.known,
    )
