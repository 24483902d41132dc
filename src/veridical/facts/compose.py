"""The answer that the host gives alone: from any result, a few facts in its own sentences.

For models that can't write the form, for known questions, and where an answer was refused twice.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import Additivity, Column, Kind
from veridical.evidence.dimension import Quantity
from veridical.evidence.table import Table
from veridical.facts.answer import Stated, state_answer
from veridical.facts.kernel.frame import TIMES
from veridical.ontology.terms import terms

_MOST_RESULTS = 3
_MOST_ROWS = 30
_MOST_COLUMNS = 8
_SEVERAL = 2


def composed(tables: Sequence[Table], question: str, language: Language) -> Stated:
    """Short sentences about each result, with a table where there is more to see."""
    facts: dict[str, Any] = {}
    texts: list[str] = []
    for table in tables[-_MOST_RESULTS:]:
        lines: list[str] = []
        for say in _chosen(table, question):
            name = f"f{len(facts) + 1}"
            facts[name] = {**say, "from": table.name}
            lines.append(f"\n\n{{table:{name}}}" if say["say"] == "table" else f"{{{name}}}")
        texts.append(_joined(lines, language))
    return state_answer({"facts": facts, "answer": "\n\n".join(texts)}, tables, question, language)


def _joined(lines: Sequence[str], language: Language) -> str:
    return ("" if language is Language.ZH else " ").join(lines).replace(" \n", "\n")


def _chosen(table: Table, question: str) -> Iterator[dict[str, Any]]:
    """The facts that a result of this shape is best told by."""
    rows = len(table.members)
    if not rows:
        yield {"say": "missing"}
        return
    figures = _figures(table, question)
    if rows == 1:
        yield {"say": "value", "measures": _shown(table)}
        return
    if not figures:
        yield _table(table)
        return
    measure = figures[0]
    if len(figures) > 1 and not _named(measure, question.casefold()):
        yield _table(table)
        return
    time = next((each.name for each in table.columns if each.kind in TIMES and each.is_key), None)
    if time is not None:
        yield {"say": "change", "measure": measure.name, "over": time}
        if rows > _SEVERAL:
            yield {"say": "range", "measure": measure.name}
    elif table.naming and measure.kind is Kind.FIGURE:
        yield {"say": "top", "measure": measure.name}
        if rows > _SEVERAL:
            yield {"say": "bottom", "measure": measure.name}
        if _is_summed(measure):
            yield {"say": "total", "measure": measure.name}
    yield _table(table)


def _is_summed(column: Column) -> bool:
    """Whether people would sum it: amounts and counts, no ratings."""
    countable = column.dimension is not None and column.dimension.quantity in (
        Quantity.MONEY,
        Quantity.COUNT,
    )
    return column.additivity is Additivity.FULL and countable


def _figures(table: Table, question: str) -> list[Column]:
    """Figures, those first that the question names, then those that add up."""
    asked = question.casefold()
    found = [
        column
        for at, column in enumerate(table.columns)
        if column.kind is Kind.FIGURE and any(row[at] is not None for row in table.rows)
    ]
    return sorted(found, key=lambda each: (-_named(each, asked), not _is_summed(each)))


def _named(column: Column, asked: str) -> int:
    """How many words of a column's name are in the question, within longer ones too."""
    return sum(word in asked for word in column.words or terms(column.name))


def _shown(table: Table) -> list[str]:
    """The columns of a single row: its figures, else all that it has."""
    row = table.rows[table.members[0]]
    filled = [each for at, each in enumerate(table.columns) if row[at] is not None]
    naming = {table.columns[at].name for at in table.naming[:1]}
    figures = [each.name for each in filled if each.name not in naming]
    return [f'"{name}"' for name in figures[:_MOST_COLUMNS]] or [filled[0].name]


def _table(table: Table) -> dict[str, Any]:
    columns = [f'"{each.name}"' for each in table.columns[:_MOST_COLUMNS]]
    found: dict[str, Any] = {"say": "table", "columns": columns}
    return {**found, "first": _MOST_ROWS} if len(table.members) > _MOST_ROWS else found
