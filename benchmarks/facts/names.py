"""Names of rows: which rows a name stands for, and whether a row may be called by one."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from benchmarks.facts.database import TIMES, Rows, folded, moment


def rows_named(rows: Rows, name: str, within: Sequence[int] | None = None) -> list[int]:
    """The rows of a name: a cell that is spelt so, a time that covers theirs, or several cells one
    after another."""
    allowed = [rid for rid in rows.cells if within is None or rid in within]
    wanted = folded(name)
    columns = list(dict.fromkeys((*rows.naming, *range(len(rows.fields)))))
    width = min((len(cells) for cells in rows.cells.values()), default=0)
    columns = [at for at in columns if at < width]
    for at in columns:
        found = [rid for rid in allowed if rows.cells[rid][at] is not None
                 and folded(rows.cells[rid][at]) == wanted]  # fmt: skip
        if found:
            return found
    when = moment(name)
    for at in columns if when else ():
        if when and rows.fields[at].kind in TIMES:
            found = [rid for rid in allowed
                     if (its := moment(rows.cells[rid][at])) and when.covers(its)]  # fmt: skip
            if found:
                return found
    return [rid for rid in allowed if is_called(rows.cells[rid], name)]


def is_called(cells: Sequence[Any], name: str, place: int | None = None) -> bool:
    """Whether some of a row's cells make a name; a row without one has a
    number."""
    if not name or (place is not None and name == f"#{place + 1}"):
        return True
    return any(
        _spells([write(cell) for cell in cells if cell is not None], name) for write in (str, _iso)
    )


def _spells(texts: list[str], name: str) -> bool:
    if not name:
        return True
    for at, text in enumerate(texts):
        if folded(name) == folded(text):
            return True
        if folded(name).startswith(folded(text) + " ") and _spells(
            texts[:at] + texts[at + 1 :], name[len(text) + 1 :]
        ):
            return True
    return False


def _iso(cell: Any) -> str:
    return cell.isoformat() if isinstance(cell, date) else str(cell)
