"""The answer that the host gives alone: from any result, a few facts in its own sentences.

For models that can't write the form, for known questions, and where an answer was refused twice.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness
from veridical.evidence.column import TIMES, Additivity, CellKind, Column
from veridical.evidence.dimension import Quantity
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.prose.filled import SHORT
from veridical.ontology.terms import terms

_MOST_RESULTS = 3
_MOST_ROWS = 30
_MOST_COLUMNS = 8
_SEVERAL = 2
_SEEN = 10
"""Rows that a reader counts at a glance."""
_SHORTEST = 3
_WITHHELD = (Emptiness.NOT_PERMITTED, Emptiness.VALUE_UNKNOWN)
_STEM = 6
"""Letters of a word that are looked for in the question: its end may differ."""


def composed(tables: Sequence[EvidenceTable], question: str, language: Language) -> Stated:
    """Short sentences about each result, with a table where there is more to see."""
    shown = tables[-_MOST_RESULTS:]
    pair = _compared(shown)
    if pair:
        raw = {"facts": {"f1": pair}, "answer": f"{{f1.{SHORT}}}"}
        return state_answer(raw, tables, question, language)
    facts: dict[str, Any] = {}
    texts: list[str] = []
    for table in shown:
        lines: list[str] = []
        for say in _chosen(table, "" if table.known else question.casefold()):
            name = f"f{len(facts) + 1}"
            facts[name] = {**say, "from": table.name}
            slot = f"{{{name}.{SHORT}}}"
            lines.append(f"\n\n{{table:{name}}}" if say["say"] == "table" else slot)
        if table.known:
            alone = len(lines) == 1 and _is_line(facts[f"f{len(facts)}"])
            head = f"{{head:{table.name}}}"
            lines = [head, *lines] if alone else [f"{head}\n\n{lines[0].lstrip()}", *lines[1:]]
        texts.append(_joined(lines, language))
    return state_answer({"facts": facts, "answer": "\n\n".join(texts)}, tables, question, language)


def _compared(tables: Sequence[EvidenceTable]) -> dict[str, Any]:
    """Two results with one figure of the same name each, such as two years; else nothing."""
    if len(tables) != _SEVERAL or any(len(table.members) != 1 for table in tables):
        return {}
    named = [_shown(table) for table in tables]
    figures = [_figures(table, "") for table in tables]
    if named[0] != named[1] or any(len(each) != 1 for each in (*named, *figures)):
        return {}
    if figures[0][0].dimension != figures[1][0].dimension:
        return {}
    (column,) = named[0]
    sides = [f"{table.name}.{column}" for table in tables]
    return {"say": "compare", "from": tables[0].name, "a": sides[0], "b": sides[1]}


def _is_line(say: dict[str, Any]) -> bool:
    """True if its short sentence is one line."""
    return say["say"] in ("missing", "list") or (
        len(say.get("measures", ())) == 1 and "rows" not in say
    )


def _joined(lines: Sequence[str], language: Language) -> str:
    return ("" if language is Language.ZH else " ").join(lines).replace(" \n", "\n")


def _chosen(table: EvidenceTable, question: str) -> Iterator[dict[str, Any]]:
    """The facts that fit a result of this shape, and the question."""
    rows = len(table.members)
    if _is_empty(table):
        yield {"say": "missing"}
        return
    figures = _figures(table, question)
    wanted = [each for each in figures if _named(each, question)]
    named = _named_rows(table, question)
    if len(named) > 1 and not wanted:
        yield {**_table(table), "rows": named}
    elif rows == 1 or named:
        columns = [_quoted(each) for each in wanted] or _shown(table)
        yield {"say": "value", "measures": columns, **({"rows": named} if rows > 1 else {})}
    elif len(figures) == 1 and (units := _by_unit(table)):
        yield {"say": "value", "measures": [_quoted(figures[0])], "rows": units}
    elif len(table.columns) == 1 and table.naming and rows <= _SEEN:
        yield {"say": "list"}
    elif table.truncated or not figures or (len(figures) > 1 and not wanted) \
            or "(" in figures[0].name:  # fmt: skip
        if rows > _SEEN:
            yield {"say": "count"}
        yield _table(table)
    else:
        if rows > _MOST_ROWS:
            yield {"say": "count"}
        yield from _measured(table, figures[0])


def _by_unit(table: EvidenceTable) -> list[str]:
    """The units of rows that differ in nothing else: an amount in each currency."""
    units = table.unit_columns
    if len(units) != 1 or len(table.columns) > _SEVERAL:
        return []
    found = [str(table.rows[row][next(iter(units))] or "") for row in table.members]
    return found if len(set(found) - {""}) == len(found) else []


def _is_empty(table: EvidenceTable) -> bool:
    """True if there is no value, or what is there is no answer: a count of what is forbidden."""
    units = table.unit_columns
    return table.emptiness in _WITHHELD or not any(
        cell is not None and at not in units
        for row in table.members
        for at, cell in enumerate(table.rows[row])
    )


def _measured(table: EvidenceTable, measure: Column) -> Iterator[dict[str, Any]]:
    """The course of one measure over time, or the rows with most and least of it; only the rows
    where they have several units."""
    if measure.unit_column and measure.dimension is not None and not measure.dimension.unit:
        yield _table(table)
        return
    several = len(table.members) > _SEVERAL
    name = _quoted(measure)
    places = table.naming[:1] or range(len(table.columns))
    columns = (table.columns[at] for at in places)
    time = next((each for each in columns if each.kind in TIMES and each.is_key), None)
    if time is not None:
        yield {"say": "change", "measure": name, "over": time.name}
        yield {"say": "range", "measure": name} if several else _table(table)
    elif table.naming:
        yield {"say": "top", "measure": name}
        if several:
            yield {"say": "bottom", "measure": name}
        if _is_summed(measure):
            yield {"say": "total", "measure": name}
    if time is None or several:
        in_order = time is not None or table.known is not None
        yield _table(table, sort="" if in_order else f"-{measure.name}")


def _named_rows(table: EvidenceTable, question: str) -> list[str]:
    """The rows that the question names, where it does not name most of them."""
    if not table.naming:
        return []
    at = table.naming[0]
    names = [str(table.rows[row][at]) for row in table.members]
    found = [name for name in names if len(name) >= _SHORTEST and _is_in(name.casefold(), question)]
    return found if len(found) <= _SEVERAL and names.count(found[0] if found else "") == 1 else []


def _is_in(name: str, question: str) -> bool:
    """True if a name stands in the question as words of its own, where a script has words."""
    before, found, after = question.partition(name)
    inside = before[-1:].isalpha() or after[:1].isalpha()
    return bool(found) and (not name[-1:].isascii() or not inside)


def _is_summed(column: Column) -> bool:
    """True if people would sum it: amounts and counts, no ratings."""
    countable = column.dimension is not None and column.dimension.quantity in (
        Quantity.MONEY,
        Quantity.COUNT,
    )
    return column.additivity is Additivity.FULL and countable


def _figures(table: EvidenceTable, question: str) -> list[Column]:
    """Figures, those first that the question names, then those that add up."""
    found = [
        column
        for at, column in enumerate(table.columns)
        if column.kind is CellKind.FIGURE and any(row[at] is not None for row in table.rows)
    ]
    return sorted(found, key=lambda each: (-_named(each, question), not _is_summed(each)))


def _named(column: Column, question: str) -> int:
    """The number of words of a column's name in the question, also within longer ones."""
    return sum(word[:_STEM] in question for word in column.words or terms(column.name)
               if len(word) >= _SHORTEST or not word.isascii())  # fmt: skip


def _quoted(column: Column) -> str:
    return f'"{column.name}"'


def _shown(table: EvidenceTable) -> list[str]:
    """The columns of a single row: its figures, else all that it has."""
    row = table.rows[table.members[0]]
    filled = [each for at, each in enumerate(table.columns) if row[at] is not None]
    naming = {table.columns[at].name for at in (*table.naming[:1], *table.unit_columns)}
    figures = [_quoted(each) for each in filled if each.name not in naming]
    return figures[:_MOST_COLUMNS] or [_quoted(filled[0])]


def _table(table: EvidenceTable, *, sort: str = "") -> dict[str, Any]:
    units = table.unit_columns.difference(table.naming[:1])
    columns = [_quoted(each) for at, each in enumerate(table.columns) if at not in units]
    columns = columns[:_MOST_COLUMNS]
    found: dict[str, Any] = {"say": "table", "columns": columns, **({"sort": sort} if sort else {})}
    return {**found, "first": _MOST_ROWS} if len(table.members) > _MOST_ROWS else found
