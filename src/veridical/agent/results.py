"""Renders tool results for the model: the whole verdict, some of the rows."""

import json
from typing import Any

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.result import RanAs, Receipt, ToolResult
from veridical.messages import message

MOST_ROWS = 50
MOST_CHARACTERS = 12_000
"""Some 4,000 tokens: more rows make an answer slower, not better."""


def as_prompt(result: ToolResult, language: Language, then: str = "") -> str:
    """The result as compact JSON. Rows that are left out are counted, and the model is told.

    Rows that the tool has put into words are told in these words alone. A small model that must
    always call something forgets how to end: ``then`` reminds it.
    """
    told: dict[str, Any] = {"success": result.success}
    if result.error is not None:
        told["error"] = result.error
    if result.error_details is not None:
        told["errorDetails"] = result.error_details
    if result.warnings:
        told["warnings"] = [
            warning.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"mode"})
            for warning in result.warnings
        ]
    if result.receipt is not None and not result.answer:
        told["receipt"] = _receipt(result.receipt)
    if result.answer:
        told["answer"] = result.answer
    elif result.data is not None:
        told["data"] = _data(result.data, language)
    if result.success and then:
        told["next"] = then
    return _json(told)


def as_source(tool: str, arguments: dict[str, Any], result: ToolResult) -> Source | None:
    """What an answer may rest on; none for a call that failed or left no receipt."""
    if not result.success or result.receipt is None:
        return None
    columns, rows = _table(result.data)
    ran = result.ran_as or RanAs(tool=tool, arguments=arguments)
    return Source(
        tool=ran.tool,
        arguments=ran.arguments,
        columns=columns,
        rows=rows,
        receipt=result.receipt,
    )


def _table(data: Any) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Columns and rows; an object of plain values is one row."""
    if not isinstance(data, dict):
        return (), ()
    if "rows" in data and "columns" in data:
        return tuple(data["columns"]), tuple(tuple(row) for row in data["rows"])
    plain = {name: value for name, value in data.items() if not isinstance(value, list | dict)}
    return tuple(plain), (tuple(plain.values()),)


def _receipt(receipt: Receipt) -> dict[str, Any]:
    told = {"row_count", "truncated", "emptiness", "time_range"}
    return receipt.model_dump(mode="json", by_alias=True, include=told, exclude_none=True)


def _data(data: Any, language: Language) -> Any:
    if not isinstance(data, dict) or not isinstance(data.get("rows"), list):
        return data
    rows: list[Any] = data["rows"]
    shown = _that_fit(rows)
    if len(shown) == len(rows):
        return data
    note = message("agent.rows_cut", language, shown=len(shown), count=len(rows))
    return {**data, "rows": shown, "note": note}


def _that_fit(rows: list[Any]) -> list[Any]:
    room = MOST_CHARACTERS
    for count, row in enumerate(rows[:MOST_ROWS]):
        room -= len(_json(row))
        if room < 0 and count:
            return rows[:count]
    return rows[:MOST_ROWS]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
