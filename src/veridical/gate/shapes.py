"""Evidence in the shapes that agents have it in: rows, results, records, texts, transcripts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from veridical.contracts.result import Emptiness, ToolRun
from veridical.gate.evidence.borne_out import borne_out
from veridical.gate.evidence.exhibit import Calculation, Exhibit, Measure
from veridical.gate.evidence.receipt import (
    coined_in,
    held_by,
    lineage_in,
    statement_in,
    time_range_in,
)
from veridical.gate.evidence.statement import applied_by
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
"""How many rows there are, as results say it."""


@dataclass(frozen=True, slots=True)
class Material:
    """What somebody handed in as evidence: the exhibits, and the calls that brought none."""

    exhibits: tuple[Exhibit, ...] = ()
    runs: tuple[ToolRun, ...] = ()


def read_material(evidence: Any, depth: int = 0) -> Material:
    """Exhibits from an exhibit, rows, ``{"columns", "rows"}``, a tool's result, an answer with its
    sources, a transcript, any JSON record, a text, or several of these. What failed is a run that
    brought nothing. Never raises."""
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


def _mapping(told: Mapping[Any, Any], depth: int) -> Material:
    if isinstance(told.get("success"), bool):
        return _result(told, depth)
    if is_transcript(told):
        return _transcript(told, depth)
    failure = "" if _is_table(told) and not _is_flagged(told) else failure_in_mapping(told)
    if failure:
        return _failed(failure, _tool_of(told))
    if is_mcp_result(told):
        return _mcp_result(told, depth)
    envelope = told.get("result") if "jsonrpc" in told else None
    if isinstance(envelope, Mapping):
        return read_material(envelope, depth + 1)
    if _is_call(told):
        return _result({**told, "success": True, "data": _payload(told)}, depth)
    sources = told.get("sources")
    if isinstance(sources, Sequence) and sources and all(map(_is_result, sources)):
        return _together(sources, depth)
    if _is_table(told):
        return Material((_received(_table(told["columns"], told["rows"]), told),))
    if told.keys() >= _ARITHMETIC:
        calculation = _calculation(told)
        if calculation is not None:
            return Material((Exhibit(calculation=calculation),))
    return Material((Exhibit(record=dict(told)),))


def _sequence(told: Sequence[Any], depth: int) -> Material:
    if not told:
        nothing = Exhibit(row_count=0, emptiness=Emptiness.NO_MATCH)
        return Material((nothing,)) if isinstance(told, list) else Material()
    if is_transcript(told):
        return _transcript(told, depth)
    if all(map(is_block, told)):
        return read_material(content_of(told), depth + 1)
    if all(isinstance(each, Mapping) for each in told):
        if any(map(_is_result, told)):
            return _together(told, depth)
        if all(map(_is_flat, told)):
            return Material((_from_dicts(told),))
        return Material((Exhibit(record=list(told)),))
    if any(isinstance(each, Exhibit | BaseModel | str | Mapping) for each in told):
        if all(_is_words(each) for each in told):
            return Material((Exhibit(record=list(told)),))
        return _together(told, depth)
    return Material((Exhibit(record=list(told)),))


def _together(several: Sequence[Any], depth: int) -> Material:
    read = [read_material(each, depth + 1) for each in several]
    return Material(
        tuple(exhibit for each in read for exhibit in each.exhibits),
        tuple(run for each in read for run in each.runs),
    )


def _transcript(told: Any, depth: int) -> Material:
    """What the tools of a conversation returned."""
    results: list[Any] = []
    for each in returned_in(told):
        if each.failed:
            error = each.error or failure_in(each.payload) or "failed"
            results.append({"success": False, "tool": each.tool, "error": error})
            continue
        wrapped: dict[str, Any] = {"success": True, "tool": each.tool, "data": each.payload}
        if each.arguments is not None:
            wrapped["arguments"] = each.arguments
        results.append(wrapped)
    return _together(results, depth)


def _mcp_result(told: Mapping[Any, Any], depth: int) -> Material:
    """Structured content where there is some: the blocks beside it say the same in words."""
    structured = told.get("structuredContent")
    return read_material(
        structured if structured is not None else content_of(told.get("content")), depth + 1
    )


def _is_flagged(told: Mapping[Any, Any]) -> bool:
    return any(told.get(name) is True for name in ("isError", "is_error"))


def _is_call(told: Mapping[Any, Any]) -> bool:
    """True for a call with what it returned: a tool's name, its arguments, its output."""
    named = isinstance(told.get("tool") or told.get("name"), str)
    return (
        named
        and any(name in told for name in ("arguments", "args", "input", "sql"))
        and _payload(told) is not None
        and not _is_table(told)
    )


def _payload(told: Mapping[Any, Any]) -> Any:
    names = ("data", "result", "output", "content", "structuredContent", "response")
    return next((told[name] for name in names if told.get(name) is not None), None)


def _tool_of(told: Mapping[Any, Any]) -> str:
    return str(told.get("tool") or told.get("name") or "")


def _result(told: Mapping[Any, Any], depth: int) -> Material:
    """A tool's result. One that failed brings nothing, except the reason that it is empty."""
    tool = _tool_of(told)
    details = told.get("errorDetails") or told.get("error_details")
    code = str(details.get("code", "")) if isinstance(details, Mapping) else ""
    if not told["success"]:
        error = code or str(told.get("error") or "")
        run = ToolRun(tool=tool, success=False, error=error)
        reason = _emptiness(code)
        told_empty = (Exhibit(name=tool, row_count=0, emptiness=reason),) if reason else ()
        return Material(told_empty, (run,))
    payload = content_of(_payload(told))
    read = read_material(payload, depth + 1)
    failed = bool(read.runs) and not read.exhibits and not any(run.success for run in read.runs)
    if failed:
        return Material(runs=tuple(_under(tool, run) for run in read.runs))
    run = ToolRun(tool=tool, success=True)
    exhibits = tuple(_received(each, told) for each in read.exhibits)
    return Material(exhibits, (*read.runs, run))


def _under(tool: str, run: ToolRun) -> ToolRun:
    return run if run.tool or not tool else run.model_copy(update={"tool": tool})


def _received(exhibit: Exhibit, told: Mapping[Any, Any]) -> Exhibit:
    """The exhibit with what its receipt says."""
    receipt = told.get("receipt")
    said: Mapping[Any, Any] = {**told, **receipt} if isinstance(receipt, Mapping) else told
    truncated = exhibit.truncated or said.get("truncated") is True
    count = next((_whole(said[name]) for name in _COUNTS if name in said), None)
    if truncated and (count is None or count <= len(exhibit.rows)):
        count = None  # of what came back, not of what there is
    elif count is None:
        count = exhibit.row_count
    empty = _emptiness(said.get("emptiness")) or exhibit.emptiness
    if empty is None and exhibit.columns and not exhibit.rows:
        empty = Emptiness.NO_MATCH
    name = said.get("tool") or said.get("name")
    arguments = told.get("arguments")
    if not isinstance(arguments, Mapping):
        arguments = told
    written = statement_in(arguments)
    sql = written or statement_in(said)
    applied = applied_by({**arguments, "sql": written} if written else arguments)
    received = replace(
        exhibit,
        name=exhibit.name or (name if isinstance(name, str) else ""),
        truncated=truncated,
        row_count=count,
        emptiness=empty,
        compared=applied.compared or exhibit.compared,
        row_limit=exhibit.row_limit if applied.row_limit is None else applied.row_limit,
        held=held_by(said, arguments, sql) or exhibit.held,
        time_range=time_range_in(said) or exhibit.time_range,
        measures={**exhibit.measures, **{name: Measure(coined=True) for name in coined_in(sql)}},
    )
    return borne_out(received, lineage_in(said, sql))


def _is_table(told: Any) -> bool:
    return (
        isinstance(told, Mapping)
        and isinstance(told.get("columns"), Sequence)
        and isinstance(told.get("rows"), Sequence)
        and not isinstance(told["rows"], _PLAIN)
        and not isinstance(told["columns"], _PLAIN)
    )


def _is_result(told: Any) -> bool:
    return isinstance(told, Mapping) and (
        _is_table(told)
        or isinstance(told.get("success"), bool)
        or isinstance(told.get("isError"), bool)
        or is_mcp_result(told)
        or "jsonrpc" in told
        or _is_call(told)
        or (isinstance(told.get("tool"), str) and bool(failure_in_mapping(told)))
    )


def _is_flat(row: Mapping[Any, Any]) -> bool:
    return not any(isinstance(value, Mapping | list | tuple) for value in row.values())


def _is_words(told: Any) -> bool:
    """True for a text that is no JSON and no failure."""
    return isinstance(told, str) and not _is_json(told) and not failure_in_text(told)


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
    """A row as wide as the table, whatever the row itself looks like."""
    if isinstance(row, Mapping):
        return tuple(row.get(name) for name in names)
    cells = tuple(row) if isinstance(row, list | tuple) else (row,)
    return (*cells[: len(names)], *(None for _ in range(len(names) - len(cells))))


def _from_dicts(rows: Sequence[Mapping[Any, Any]]) -> Exhibit:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = tuple(tuple(row.get(key) for key in keys) for row in rows)
    return Exhibit(columns=tuple(map(str, keys)), rows=cells, row_count=len(cells))


def _calculation(told: Mapping[Any, Any]) -> Calculation | None:
    inputs = told.get("inputs")
    try:
        value = float(told["result"])
        given = tuple(float(each) for each in inputs) if isinstance(inputs, list | tuple) else ()
    except (TypeError, ValueError, OverflowError):
        return None
    return Calculation(str(told["expression"]), value, given)


def _emptiness(said: Any) -> Emptiness | None:
    return Emptiness(said) if said in Emptiness.__members__.values() else None


def _whole(said: Any) -> int | None:
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else None
