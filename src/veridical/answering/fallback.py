"""The answer written from the rows alone: for when a model's own words did not stand."""

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness
from veridical.evidence.column import CellKind
from veridical.evidence.column_types import typed_column
from veridical.gate.evidence.exhibit import Additivity, Exhibit
from veridical.messages import message
from veridical.reading.shown import count, plain

MOST_LINES = 10
_SUMMABLE = frozenset({Additivity.ADDITIVE, Additivity.SEMI})


def rows_as_text(exhibits: Sequence[Exhibit], language: Language) -> str:
    """The last result with rows as plain lines; empty where there is none."""
    found = [each for each in exhibits if each.rows]
    if not found:
        return ""
    shown = found[-1]
    lines = [message("flow.rows_as_text", language)]
    lines += [f"- {_line(row, shown, language)}" for row in shown.rows[:MOST_LINES]]
    if len(shown.rows) > MOST_LINES:
        lines.append(message("pattern.more_rows", language, count=len(shown.rows) - MOST_LINES))
    if shown.truncated:
        lines.append(message("pattern.truncated", language, count=len(shown.rows)))
    if shown.emptiness is Emptiness.STALE:
        lines.append(message("pattern.stale", language))
    return "\n".join(lines)


def _line(row: Sequence[Any], shown: Exhibit, language: Language) -> str:
    cells = dict(zip(shown.columns, row, strict=True))
    units = {measure.unit_column for measure in shown.measures.values()}
    return ", ".join(
        _cell(column, cells, shown, language) for column in cells if column not in units
    )


def _cell(column: str, row: Mapping[str, Any], shown: Exhibit, language: Language) -> str:
    measure = shown.measures.get(column)
    if measure is None or measure.additivity not in _SUMMABLE:
        is_figure = isinstance(row[column], float) and _is_figures(column, shown)
        return f"{column}: {_value(row[column], language, is_figure=is_figure)}"
    unit = measure.unit or str(row.get(measure.unit_column) or "")
    return f"{column}: {_value(row[column], language, is_figure=True)} {unit}".rstrip()


def _is_figures(column: str, shown: Exhibit) -> bool:
    at = shown.columns.index(column)
    return typed_column(column, [row[at] for row in shown.rows])[0].kind is CellKind.FIGURE


def _value(value: Any, language: Language, *, is_figure: bool) -> str:
    if value is None:
        return message("pattern.nothing", language)
    if is_figure and isinstance(value, int | float):
        return count(value, language)
    return plain(value)
