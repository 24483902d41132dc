"""Whether the cells of a column may be summed over some rows."""

from veridical.evidence.column import Additivity, Column, Kind
from veridical.gate.kernel.value import Selection


def adds_up(selection: Selection, column: Column) -> bool:
    """A balance adds up over things, not over time; a rate never does."""
    # where rows are things, their days are properties
    if column.additivity is Additivity.NEVER:
        return False
    if column.additivity is Additivity.FULL:
        return True
    columns = selection.table.columns
    if any(each.is_key and each.kind in (Kind.NAME, Kind.CODE) for each in columns):
        return True
    kinds = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
    times = [at for at, each in enumerate(columns) if each.kind in kinds]
    rows = [selection.table.rows[row] for row in selection.rows]
    return all(len({row[at] for row in rows}) <= 1 for at in times)
