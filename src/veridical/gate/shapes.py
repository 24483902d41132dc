"""Evidence in the shapes that agents have it in: rows, results, records, texts, transcripts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from veridical.contracts.result import Emptiness, ToolRun
from veridical.evidence.exhibit import Calculation, Exhibit, Measure
from veridical.gate.evidence.read_cells import keep_read_cells
from veridical.gate.evidence.receipt import (
    coined_in,
    held_by,
    lineage_in,
    statement_in,
    time_range_in,
)
from veridical.gate.failures import failure_in, failure_in_mapping, failure_in_text
from veridical.gate.transcript import (
    content_of,
    is_block,
    is_mcp_result,
    is_transcript,
    returned_in,
)

_ARITHMETIC = frozenset({"expression", "result"})
_PLAIN = (str, bytes)
_DEEPEST = 32
_COUNTS = ("rowCount", "row_count", "total_rows", "totalRows", "total_count")
"""Keys of the row count in results."""


@dataclass(frozen=True, slots=True)
class Material:
    """Evidence as read: the exhibits, and the calls that returned none."""

    exhibits: tuple[Exhibit, ...] = ()
    runs: tuple[ToolRun, ...] = ()


def read_material(evidence: Any, depth: int = 0) -> Material:
    """Exhibits from an exhibit, rows, ``{"columns", "rows"}``, a tool's result, an answer with its
    sources, a transcript, any JSON record, a text, or several of these. A failed call is a run
    without exhibits. Never raises."""
    if depth > _DEEPEST:
        return Material((Exhibit(text=str(evidence)),))
    if isinstance(evidence, Exhibit):
        return Material((evidence,))
    if evidence is None:
        return Material()
    if isinstance(evidence, BaseModel):
        return read_material(evidence.model_dump(by_alias=True), depth + 1)
    if isinstance(evidence, str):
        return _text(evidence, depth)
    if isinstance(evidence, Mapping):
        return _mapping(evidence, depth)
    if isinstance(evidence, Sequence) and not isinstance(evidence, _PLAIN):
        return _sequence(evidence, depth)
    return Material((Exhibit(record=evidence),))


def _text(text: str, depth: int) -> Material:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return read_material(json.loads(text), depth + 1)
        except (ValueError, RecursionError):
            pass
    failure = failure_in_text(text)
    if failure:
        return _failed(failure)
    return Material((Exhibit(text=text),)) if text.strip() else Material()


def _failed(error: str, tool: str = "") -> Material:
    return Material(runs=(ToolRun(tool=tool, success=False, error=error),))


def _mapping(record: Mapping[Any, Any], depth: int) -> Material:
    if isinstance(record.get("success"), bool):
        return _result(record, depth)
    if is_transcript(record):
        return _transcript(record, depth)
    failure = "" if _is_table(record) and not _is_flagged(record) else failure_in_mapping(record)
    if failure:
        return _failed(failure, _tool_of(record))
    if is_mcp_result(record):
        return _mcp_result(record, depth)
    envelope = record.get("result") if "jsonrpc" in record else None
    if isinstance(envelope, Mapping):
        return read_material(envelope, depth + 1)
    if _is_call(record):
        return _result({**record, "success": True, "data": _payload(record)}, depth)
    sources = record.get("sources")
    if isinstance(sources, Sequence) and sources and all(map(_is_result, sources)):
        return _together(sources, depth)
    if _is_table(record):
        return Material((_received(_table(record["columns"], record["rows"]), record),))
    if record.keys() >= _ARITHMETIC:
        calculation = _calculation(record)
        if calculation is not None:
            return Material((Exhibit(calculation=calculation),))
    return Material((Exhibit(record=dict(record)),))


def _sequence(items: Sequence[Any], depth: int) -> Material:
    if not items:
        nothing = Exhibit(row_count=0, emptiness=Emptiness.NO_MATCH)
        return Material((nothing,)) if isinstance(items, list) else Material()
    if is_transcript(items):
        return _transcript(items, depth)
    if all(map(is_block, items)):
        return read_material(content_of(items), depth + 1)
    if all(isinstance(each, Mapping) for each in items):
        if any(map(_is_result, items)):
            return _together(items, depth)
        if all(map(_is_flat, items)):
            return Material((_from_dicts(items),))
        return Material((Exhibit(record=list(items)),))
    if any(isinstance(each, Exhibit | BaseModel | str | Mapping) for each in items):
        if all(_is_words(each) for each in items):
            return Material((Exhibit(record=list(items)),))
        return _together(items, depth)
    return Material((Exhibit(record=list(items)),))


def _together(several: Sequence[Any], depth: int) -> Material:
    read = [read_material(each, depth + 1) for each in several]
    return Material(
        tuple(exhibit for each in read for exhibit in each.exhibits),
        tuple(run for each in read for run in each.runs),
    )


def _transcript(transcript: Any, depth: int) -> Material:
    """The results of the tools in a conversation."""
    results: list[Any] = []
    for each in returned_in(transcript):
        if each.failed:
            error = each.error or failure_in(each.payload) or "failed"
            results.append({"success": False, "tool": each.tool, "error": error})
            continue
        wrapped: dict[str, Any] = {"success": True, "tool": each.tool, "data": each.payload}
        if each.arguments is not None:
            wrapped["arguments"] = each.arguments
        results.append(wrapped)
    return _together(results, depth)


def _mcp_result(result: Mapping[Any, Any], depth: int) -> Material:
    """Structured content where there is some: the blocks beside it say the same in words."""
    structured = result.get("structuredContent")
    return read_material(
        structured if structured is not None else content_of(result.get("content")), depth + 1
    )


def _is_flagged(record: Mapping[Any, Any]) -> bool:
    return any(record.get(name) is True for name in ("isError", "is_error"))


def _is_call(record: Mapping[Any, Any]) -> bool:
    """True for a call with its result: a tool's name, its arguments, its output."""
    named = isinstance(record.get("tool") or record.get("name"), str)
    return (
        named
        and any(name in record for name in ("arguments", "args", "input", "sql"))
        and _payload(record) is not None
        and not _is_table(record)
    )


def _payload(record: Mapping[Any, Any]) -> Any:
    names = ("data", "result", "output", "content", "structuredContent", "response")
    return next((record[name] for name in names if record.get(name) is not None), None)


def _tool_of(record: Mapping[Any, Any]) -> str:
    return str(record.get("tool") or record.get("name") or "")


def _result(result: Mapping[Any, Any], depth: int) -> Material:
    """A tool's result. A failed one has no exhibit, except for the reason that it is empty."""
    tool = _tool_of(result)
    details = result.get("errorDetails") or result.get("error_details")
    code = str(details.get("code", "")) if isinstance(details, Mapping) else ""
    if not result["success"]:
        error = code or str(result.get("error") or "")
        run = ToolRun(tool=tool, success=False, error=error)
        reason = _emptiness(code)
        empty = (Exhibit(name=tool, row_count=0, emptiness=reason),) if reason else ()
        return Material(empty, (run,))
    payload = content_of(_payload(result))
    read = read_material(payload, depth + 1)
    failed = bool(read.runs) and not read.exhibits and not any(run.success for run in read.runs)
    if failed:
        return Material(runs=tuple(_under(tool, run) for run in read.runs))
    run = ToolRun(tool=tool, success=True)
    exhibits = tuple(_received(each, result) for each in read.exhibits)
    return Material(exhibits, (*read.runs, run))


def _under(tool: str, run: ToolRun) -> ToolRun:
    return run if run.tool or not tool else run.model_copy(update={"tool": tool})


def _received(exhibit: Exhibit, result: Mapping[Any, Any]) -> Exhibit:
    """The exhibit with the details of its receipt."""
    receipt = result.get("receipt")
    merged: Mapping[Any, Any] = {**result, **receipt} if isinstance(receipt, Mapping) else result
    truncated = exhibit.truncated or merged.get("truncated") is True
    count = next((_whole(merged[name]) for name in _COUNTS if name in merged), None)
    if truncated and (count is None or count <= len(exhibit.rows)):
        count = None  # the count of the returned rows, not of all
    elif count is None:
        count = exhibit.row_count
    empty = _emptiness(merged.get("emptiness")) or exhibit.emptiness
    if empty is None and exhibit.columns and not exhibit.rows:
        empty = Emptiness.NO_MATCH
    name = merged.get("tool") or merged.get("name")
    arguments = result.get("arguments")
    if not isinstance(arguments, Mapping):
        arguments = result
    sql = statement_in(arguments) or statement_in(merged)
    received = replace(
        exhibit,
        name=exhibit.name or (name if isinstance(name, str) else ""),
        truncated=truncated,
        row_count=count,
        emptiness=empty,
        held=held_by(merged, arguments, sql) or exhibit.held,
        time_range=time_range_in(merged) or exhibit.time_range,
        measures={**exhibit.measures, **{name: Measure(coined=True) for name in coined_in(sql)}},
    )
    return keep_read_cells(received, lineage_in(merged, sql))


def _is_table(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("columns"), Sequence)
        and isinstance(value.get("rows"), Sequence)
        and not isinstance(value["rows"], _PLAIN)
        and not isinstance(value["columns"], _PLAIN)
    )


def _is_result(value: Any) -> bool:
    return isinstance(value, Mapping) and (
        _is_table(value)
        or isinstance(value.get("success"), bool)
        or isinstance(value.get("isError"), bool)
        or is_mcp_result(value)
        or "jsonrpc" in value
        or _is_call(value)
        or (isinstance(value.get("tool"), str) and bool(failure_in_mapping(value)))
    )


def _is_flat(row: Mapping[Any, Any]) -> bool:
    return not any(isinstance(value, Mapping | list | tuple) for value in row.values())


def _is_words(value: Any) -> bool:
    """True for a text that is no JSON and no failure."""
    return isinstance(value, str) and not _is_json(value) and not failure_in_text(value)


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _table(columns: Sequence[Any], rows: Sequence[Any]) -> Exhibit:
    names = tuple(_column_name(each) for each in columns)
    cells = tuple(_cells(row, names) for row in rows)
    return Exhibit(columns=names, rows=cells, row_count=len(cells))


def _column_name(column: Any) -> str:
    if isinstance(column, Mapping):
        return str(column.get("name", column.get("key", "")))
    return str(column)


def _cells(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    """The cells of a row, as many as the table has columns."""
    if isinstance(row, Mapping):
        return tuple(row.get(name) for name in names)
    cells = tuple(row) if isinstance(row, list | tuple) else (row,)
    return (*cells[: len(names)], *(None for _ in range(len(names) - len(cells))))


def _from_dicts(rows: Sequence[Mapping[Any, Any]]) -> Exhibit:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = tuple(tuple(row.get(key) for key in keys) for row in rows)
    return Exhibit(columns=tuple(map(str, keys)), rows=cells, row_count=len(cells))


def _calculation(record: Mapping[Any, Any]) -> Calculation | None:
    try:
        return Calculation(str(record["expression"]), float(record["result"]))
    except (TypeError, ValueError, OverflowError):
        return None


def _emptiness(value: Any) -> Emptiness | None:
    return Emptiness(value) if value in Emptiness.__members__.values() else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
