"""The JSON schema of an answer in facts, with the results, columns and rows that there are."""

from collections.abc import Sequence
from typing import Any

from veridical.evidence.column import CellKind
from veridical.evidence.table import EvidenceTable
from veridical.facts.forms.registry import FORMS
from veridical.facts.kernel.frame import moment_of, spelt

_MOST_ROWS = 40
_MOST_COLUMNS = 80
_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer"}
_AGGREGATES = ("sum", "avg", "median", "min", "max")
_COMPARISONS = ("above", "below", "at least", "at most", "equal")
_EXPRESSIONS = ("where", "measure", "a", "b", "part", "whole", "sort")
"""May be computed: not limited to a list."""
_WORDS = ("start", "end", "limit", "what", "text", "format")
_NAMES = (CellKind.NAME, CellKind.CODE, CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)


def facts_schema(tables: Sequence[EvidenceTable]) -> dict[str, Any]:
    """The schema of a final answer over these results: only their results, rows and columns."""
    fact = _fact(tables)
    return {
        "type": "object",
        "properties": {
            "facts": {"type": "object", "additionalProperties": fact},
            "answer": _TEXT,
            "labels": {"type": "object", "additionalProperties": _TEXT},
        },
        "required": ["facts", "answer"],
        "additionalProperties": False,
    }


def _fact(tables: Sequence[EvidenceTable]) -> dict[str, Any]:
    results = _one_of([table.name for table in tables])
    names = dict.fromkeys(column.name for table in tables for column in table.columns)
    column = _one_of(list(names), _MOST_COLUMNS)
    row = _one_of(_rows(tables), _MOST_ROWS)
    properties: dict[str, Any] = {
        "say": _one_of(list(FORMS)),
        "from": results,
        **dict.fromkeys((*_EXPRESSIONS, *_WORDS), _TEXT),
        "measures": _list(_TEXT),
        "columns": _list(_TEXT),
        "row": row,
        "rows": _list(row),
        "by": _list(column),
        "over": column,
        "name": column,
        "among": _list(column),
        "join": {
            "type": "object",
            "properties": {"with": results, "on": _TEXT},
            "required": ["with", "on"],
            "additionalProperties": False,
        },
        "n": _NUMBER,
        "first": _NUMBER,
        "agg": _one_of(_AGGREGATES),
        "order": _one_of(("asc", "desc")),
        "is": _one_of(_COMPARISONS),
        "total": {"type": "boolean"},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": ["say"],
        "additionalProperties": False,
    }


def _rows(tables: Sequence[EvidenceTable]) -> list[str]:
    """All names of rows and their groups; times are free, as "March" names one."""
    found: dict[str, None] = {}
    for table in tables:
        for at, column in enumerate(table.columns):
            if column.kind not in _NAMES:
                continue
            for cells in table.rows:
                cell = cells[at]
                if moment_of(cell) is not None:
                    return []
                if cell is not None:
                    found[cell if isinstance(cell, str) else spelt(cell)] = None
                if len(found) > _MOST_ROWS:
                    return []
    return list(found)


def _one_of(values: Sequence[str], most: int = 400) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)} if 0 < len(values) <= most else _TEXT


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}
