"""Mistakes in the sentence about a right result: each gives the wrong text, or none."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from benchmarks.laboratory.simulated.conversation import Cell, ResultTable, figure
from benchmarks.laboratory.simulated.phrases import described, made_up, nothing
from benchmarks.laboratory.simulated.profile import Mistake
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case

_OTHER = Decimal("1.0731")
_THOUSAND = 1000
_STANDS_IN = {Language.DE: "Kunde", Language.EN: "Customer", Language.ZH: "客户"}
_SMALL = 13
"""Smaller figures are as easily counted as misread."""


def misworded(kind: Mistake, table: ResultTable, case: Case, share: float) -> str | None:
    """The sentence with this mistake; none where it can't be made about this result."""
    if kind is Mistake.MISREPORTED_EMPTINESS:
        return made_up(case.language, share) if table.is_nothing else nothing(case.language)
    make = _MISTAKES.get(kind)
    wrong = make(table, case.language) if make and table.rows else None
    return None if wrong is None or wrong == table else described(wrong, case)


def _wrong_figure(table: ResultTable, language: Language) -> ResultTable | None:
    return _with_figures(table, lambda value: (value * _OTHER).quantize(value))


def _scaled(table: ResultTable, language: Language) -> ResultTable | None:
    return _with_figures(table, lambda value: round(value / _THOUSAND, 1))


def _with_figures(table: ResultTable, change: Callable[[Decimal], Decimal]) -> ResultTable | None:
    def other(cell: Cell) -> Cell:
        value = figure(cell)
        return cell if value is None or abs(value) < _SMALL else str(change(value))

    return replace(table, rows=tuple(tuple(map(other, row)) for row in table.rows))


def _swapped(table: ResultTable, language: Language) -> ResultTable | None:
    """The figures of the first two rows change places."""
    if len(table.rows) < 2:
        return None
    first, second, *rest = table.rows
    pairs = list(zip(first, second, strict=True))
    one = tuple(theirs if figure(own) is not None else own for own, theirs in pairs)
    two = tuple(own if figure(own) is not None else theirs for own, theirs in pairs)
    return replace(table, rows=(one, two, *rest))


def _placeholders(table: ResultTable, language: Language) -> ResultTable | None:
    """The names of a list are made up in a row: A, B, C."""
    if len(table.rows) < 2 or not any(_is_name(cell) for cell in table.rows[0]):
        return None

    def stand_in(cell: Cell, place: int) -> Cell:
        return f"{_STANDS_IN[language]} {chr(ord('A') + place % 26)}" if _is_name(cell) else cell

    rows = (tuple(stand_in(cell, at) for cell in row) for at, row in enumerate(table.rows))
    return replace(table, rows=tuple(rows))


def _incomplete(table: ResultTable, language: Language) -> ResultTable | None:
    return None if len(table.rows) < 2 else replace(table, rows=table.rows[:-1])


def _is_name(cell: Cell) -> bool:
    return isinstance(cell, str) and len(cell) > 3 and not any(sign.isdigit() for sign in cell)


_MISTAKES: dict[Mistake, Callable[[ResultTable, Language], ResultTable | None]] = {
    Mistake.WRONG_FIGURE: _wrong_figure,
    Mistake.SCALED_FIGURE: _scaled,
    Mistake.SWAPPED_LABEL: _swapped,
    Mistake.PLACEHOLDER_LIST: _placeholders,
    Mistake.INCOMPLETE_LIST: _incomplete,
}
