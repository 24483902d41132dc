"""The conversation of a model: results as tables, and earlier answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolReturnPart

Cell = Any


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Columns and rows of the last result."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()

    @property
    def is_nothing(self) -> bool:
        """No rows, or a count or total of nothing."""
        return all(cell in (None, 0, "0", "0.00") for row in self.rows for cell in row)


def read_table(data: Any) -> ResultTable:
    """The rows of a tool's result."""
    if not isinstance(data, dict) or "rows" not in data:
        return ResultTable()
    return ResultTable(tuple(data.get("columns", ())), tuple(tuple(row) for row in data["rows"]))


def figure(cell: Cell) -> Decimal | None:
    """The cell as a figure; none for names, codes and what is no number."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, str) and "." not in cell:
        return None
    try:
        return Decimal(str(cell))
    except InvalidOperation:
        return None


def results_in(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """The tools' results, as a model reads them."""
    return [
        json.loads(str(part.content))
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]


def answers_in(messages: Sequence[ModelMessage]) -> int:
    """The number of answers in words; more than the thread has mean that the gate has blocked."""
    return sum(
        isinstance(message, ModelResponse)
        and any(isinstance(part, TextPart) for part in message.parts)
        for message in messages
    )
