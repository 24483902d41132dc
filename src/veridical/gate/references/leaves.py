"""What an expression is about: its columns, its rows, and what is done with them."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.value import EvaluationError, Selection

RowSet = tuple[str, frozenset[int]]
"""Rows of a table, whatever their order."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column of some rows within an expression."""

    rows: Selection
    columns: tuple[str, ...]
    operation: str
    """``cell``, ``sum``, ``mean`` … ``count``."""

    @property
    def row_set(self) -> RowSet:
        """The rows as a set."""
        return (self.rows.table.name, frozenset(self.rows.rows))

    @property
    def is_whole(self) -> bool:
        """Whether it is about all rows of its table."""
        return frozenset(self.rows.rows) == frozenset(self.rows.table.members)


def leaves(expression: ex.Expression, evaluator: Evaluator) -> tuple[Leaf, ...]:
    """The columns that an expression reads, in order. Parts without a value are left out."""
    try:
        return tuple(_leaves(expression, evaluator))
    except EvaluationError:
        return ()


def _leaves(expression: ex.Expression, evaluator: Evaluator) -> Iterator[Leaf]:
    match expression:
        case ex.Cells(rows, column):
            yield Leaf(evaluator.rows(rows), (column,), "cell")
        case ex.Reduced(function, series):
            yield from _of_series(series, function.value, evaluator)
        case ex.Count(rows):
            yield Leaf(evaluator.rows(rows), (), "count")
        case (
            ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right)
            | ex.Compare(left, _, right)
        ):  # fmt: skip
            yield from _leaves(left, evaluator)
            yield from _leaves(right, evaluator)
        case ex.Same(left, right) | ex.Within(left, right):
            yield Leaf(evaluator.rows(left), tuple(row_columns(right)), "cell")
        case ex.Quantified(_, rows, condition):
            columns = tuple(row_columns(rows))
            if condition is not None:
                columns = (*_columns(condition[0]), *_columns(condition[2]))
            yield Leaf(evaluator.rows(rows), columns, "rows")
        case ex.Runs(_, series):
            yield from _of_series(series, "cell", evaluator)
        case ex.Not(inner):
            yield from _leaves(inner, evaluator)
        case ex.Own() | ex.Number() | ex.Text() | ex.Year():
            return
        case _:
            yield Leaf(evaluator.rows(expression), tuple(row_columns(expression)), "rows")


def _of_series(series: ex.Scalar, operation: str, evaluator: Evaluator) -> Iterator[Leaf]:
    rows = _series_rows(series)
    if rows is not None:
        yield Leaf(evaluator.rows(rows), tuple(_columns(series)), operation)


def _series_rows(series: ex.Scalar) -> ex.Rows | None:
    match series:
        case ex.Cells(rows, _):
            return rows
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            return _series_rows(left) or _series_rows(right)
        case _:
            return None


def _columns(scalar: ex.Scalar) -> Iterator[str]:
    match scalar:
        case ex.Cells(_, column) | ex.Own(column):
            yield column
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            yield from _columns(left)
            yield from _columns(right)
        case ex.Reduced(_, series):
            yield from _columns(series)
        case _:
            return


def row_columns(rows: ex.Rows) -> Iterator[str]:
    """The columns by which rows are selected."""
    match rows:
        case ex.Ranked(series, _, _) | ex.Sorted(series, _):
            yield from _columns(series)
            inner = _series_rows(series)
            if inner is not None:
                yield from row_columns(inner)
        case ex.Where(within, left, _, right):
            yield from _columns(left)
            yield from _columns(right)
            yield from row_columns(within)
        case ex.Blank(within, column, _) | ex.Group(within, column):
            yield column
            yield from row_columns(within)
        case ex.Row(within, _) | ex.Named(within, _) | ex.Nth(within, _) | ex.Range(within, _, _):
            yield from row_columns(within)
        case ex.Table():
            return


def base_rows(rows: ex.Rows) -> ex.Rows:
    """The rows that a rank or an order is over."""
    if isinstance(rows, ex.Ranked | ex.Sorted):
        return _series_rows(rows.series) or rows
    return rows


def size(expression: object, known: dict[int, int]) -> int:
    """How many nodes an expression has when nothing is shared."""
    fields = getattr(expression, "__dataclass_fields__", None)
    if fields is None:
        return 1
    if id(expression) not in known:
        known[id(expression)] = 1 + sum(size(getattr(expression, name), known) for name in fields)
    return known[id(expression)]
