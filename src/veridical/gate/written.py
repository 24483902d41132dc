"""Claims of an answer whose pieces name their sources: evaluated, not read.

Nothing is trusted: the cell that a piece names must be shown as it is, the value of the question
must be the one that the call was made with, and the words between them must claim nothing; those
that the owner of the known question wrote may name a time or a thing. An answer that can't be
decided this way is read like any other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, ClaimKind, Ground, Standing
from veridical.contracts.written import NOWHERE, Part, Written
from veridical.evidence.column import CellKind
from veridical.evidence.table import EvidenceTable
from veridical.gate.basis_cells import cell_ref
from veridical.gate.bound import Bound
from veridical.gate.claim import ClaimRole, Reading, StatedClaim
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.mention import PERCENT, mentions
from veridical.gate.proper_names import names
from veridical.gate.typed_evidence import typed_tables
from veridical.late_pattern import late_pattern
from veridical.messages import message
from veridical.reading import shown
from veridical.reading.periods import At, Period

_TOKEN = late_pattern(r"[\w-]+")
_FIGURE = (int, float, Decimal)
_NAMED_BY_OWNER = frozenset(
    {ClaimKind.DATE, ClaimKind.PERIOD, ClaimKind.NAME, ClaimKind.IDENTIFIER}
)
"""Kinds of claims that the owner's words may make: ``Sales 2025``. Never a figure."""
_NEVER = 0.0
"""The share of made-up figures that would pass: none, since only the cell's value does."""


class UndecidedError(Exception):
    """A piece of the answer can't be evaluated; the answer must be read instead."""


@dataclass(frozen=True, slots=True)
class _Result:
    """The one result of the answer: as recorded, as an exhibit, and typed."""

    source: Source
    exhibit: Exhibit
    table: EvidenceTable


def evaluated(
    written: Written, source: Source, exhibit: Exhibit, question: str, language: Language
) -> tuple[Bound, ...]:
    """Every claim of the answer with its cell. Raises ``UndecidedError``."""
    result = _result(source, exhibit)
    days = (day for each in exhibit.time_range for day in (each.start, each.end) if day)
    filled = _filled(source.arguments).union(days)  # a statement may keep days as seconds
    bounds: list[Bound] = []
    row_spans = list[tuple[int, int, int]]()
    start = 0
    for part in written.parts:
        if part.column != NOWHERE:
            bound = _of_cell(part, start, result, language)
            row_spans.append((part.row, start, start + len(part.text)))
        elif part.from_question is not None:
            bound = _of_question(part, start, filled, question, language)
        else:
            bound = None
            if not _claims(part.text, language) <= (_NAMED_BY_OWNER if part.owned else set()):
                raise UndecidedError
        if bound is not None:
            bounds.append(bound)
        start += len(part.text)
    bounds += _of_rows(row_spans, written.text, len(exhibit.rows))
    return tuple(bounds)


def _result(source: Source, exhibit: Exhibit) -> _Result:
    """The result with its cells in the recorded places. Raises ``UndecidedError``."""
    tables = typed_tables(exhibit)
    width = len(exhibit.columns)
    if len(tables) != 1 or any(len(row) != width for row in exhibit.rows):
        raise UndecidedError
    (table,) = tables
    if (len(table.rows), len(table.columns)) != (len(exhibit.rows), width):
        raise UndecidedError
    return _Result(source, exhibit, table)


def _of_rows(row_spans: Sequence[tuple[int, int, int]], text: str, many: int) -> Iterator[Bound]:
    """The claim that these are the rows, where there are several: all of them, in their order."""
    rows = list(dict.fromkeys(row for row, _, _ in row_spans))
    if not rows or rows != list(range(many)):  # an empty or longer result is stated in words
        raise UndecidedError
    if many > 1:
        start, end = text.rfind("\n", 0, row_spans[0][1]) + 1, row_spans[-1][2]
        claim = StatedClaim(ClaimKind.LIST, text[start:end], start, end)
        yield Bound(claim, Standing.GROUNDED, Ground.CELL, Binding(ground=Ground.CELL))


@lru_cache(maxsize=4096)
def _claims(words: str, language: Language) -> frozenset[ClaimKind]:
    """The kinds of claims in the words of a template. There are few templates, and each is read
    once."""
    named = {ClaimKind.NAME for _ in names(words, language)}
    return frozenset(named | {each.kind for each in mentions(words, language)})


def _of_cell(part: Part, start: int, result: _Result, language: Language) -> Bound | None:
    """The claim that a cell has the shown value; none for a cell that is shown as empty."""
    rows = result.exhibit.rows
    if not (0 <= part.row < len(rows) and 0 <= part.column < len(rows[part.row])):
        raise UndecidedError
    row = rows[part.row]
    cell, unit = row[part.column], "/".join([str(row[at]) for at in part.units])
    text = part.text.removesuffix(unit).rstrip() if unit else part.text
    if cell is None and text == message("pattern.nothing", language):
        return None
    typed = result.table.rows[part.row][part.column]
    if isinstance(cell, str) and isinstance(typed, float):
        cell = typed  # a number as text
    figure = isinstance(cell, _FIGURE) and not isinstance(cell, bool)
    recorded = str(result.source.rows[part.row][part.column])
    stands = part.text.endswith(unit) and (_is_shown(cell, text, language) or text == recorded)
    if cell is None or not (stands or figure):
        raise UndecidedError
    binding = _binding(part, result, unit, is_figure=figure)
    kind = _kind(result, part, binding.unit) if figure else _kind_of_name(cell)
    readings = (Reading(float(cell), unit=unit),) if figure else ()
    claim = StatedClaim(kind, part.text, start, start + len(part.text), readings=readings)
    if not stands:
        return Bound(claim, Standing.CONTRADICTED, binding=binding)
    return Bound(claim, Standing.GROUNDED, Ground.CELL, binding)


def _binding(part: Part, result: _Result, unit: str, *, is_figure: bool) -> Binding:
    cell = cell_ref(result.table, part.row, part.column)
    return Binding(
        ground=Ground.CELL,
        source=0,
        row=part.row,
        row_key=cell.row_key,
        column=cell.column,
        value=cell.value,
        unit=unit or cell.unit,
        period=_period(part, result),
        coincidence=_NEVER if is_figure else None,
    )


def _period(part: Part, result: _Result) -> str:
    """The day of the row, else the one period of the call."""
    for at, cell in enumerate(result.table.rows[part.row]):
        if at != part.column and isinstance(cell, date):
            return cell.isoformat()
    ranges = result.exhibit.time_range
    if len(ranges) != 1:
        return ""
    return "/".join(day for day in (ranges[0].start, ranges[0].end) if day)


def _is_shown(cell: Any, text: str, language: Language) -> bool:
    """True if the cell is written like this: as an amount, a count, a day, or its text."""
    if isinstance(cell, _FIGURE):
        return text in (shown.money(cell, language), shown.count(cell, language))
    return text in (str(cell), _day(cell, language))


def _day(cell: Any, language: Language) -> str:
    """A day as it is written; empty for other values. Evidence has days as ISO dates."""
    if not isinstance(cell, date):
        try:
            cell = date.fromisoformat(cell)
        except (TypeError, ValueError):
            return ""
    return shown.day(cell, language)


_KINDS = {
    CellKind.PERIOD: ClaimKind.PERIOD,
    CellKind.DAY: ClaimKind.DATE,
    CellKind.MOMENT: ClaimKind.DATE,
    CellKind.CODE: ClaimKind.IDENTIFIER,
}


def _kind(result: _Result, part: Part, unit: str) -> ClaimKind:
    kind = _KINDS.get(result.table.columns[part.column].kind)
    if kind is not None:
        return kind
    if unit == PERCENT:
        return ClaimKind.PERCENT
    return ClaimKind.AMOUNT if unit else ClaimKind.NUMBER


def _kind_of_name(cell: Any) -> ClaimKind:
    if _day(cell, Language.EN):
        return ClaimKind.DATE
    return ClaimKind.IDENTIFIER if _has_digits(str(cell)) else ClaimKind.NAME


def _of_question(
    part: Part, start: int, filled: frozenset[str], question: str, language: Language
) -> Bound:
    """The claim of a value from the question: as understood, and as the call has it."""
    value = part.from_question
    if isinstance(value, Period):
        day = value.start if value.at is At.SINCE else value.end
        year = part.text == str(day.year)
        known = (year or part.text == shown.period(value, language)) and _is_in(filled, value, day)
        kind = ClaimKind.DATE if value.at is At.END and not year else ClaimKind.PERIOD
    else:
        text = str(value)
        known = text == part.text and (text in filled or text.casefold() in question.casefold())
        kind = ClaimKind.COUNT if isinstance(value, int) else _kind_of_name(text)
    if not known:
        raise UndecidedError
    claim = StatedClaim(kind, part.text, start, start + len(part.text), ClaimRole.QUOTED)
    return Bound(claim, Standing.GROUNDED, Ground.QUESTION, Binding(ground=Ground.QUESTION))


def _is_in(filled: frozenset[str], period: Period, day: date) -> bool:
    """True if the call asks for this period: its day, or its year and month."""
    if day.isoformat() in filled:
        return True
    whole_year = period.grain == "year" or (period.at is At.END and period.ends_year)
    return str(day.year) in filled and (whole_year or str(day.month) in filled)


def _filled(arguments: Any) -> frozenset[str]:
    """The values of a call, and the words of its statement."""
    found = set[str]()
    left = [arguments]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list | tuple):
            left += value
        else:
            text = str(value)
            found.add(text)
            if not text.isalnum():
                found.update(_TOKEN.findall(text))
    return frozenset(found)


def _has_digits(text: str) -> bool:
    return any(map(str.isdigit, text))
