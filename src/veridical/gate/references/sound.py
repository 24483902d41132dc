"""Expressions that evaluate and yet say nothing, or mix what does not belong together."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.references.leaves import Leaf, leaves
from veridical.gate.references.times import column_moment, is_before

_WHOLE = ("cell", "sum")


def is_sound(found: ex.Expression, evaluator: Evaluator) -> bool:
    """Whether a shown figure compares and divides like with like."""
    if _mixes_rows(leaves(found, evaluator)):
        return False
    return all(_fits(each, evaluator) for each in _parts(found))


def _mixes_rows(found: Sequence[Leaf]) -> bool:
    """Whether one row's measure is computed with another measure of another row."""
    for one, other in combinations(found, 2):
        same = one.rows.table is other.rows.table
        whole = one.is_whole or other.is_whole or _is_summed_up(one) or _is_summed_up(other)
        differ = one.columns and other.columns and one.columns != other.columns
        if same and differ and not whole and one.row_set != other.row_set:
            return True
    return False


def _is_summed_up(leaf: Leaf) -> bool:
    """Whether it is a row that sums up the others."""
    return bool(leaf.row_set[1]) and leaf.row_set[1] <= leaf.rows.table.totals


def _parts(found: ex.Expression) -> Iterator[ex.Expression]:
    match found:
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            yield found
            yield from _parts(left)
            yield from _parts(right)
        case ex.Reduced(_, series):
            yield from _parts(series)
        case ex.Count():
            yield found
        case _:
            return


def _fits(found: ex.Expression, evaluator: Evaluator) -> bool:
    match found:
        case ex.Count(rows):
            # one row by its rank or place is always one
            return not isinstance(rows, ex.Nth) and not (
                isinstance(rows, ex.Ranked) and rows.first == rows.last
            )
        case ex.Share():
            return _fits_share(found, evaluator)
        case ex.Change(before, after):
            return _is_difference(_one(before, evaluator), _one(after, evaluator))
        case ex.Arithmetic(ex.Operator.MINUS, ex.Number(0.0, _), _):
            return True
        case ex.Arithmetic(ex.Operator.PLUS | ex.Operator.MINUS, left, right):
            if isinstance(left, ex.Number) or isinstance(right, ex.Number):
                return False  # a figure of the evidence plus a typed one is neither
            one, other = _one(left, evaluator), _one(right, evaluator)
            if found.operator is ex.Operator.MINUS:
                return _is_difference(one, other)
            return one is None or other is None or not _is_same(one, other)
        case ex.Arithmetic(ex.Operator.BY, left, right):
            one, other = _one(left, evaluator), _one(right, evaluator)
            return one is None or other is None or _is_ratio(one, other)
        case _:
            return True


def _fits_share(found: ex.Share, evaluator: Evaluator) -> bool:
    part, whole = found.part, found.whole
    ends = {leaf.operation for leaf in leaves(found, evaluator)}
    if not (ends <= {*_WHOLE} or ends <= {"count", "distinct"}):
        return False
    if isinstance(whole, ex.Arithmetic) and whole.operator is ex.Operator.MINUS:
        return whole.left != part
    rows = {leaf.row_set for leaf in leaves(part, evaluator)}
    minus = isinstance(part, ex.Arithmetic) and part.operator is ex.Operator.MINUS
    if minus and len(rows) > 1:
        return False  # a difference of two rows is no part of all
    if isinstance(part, ex.Arithmetic) and isinstance(whole, ex.Arithmetic):
        return part.operator is whole.operator
    return _is_share(_one(part, evaluator), _one(whole, evaluator))


def _one(scalar: ex.Scalar, evaluator: Evaluator) -> Leaf | None:
    found = leaves(scalar, evaluator)
    return found[0] if len(found) == 1 else None


def _is_same(one: Leaf, other: Leaf) -> bool:
    same_rows = one.rows.table is other.rows.table and one.row_set == other.row_set
    return same_rows and one.columns == other.columns and one.operation == other.operation


def _is_difference(one: Leaf | None, other: Leaf | None) -> bool:
    """Two rows of one column, or two columns of the same rows; or the same in another result."""
    if one is None or other is None:
        return True
    if _is_same(one, other):
        return False
    ends = {one.operation, other.operation}
    if len(ends) > 1 and ends != {"min", "max"} and not ends <= {*_WHOLE}:
        return ends == {"cell", "mean"} or ends == {"cell", "median"}
    if one.rows.table is not other.rows.table:
        known = {each.name for each in other.rows.table.columns}
        return one.columns == other.columns or not known >= set(one.columns)
    return one.columns == other.columns or one.row_set == other.row_set


def _is_share(part: Leaf | None, whole: Leaf | None) -> bool:
    """A part of the same column's whole, or two columns of the same rows and time."""
    if part is None or whole is None:
        return True
    if _is_same(part, whole):
        return False
    if any(is_before(a, b) or is_before(b, a) for a in part.columns for b in whole.columns):
        return False  # that is a change
    if part.columns != whole.columns:
        one, other = _times(part), _times(whole)
        return not one or not other or one == other
    if part.rows.table is not whole.rows.table:
        return part.rows.table.columns != whole.rows.table.columns
    totals = whole.rows.table.totals & whole.row_set[1]
    return part.row_set[1] <= whole.row_set[1] or bool(totals)


def _is_ratio(one: Leaf, other: Leaf) -> bool:
    """Whether both are totals, both counts, or both of one row."""
    if one.operation == other.operation:
        return one.operation not in ("mean", "median") or one.columns == other.columns
    ends = {one.operation, other.operation}
    return ends <= {"cell", "sum", "count", "distinct"} or ends == {"cell", "mean"}


def _times(leaf: Leaf) -> set[object]:
    return {moment for column in leaf.columns if (moment := column_moment(column))}
