"""A comparison over rows as one of each row's own cells: ``all(r1.x > 5)``."""

from veridical.gate.kernel import expression as ex


def own_cells(scalar: ex.Scalar, rows: ex.Rows | None = None) -> tuple[ex.Rows | None, ex.Scalar]:
    """A column of rows as each row's own cell, and the rows."""
    match scalar:
        case ex.Cells(found, column) if rows is None or found == rows:
            return found, ex.Own(column)
        case ex.Arithmetic(operator, left, right):
            rows, left = own_cells(left, rows)
            rows, right = own_cells(right, rows)
            return rows, ex.Arithmetic(operator, left, right)
        case ex.Share(left, right):
            rows, left = own_cells(left, rows)
            rows, right = own_cells(right, rows)
            return rows, ex.Share(left, right)
        case ex.Change(left, right):
            rows, left = own_cells(left, rows)
            rows, right = own_cells(right, rows)
            return rows, ex.Change(left, right)
        case _:
            return rows, scalar
