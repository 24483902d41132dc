"""By which column rows go, and which rows share a name."""

from veridical.evidence.column import Kind
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import Selection
from veridical.gate.references.times import TIMES


def naming_column(rows: ex.Rows, selection: Selection) -> int | None:
    """The column whose value names these rows: the one they were selected by, else the best."""
    table = selection.table
    match rows:
        case ex.Row(_, value):
            wanted = value.casefold().strip()
            every: list[int] = [*table.naming, *range(len(table.columns))]
            for at in every:
                cells = {table.rows[row][at] for row in selection.rows}
                if len(cells) == 1 and str(next(iter(cells))).casefold().strip() == wanted:
                    return at
        case ex.Where(_, ex.Own() as own, ex.Comparator.EQUAL, _):
            column = table.column(own.column)
            kinds = (Kind.NAME, Kind.CODE, *TIMES)
            if column is not None and table.columns[column].kind in kinds:
                return column
        case _:
            pass
    if len(selection.rows) == 1:
        known = [at for at in table.naming if table.rows[selection.rows[0]][at] is not None]
        return known[0] if known else None
    texts = [at for at in table.naming if table.columns[at].kind is Kind.NAME]
    shared = [at for at in texts if len({table.rows[row][at] for row in selection.rows}) == 1]
    telling = [at for at in shared if len({table.rows[row][at] for row in table.members}) > 1]
    return telling[0] if telling else None


def sharing(selection: Selection, column: int | None) -> Selection:
    """All rows with the same value in a column: those that it names."""
    if column is None or not selection.rows:
        return selection
    table = selection.table
    cells = {table.rows[row][column] for row in selection.rows}
    return Selection(
        table, tuple(row for row in range(len(table.rows)) if table.rows[row][column] in cells)
    )
