"""The tables of an answer to work on elsewhere: as CSV, and as a workbook with their sources."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

from veridical.console.answer_view import AnswerView
from veridical.console.page import visible
from veridical.console.result_table import decimals_of
from veridical.console.withheld import Withheld
from veridical.contracts.facts_answer import ShownColumn, ShownFact
from veridical.messages import message

_MOST_ROWS = 1_000_000
"""A sheet has 1,048,576 rows."""
_LONGEST_CELL = 32_767
_LONGEST_TITLE = 31
_DIGITS = 15
"""A sheet keeps no more of a number."""
_RUNS = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would compute."""
_WIDEST = 60
_NO_TITLE = str.maketrans(dict.fromkeys("\\/*?:[]", " "))


@dataclass(frozen=True, slots=True)
class ExportTable:
    """Named columns with their values: figures as figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def answer_table(view: AnswerView) -> ExportTable | None:
    """The table that leads the answer, else its first result; none without either."""
    if view.lead is None or view.answer.facts is None:
        return result_table(view, 1)
    shown = view.answer.facts.shown
    names = view.lead.table.facts if view.lead.table else tuple(view.lead.facts)
    title = view.lead.title or message("answer.exact", view.answer.language)
    if len(names) == 1:
        return _of_fact(title, shown[names[0]])
    pairs = [pair for name in dict.fromkeys(names) for pair in _pairs(shown[name])]
    return _without_empty(ExportTable(title, ("", "", ""), tuple(pairs)))


def result_table(view: AnswerView, number: int) -> ExportTable | None:
    """The rows of a result as they came, by its number from 1."""
    if not 0 < number <= len(view.answer.sources):
        return None
    source = view.answer.sources[number - 1]
    title = message("answer.result", view.answer.language, number=number)
    return ExportTable(title, source.columns, source.rows)


def as_csv(table: ExportTable) -> bytes:
    """The table as CSV (RFC 4180) in UTF-8, with the mark by which spreadsheets know that."""
    written = io.StringIO()
    writer = csv.writer(written)
    if any(table.heads):
        writer.writerow(map(_inert, table.heads))
    writer.writerows([_inert(value) for value in row] for row in table.rows)
    return b"\xef\xbb\xbf" + written.getvalue().encode()


def as_workbook(view: AnswerView, question: str, withheld: Withheld) -> bytes:
    """The answer's table, each result and where they come from, a sheet each. The queries are
    without the tenant's ids."""
    from openpyxl import Workbook  # slow to load: only for those who want one

    book = Workbook(write_only=True)
    lead = answer_table(view) if view.lead is not None else None
    results = [result_table(view, at) for at in range(1, len(view.answer.sources) + 1)]
    for table in (lead, *results):
        if table is not None:
            _write(book, table)
    _write(book, _origin(view, question, withheld))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _of_fact(title: str, shown: ShownFact) -> ExportTable:
    heads: list[str] = []
    columns: list[Sequence[Any]] = []
    if shown.names and not any(each.texts == shown.names for each in shown.columns):
        heads, columns = [""], [shown.names]
    for each in shown.columns:
        heads.append(_head(each))
        columns.append(each.values or each.texts)
        if len(set(each.units)) > 1:
            heads.append("")
            columns.append(each.units)
    length = max(map(len, columns), default=0)
    padded = [(*column, *[None] * (length - len(column))) for column in columns]
    return ExportTable(title, tuple(heads), tuple(zip(*padded, strict=True)))


def _head(column: ShownColumn) -> str:
    unit = column.units[0] if len(set(column.units)) == 1 else ""
    return f"{column.label} ({unit})" if unit and column.label else column.label or unit


def _pairs(shown: ShownFact) -> Iterator[tuple[Any, ...]]:
    name = shown.names[0] if shown.names else ""
    for each in shown.columns:
        label = ", ".join(filter(None, (name, each.label)))
        value = each.values[0] if each.values else each.texts[0] if each.texts else None
        yield label, value, each.units[0] if each.units else ""


def _without_empty(table: ExportTable) -> ExportTable:
    kept = [at for at in range(len(table.heads)) if any(row[at] != "" for row in table.rows)]
    heads = tuple(table.heads[at] for at in kept)
    return ExportTable(table.title, heads, tuple(tuple(r[at] for at in kept) for r in table.rows))


def _origin(view: AnswerView, question: str, withheld: Withheld) -> ExportTable:
    """The question, the answer, and the query and receipt of each result."""
    language = view.answer.language
    rows = [
        (message("console.question", language), question),
        (message("answer.answer", language), view.answer.text),
    ]
    for source in view.sources:
        result = message("answer.result", language, number=source.number)
        rows += [
            (result, source.title),
            (f"{result}: SQL", withheld.sql(source.sql, source.dialect)),
            (f"{result}: {message('console.receipt', language)}", source.call_id),
        ]
    rows.append((message("console.run", language), view.answer.trace_id))
    return ExportTable(message("answer.origin", language), ("", ""), tuple(rows))


def _inert(value: Any) -> Any:
    """A text that begins like a formula with a sign before it: spreadsheets run what they read."""
    text = visible(value) if isinstance(value, str) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_RUNS) else text


def _write(book: Any, table: ExportTable) -> None:
    """A sheet of its own: heads that stay in view, columns as wide as their longest text."""
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(_sheet_title(table.title, book.sheetnames))
    formats = [_format(column) for column in zip(*table.rows, strict=True)]
    for at, width in enumerate(_widths(table), 1):
        sheet.column_dimensions[get_column_letter(at)].width = width
    if any(table.heads):
        sheet.freeze_panes = "A2"
        heads = [_cell(sheet, head, "General") for head in table.heads]
        for head in heads:
            head.font = Font(bold=True)
        sheet.append(heads)
    for row in table.rows[:_MOST_ROWS]:
        sheet.append([_cell(sheet, *each) for each in zip(row, formats, strict=True)])


def _cell(sheet: Any, value: Any, shown: str) -> Any:
    """A text is one, also where it begins like a formula; a figure that a sheet can't hold too."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet)
    if value is None or isinstance(value, bool) or _fits(value):
        cell.value = value
        cell.number_format = shown
    else:
        cell.value = visible(value)[:_LONGEST_CELL]
        cell.data_type = "s"
    return cell


def _fits(value: Any) -> bool:
    is_number = isinstance(value, int | float | Decimal)
    return is_number and isfinite(value) and len(Decimal(str(value)).as_tuple().digits) <= _DIGITS


def _format(column: Sequence[Any]) -> str:
    """Whole numbers are left alone, as on the page: they may be years."""
    decimals = decimals_of(column)
    return f"#,##0.{'0' * decimals}" if decimals else "General"


def _widths(table: ExportTable) -> Iterator[int]:
    for head, column in zip(table.heads, zip(*table.rows, strict=True), strict=False):
        longest = max(len(str(value)) for value in (head, *column[:200]) if value is not None)
        yield min(longest, _WIDEST) + 2


def _sheet_title(title: str, taken: Sequence[str]) -> str:
    """Without the signs that a title may not have; with a number where it is taken."""
    short = visible(title).translate(_NO_TITLE).strip(" '")[:_LONGEST_TITLE] or "1"
    names = (short, *(f"{short[: _LONGEST_TITLE - 4]} {at}" for at in range(2, 1000)))
    known = {each.casefold() for each in taken}
    return next(each for each in names if each.casefold() not in known)
