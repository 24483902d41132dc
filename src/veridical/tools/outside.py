"""Records the results of tools of a pack or of an embedding program, so that they can be evidence.

Such a tool writes no receipt. Rows in the known shape get one from the host; everything else that
it returns is shown to the model and proves nothing.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any
from uuid import uuid4

from veridical.check.arguments import as_object
from veridical.contracts.lineage import ColumnOrigin, Lineage, OriginKind
from veridical.contracts.result import Emptiness, Receipt, ToolResult
from veridical.contracts.tool import COLUMNS, ROWS, TRUNCATED, Arguments, OutsideTool, ToolContext
from veridical.engines.values import plain

_MOST_ROWS = 1_000
"""Most rows of one result: a model reads no more, and every row is kept in the trace."""
_LARGEST_COUNT = 100
_YEARS = range(1900, 2101)
"""Whole numbers that select rows (a rank, a month, a number of days, a year) rather than being part
of their figures."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A checked call with the arguments that the model wrote."""

    arguments: dict[str, Any]
    checked: Any


def recorded(tool: OutsideTool, ontology_hash: str) -> OutsideTool:
    """The same tool, whose rows carry the host's receipt."""

    def check(arguments: Arguments, context: ToolContext) -> RecordedCall | ToolResult:
        checked = tool.check(arguments, context)
        if not isinstance(checked, ToolResult):
            return RecordedCall(as_object(arguments) or {}, checked)
        if checked.success:
            raise TypeError(f"the check of {tool.name} ran the call instead of checking it")
        return _own_part(checked)

    def run(call: RecordedCall, context: ToolContext) -> ToolResult:
        started = perf_counter()
        result = _own_part(tool.run(call.checked, context))
        if not result.success or not _has_rows(result.data):
            return result
        data = _table(tool.name, result.data)
        origins = tuple(_origins(tool, data[COLUMNS], call.arguments))
        receipt = _receipt(tool.name, call.arguments, data, origins, ontology_hash, started)
        return result.model_copy(update={"data": data, "receipt": receipt})

    def reads(call: RecordedCall) -> tuple[str, ...]:
        return tool.reads(call.checked)

    return replace(tool, check=check, run=run, reads=reads)


def _own_part(result: ToolResult) -> ToolResult:
    """The result without the parts that only the host may write, such as receipts."""
    return result.model_copy(update={"receipt": None, "ran_as": None, "answer": None})


def _has_rows(data: Any) -> bool:
    return isinstance(data, Mapping) and COLUMNS in data and ROWS in data


def _table(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The data with JSON values and no more rows than allowed. Raises if it is no table."""
    columns, rows = list(data[COLUMNS]), list(data[ROWS])
    if not all(isinstance(each, str) for each in columns) or len(set(columns)) < len(columns):
        raise TypeError(f"{name} returned columns that are not distinct names: {columns}")
    if any(len(row) != len(columns) for row in rows):
        raise TypeError(f"{name} returned rows that don't fit its columns: {columns}")
    shown = [list(row) for row in plain(rows[:_MOST_ROWS])]
    cut = {TRUNCATED: True} if data.get(TRUNCATED) or len(rows) > _MOST_ROWS else {}
    return {**data, COLUMNS: columns, ROWS: shown, **cut}


def _receipt(
    name: str,
    arguments: dict[str, Any],
    data: dict[str, Any],
    origins: tuple[ColumnOrigin, ...],
    ontology_hash: str,
    started: float,
) -> Receipt:
    written = json.dumps(arguments, ensure_ascii=False, sort_keys=True, default=str)
    call = f"{name}({written})"
    truncated = bool(data.get(TRUNCATED))
    return Receipt(
        call_id=str(uuid4()),
        query_hash=hashlib.sha256(call.encode()).hexdigest(),
        ontology_hash=ontology_hash,
        sql=call,
        row_count=len(data[ROWS]),
        truncated=truncated,
        emptiness=_emptiness(data[ROWS], truncated=truncated),
        elapsed_ms=round((perf_counter() - started) * 1000, 3),
        held={name: value for name, value in arguments.items() if _picks(value)},
        lineage=Lineage(columns=origins),
    )


def _emptiness(rows: list[Any], *, truncated: bool) -> Emptiness | None:
    if truncated:
        return Emptiness.TRUNCATED
    return None if rows else Emptiness.NO_MATCH


def _origins(
    tool: OutsideTool, columns: list[str], arguments: dict[str, Any]
) -> Iterator[ColumnOrigin]:
    """The origins of the columns, with the values that the model wrote: a cell that repeats one,
    or a figure made from one, proves nothing unless a person named the number too."""
    written = tuple(dict.fromkeys(_written(arguments)))
    numbers = {number for each in written if (number := _number(each)) is not None}
    constants = tuple(sorted(number for number in numbers if not _selects(number)))
    for column in columns:
        kind = OriginKind.PASSAGE if column in tool.passages else OriginKind.TOOL
        yield ColumnOrigin(kind=kind, written=written, constants=constants)


def _written(value: Any) -> Iterator[float | str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _written(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _written(each)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield float(value)
    elif isinstance(value, str) and value:
        yield value


def _number(value: float | str) -> float | None:
    """The number of a value, also if it is written as text."""
    if isinstance(value, str):
        try:
            value = float(value.replace(",", "").replace("'", "").replace("_", ""))
        except ValueError:
            return None
    return value if math.isfinite(value) else None


def _selects(number: float) -> bool:
    return number == int(number) and (abs(number) <= _LARGEST_COUNT or number in _YEARS)


def _picks(value: Any) -> bool:
    """True for a text that selects rows; a number could be a made-up figure."""
    return isinstance(value, str) and bool(value) and _number(value) is None
