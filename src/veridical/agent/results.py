"""Renders tool results for the model: the whole verdict, some of the rows."""

import json
from collections.abc import Sequence
from typing import Any

from veridical.contracts.answer import Source
from veridical.contracts.chunk import Chunk, chunks_in
from veridical.contracts.language import Language
from veridical.contracts.result import RanAs, Receipt, ToolResult
from veridical.messages import message

MOST_ROWS = 50
_FOR_APPROVAL = {"hash", "model_score", "gap_tags", "risk_flags", "facet_coverage"}
"""Fields of a passage for people and programs."""
MOST_CHARACTERS = 12_000
"""Some 4,000 tokens: more rows make an answer slower, not better."""


def as_prompt(result: ToolResult, language: Language, then: str = "", name: str = "") -> str:
    """The result as compact JSON. Rows that are left out are counted for the model.

    Rows that the tool has put into words are given in these words alone. A small model that must
    always call something forgets how to end: ``then`` reminds it. ``name`` is the answer's name for
    the result.
    """
    content: dict[str, Any] = {"result": name} if name else {}
    content["success"] = result.success
    if result.error is not None:
        content["error"] = result.error
    if result.error_details is not None:
        content["errorDetails"] = result.error_details
    if result.warnings:
        content["warnings"] = [
            warning.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"mode"})
            for warning in result.warnings
        ]
    if result.receipt is not None and not result.answer:
        content["receipt"] = _receipt(result.receipt)
    if result.answer:
        content["answer"] = result.answer
    elif result.data is not None:
        content["data"] = _data(result.data, language)
    if result.about is not None:
        content["about"] = result.about
    if result.success and then:
        content["next"] = then
    written = _json(content)
    return _without_marks(written) if chunks_in(result.data) else written


def as_source(tool: str, arguments: dict[str, Any], result: ToolResult) -> Source | None:
    """The source for an answer; None for a call that failed or left no receipt."""
    if not result.success or result.receipt is None:
        return None
    chunks = chunks_in(result.data)
    columns, rows = ((), ()) if chunks else _table(result.data)
    ran = result.ran_as or RanAs(tool=tool, arguments=arguments)
    return Source(
        tool=ran.tool,
        arguments=ran.arguments,
        columns=columns,
        rows=rows,
        receipt=result.receipt,
        chunks=chunks,
        warnings=result.warnings,
        known=ran.known,
    )


def names_of(results: Sequence[ToolResult], sources: int) -> list[str]:
    """The answer's names for these last ones of so many sources: ``r1`` is the first of all; empty
    for a result that is no source."""
    brought = [bool(each.success and each.receipt) for each in results]
    first = sources - sum(brought)
    numbers = [first + sum(brought[: at + 1]) for at in range(len(brought))]
    return [f"r{n}" if each else "" for n, each in zip(numbers, brought, strict=True)]


def _table(data: Any) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Columns and rows; an object of plain values is one row."""
    if not isinstance(data, dict):
        return (), ()
    if "rows" in data and "columns" in data:
        return tuple(data["columns"]), tuple(tuple(row) for row in data["rows"])
    plain = {name: value for name, value in data.items() if not isinstance(value, list | dict)}
    return (tuple(plain), (tuple(plain.values()),)) if plain else ((), ())


def _receipt(receipt: Receipt) -> dict[str, Any]:
    keys = {"row_count", "truncated", "emptiness", "time_range"}
    return receipt.model_dump(mode="json", by_alias=True, include=keys, exclude_none=True)


def _data(data: Any, language: Language) -> Any:
    if chunks := chunks_in(data):
        return _passages(chunks, language)
    if not isinstance(data, dict) or not isinstance(data.get("rows"), list):
        return data
    rows: list[Any] = data["rows"]
    shown = _that_fit(rows)
    if len(shown) == len(rows):
        return data
    note = message("agent.rows_cut", language, shown=len(shown), count=len(rows))
    return {**data, "rows": shown, "note": note}


def _passages(chunks: tuple[Chunk, ...], language: Language) -> dict[str, Any]:
    """The passages of documents, after a sentence that marks them as untrusted."""
    shown = [
        each.model_dump(mode="json", exclude=_FOR_APPROVAL, exclude_defaults=True)
        for each in chunks
    ]
    return {"note": message("agent.passages", language), "chunks": shown}


def _without_marks(written: str) -> str:
    """The same JSON without angle brackets, which could pass for the marks of a conversation."""
    return written.replace("<", "\\u003c").replace(">", "\\u003e")


def _that_fit(rows: list[Any]) -> list[Any]:
    room = MOST_CHARACTERS
    for count, row in enumerate(rows[:MOST_ROWS]):
        room -= len(_json(row))
        if room < 0 and count:
            return rows[:count]
    return rows[:MOST_ROWS]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
