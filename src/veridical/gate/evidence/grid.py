"""Grids of strings, such as the tables of annual reports, read into sheets.

Heads are recognised by their content: a head has no figures but years and units; a row with nothing
but its first cell opens a section; brackets and dashes are figures as accountants write them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.contracts.input_budget import keep_time
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.scale import scale_in
from veridical.gate.evidence.sheet import Sheet
from veridical.late_pattern import late_pattern
from veridical.reading.units import CURRENCY_SIGNS

Cell = float | str | None


class Figure(NamedTuple):
    """A figure that fills a cell, and the unit that is written with it."""

    value: float
    unit: str = ""


Written = Figure | str | None
"""The content of a cell."""
Grid = Sequence[Sequence[str]]

_FIGURE = late_pattern(
    r"""\s* (?P<open>\()? \s* (?P<minus>[-−–])? \s* (?P<money>[$€£¥]|[A-Z]{2,3}\$?)? \s*
        (?P<bracket>\()? \s* (?P<after>[-−–])? \s*
        (?P<digits>\d{1,3}(?:[,'’ ]\d{3})+|\d+)(?P<decimals>\.\d+)?
        \s* (?P<percent>%)? \s* \)? \s* (?P<later>%)? \s* (?:\*+|\(\w\)|\[\w\])? \s*""",
    re.VERBOSE,
)
_NIL = late_pattern(r"\s*[$€£¥]?\s*[-−–—]+\s*%?\s*")
_PERCENT_ROW = late_pattern(
    r"(?:^|\()\s*(?:as\s+an?\s+|in\s+)?(?:%|percent)|(?:%|\bpercent(?:age)?)\)?\s*$", re.IGNORECASE
)
_YEAR = late_pattern(r"\s*(?:FY\s*)?(?:19|20)\d\d(?:\s*[A-Z*]{1,2}|\s*\(\w\))?\s*")
_GROUPS = str.maketrans("", "", ",'’ ")
_DECIMAL_COMMA = late_pattern(r"\d\.\d{3},\d|(?<![\d,])\d+,\d{1,2}(?!\d)")


def figure_cell(text: str) -> Figure | None:
    """The figure that fills a cell; a percentage is its number of percent."""
    found = _FIGURE.fullmatch(text)
    if found is None:
        return Figure(0.0) if _NIL.fullmatch(text) else None
    value = float(found["digits"].translate(_GROUPS) + (found["decimals"] or ""))
    negative = found["open"] or found["bracket"] or found["minus"] or found["after"]
    percent = found["percent"] or found["later"]
    unit = "%" if percent else CURRENCY_SIGNS.get(found["money"] or "", "")
    return Figure(-value if negative else value, unit)


def apart(
    rows: Sequence[Sequence[Written]], labels: Sequence[str], *, tabular: bool = True
) -> tuple[tuple[tuple[Cell, ...], ...], dict[tuple[int, int], str]]:
    """Cells apart from their units; a label such as ``% of sales`` gives its row one."""
    units: dict[tuple[int, int], str] = {}
    cells: list[tuple[Cell, ...]] = []
    for at, (row, label) in enumerate(zip(rows, labels, strict=True)):
        default = "%" if _PERCENT_ROW.search(label) else ""
        plain: list[Cell] = []
        for column, written in enumerate(row):
            if isinstance(written, Figure):
                plain.append(written.value)
                if written.unit or default:
                    units[at, column] = written.unit or default
            else:
                plain.append(written)
        cells.append(tuple(plain))
    if tabular:
        _pass_down(rows, units)
    return tuple(cells), units


def _pass_down(rows: Sequence[Sequence[Written]], units: dict[tuple[int, int], str]) -> None:
    """Only the first figure of a column and its totals carry the sign that is meant for all."""
    for column in range(max(map(len, rows), default=0)):
        keep_time()
        figures = ((at, row[column]) for at, row in enumerate(rows))
        signed = [(at, cell.unit) for at, cell in figures if isinstance(cell, Figure)]
        moneys = {unit for _, unit in signed if unit and unit != "%"}
        first = signed[0][1] if signed else ""
        meant = next(iter(moneys)) if len(moneys) == 1 else "" if moneys else first
        for at, _ in signed if meant else ():
            units.setdefault((at, column), meant)


def is_year(text: str) -> bool:
    """True for a year that heads a column."""
    return _YEAR.fullmatch(text) is not None


def is_untyped(exhibit: Exhibit) -> bool:
    """True for a table whose cells are all text, and whose columns have no names."""
    return bool(exhibit.rows) and not any(name.strip() for name in exhibit.columns)


def sheets_from_grid(exhibit_index: int, exhibit: Exhibit) -> tuple[Sheet, ...]:
    """The sheets of a table of strings: one below each head."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in exhibit.rows]
    return tuple(read_grid(rows, exhibit_index, exhibit, exhibit.name))


@dataclass(slots=True)
class _Block:
    """A head and the rows below it."""

    heads: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    labels: list[str] = field(default_factory=list[str])
    rows: list[tuple[Written, ...]] = field(default_factory=list[tuple[Written, ...]])


def read_grid(
    grid: Grid, exhibit_index: int, exhibit: Exhibit, title: str = "", scale: float = 1.0
) -> Iterator[Sheet]:
    """The sheets of a grid; ``scale`` applies unless its heads name another."""
    decimal_comma = any(_DECIMAL_COMMA.search(cell) for row in grid for cell in row)
    for block in _blocks(grid, decimal_comma):
        width = max(map(len, block.rows))
        columns = tuple(_columns(block.heads, width + 1))
        head_scale = scale_in(" ".join(cell for head in block.heads for cell in head))
        rows, units = apart(
            [row + (None,) * (width - len(row)) for row in block.rows], block.labels
        )
        yield Sheet(
            exhibit_index,
            columns[1:],
            rows,
            exhibit,
            row_labels=tuple(block.labels),
            title=" ".join(part for part in (title, columns[0]) if part),
            scale=head_scale or scale,
            units=units,
            report=True,
        )


def _blocks(grid: Grid, decimal_comma: bool) -> Iterator[_Block]:
    block, section = _Block(), ""
    for row in grid:
        if not any(cell.strip() for cell in row):
            continue
        if _is_head(row, begun=bool(block.rows)):
            if block.rows:
                yield block
                block, section = _Block(), ""
            block.heads.append(row)
        elif not any(cell.strip() for cell in row[1:]):
            section = row[0].strip().rstrip(":")
            if not block.heads:
                block.heads.append(row)
        else:
            block.labels.append(": ".join(part for part in (section, row[0].strip()) if part))
            block.rows.append(tuple(_read(cell, decimal_comma) for cell in row[1:]))
    if block.rows:
        yield block


def _is_head(row: Sequence[str], *, begun: bool) -> bool:
    """Years, dates, units and words only; below a head, also without a label of its own."""
    others = [cell for cell in row[1:] if cell.strip()]
    if not others or (begun and row[0].strip()):
        return False
    return all(is_year(cell) or figure_cell(cell) is None for cell in others)


def _read(cell: str, decimal_comma: bool) -> Written:
    if not cell.strip():
        return None
    figure = None if decimal_comma else figure_cell(cell)
    return cell.strip() if figure is None else figure


def _columns(heads: Iterable[Sequence[str]], width: int) -> list[str]:
    """One name for each column: the cells above it, and those that span it."""
    parts: list[list[str]] = [[] for _ in range(width)]
    for head in heads:
        filled = [at for at, cell in enumerate(head) if at and cell.strip()]
        if head and head[0].strip():
            parts[0].append(head[0].strip())
        if len(filled) == 1:
            for part in parts[1:]:
                part.append(head[filled[0]].strip())
            continue
        spans = bool(filled) and filled[0] == 1
        last = ""
        for at in range(1, min(width, len(head))):
            last = head[at].strip() or (last if spans else "")
            if last:
                parts[at].append(last)
    return [" ".join(part) for part in parts]
