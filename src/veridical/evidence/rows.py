"""Tables within evidence of any shape: rows, results of tools, nested records, JSON, text."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.evidence.exhibit import Exhibit

_MOST_DEPTH = 6
_LEAST_ROWS = 2
_ARGUMENTS = ("arguments", "args", "input", "parameters")
_COUNTS = ("total_rows", "row_count", "rowCount", "total", "total_count", "totalRows")


def tables_in(evidence: Any) -> Iterator[Exhibit]:
    """The columns and rows of the evidence, as they are found in it."""
    return iter(_found(evidence, "", {}, 0))


def _found(value: Any, title: str, held: Mapping[str, Any], depth: int) -> Iterable[Exhibit]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, str):
        yield from _of_text(value, title, held, depth)
    elif isinstance(value, Mapping):
        yield from _of_mapping(dict(value), title, held, depth)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        yield from _of_list(value, title, held, depth)


def _of_text(text: str, title: str, held: Mapping[str, Any], depth: int) -> Iterable[Exhibit]:
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        try:
            parsed = json.loads(stripped)
        except (ValueError, RecursionError):
            parsed = None
        if parsed is not None:
            yield from _found(parsed, title, held, depth + 1)
            return
    yield from _markdown(stripped, title, held) or _separated(stripped, title, held)


def _markdown(text: str, title: str, held: Mapping[str, Any]) -> list[Exhibit]:
    found: list[Exhibit] = []
    rows: list[list[str]] = []
    for line in (*text.splitlines(), ""):
        if line.strip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if len(rows) >= _LEAST_ROWS + 1:
            found.append(_of_cells(rows[0], rows[2:], title, held))
        rows = []
    return found


def _separated(text: str, title: str, held: Mapping[str, Any]) -> list[Exhibit]:
    lines = text.splitlines()
    if len(lines) < _LEAST_ROWS:
        return []
    for sign in ("\t", ";", ","):
        if all(sign in line for line in lines[:_LEAST_ROWS]):
            rows = list(csv.reader(io.StringIO(text), delimiter=sign))
            if len({len(row) for row in rows if row}) == 1:
                return [_of_cells(rows[0], rows[1:], title, held)]
    return []


def _of_cells(
    head: Sequence[str], rows: Iterable[Sequence[str]], title: str, held: Mapping[str, Any]
) -> Exhibit:
    width = len(head)
    cells = tuple(
        tuple((cell.strip() or None) for cell in (*row, *([""] * width))[:width]) for row in rows
    )
    return Exhibit(title, tuple(head), cells, held=held)


def _of_list(
    values: Sequence[Any], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Exhibit]:
    mappings = [dict(each) for each in values if isinstance(each, Mapping)]
    if mappings and len(mappings) == len(values) and not any(map(_is_result, mappings)):
        yield from _of_records(mappings, title, held, depth)
    elif values and not any(isinstance(each, Mapping | list | tuple) for each in values):
        if all(isinstance(each, str) and len(each) > 60 for each in values):
            for each in values:
                yield from _found(each, title, held, depth + 1)
        else:
            rows = tuple((each,) for each in values)
            yield Exhibit(title, (title or "value",), rows, held=held)
    else:
        for each in values:
            yield from _found(each, title, held, depth + 1)


def _is_result(value: Mapping[str, Any]) -> bool:
    return _rows_key(value) is not None or ("role" in value and "content" in value)


def _rows_key(value: Mapping[str, Any]) -> str | None:
    known = ("rows", "data", "result") if "tool" in value else ("rows", "data")
    key = next((each for each in known if each in value), None)
    return key if key is not None and isinstance(value[key], list) else None


def _of_mapping(
    value: dict[str, Any], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Exhibit]:
    if "role" in value and "content" in value:
        if value["role"] in ("tool", "function", "user", "tool_result"):
            yield from _found(value["content"], str(value.get("name", title)), held, depth + 1)
        return
    key = _rows_key(value)
    if key is None:
        yield from _of_records([value], title, held, depth)
        return
    named = str(value.get("tool", value.get("name", title)))
    arguments = next((value[name] for name in _ARGUMENTS if name in value), {})
    context = {**held, **(_flat(arguments) if isinstance(arguments, Mapping) else {})}
    rows: list[Any] = value[key]
    count = next((value[name] for name in _COUNTS if isinstance(value.get(name), int)), None)
    cut = bool(value.get("truncated")) or (count is not None and count > len(rows))
    columns = value.get("columns")
    names = [_column_name(each) for each in columns] if isinstance(columns, list) else []
    if names and all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
        width = len(names)
        cells = tuple(tuple((*row, *([None] * width))[:width]) for row in rows)
        yield Exhibit(named, tuple(names), cells, held=context, row_count=count, truncated=cut)
        return
    mappings = [dict(row) for row in rows if isinstance(row, Mapping)]
    for at, grid in enumerate(_of_records(mappings, named, context, depth)):
        yield replace(grid, row_count=count, truncated=cut) if at == 0 else grid


def _column_name(column: Any) -> str:
    return str(column.get("name", column) if isinstance(column, Mapping) else column)


def _flat(value: Mapping[str, Any], path: str = "", depth: int = 0) -> dict[str, Any]:
    """The single values of a record, by their path."""
    found: dict[str, Any] = {}
    for key, each in value.items():
        name = f"{path}{key}"
        if isinstance(each, Mapping) and depth < _MOST_DEPTH:
            found |= _flat(dict(each), f"{name}.", depth + 1)
        elif not isinstance(each, list | tuple):
            found[name] = each
    return found


def _lists(value: Mapping[str, Any], path: str = "") -> Iterable[tuple[str, list[Any]]]:
    for key, each in value.items():
        if isinstance(each, Mapping):
            yield from _lists(dict(each), f"{path}{key}.")
        elif isinstance(each, list | tuple) and each:
            yield f"{path}{key}", list(each)


def _of_records(
    records: list[dict[str, Any]], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Exhibit]:
    flat = [_flat(record) for record in records]
    columns = tuple(dict.fromkeys(name for record in flat for name in record))
    if columns:
        cells = tuple(tuple(record.get(name) for name in columns) for record in flat)
        yield Exhibit(title, columns, cells, held=held)
    for name, values in _merged_lists(records, columns):
        yield from _found(values, name, held, depth + 1)


def _merged_lists(
    records: list[dict[str, Any]], columns: tuple[str, ...]
) -> Iterable[tuple[str, list[Any]]]:
    """The lists within records: those of several records as one, beside what names their own."""
    named: dict[str, list[Any]] = {}
    for record in records:
        key = next((name for name in columns if isinstance(record.get(name), str)), None)
        for path, values in _lists(record):
            for each in values:
                if isinstance(each, Mapping) and key is not None and len(records) > 1:
                    named.setdefault(path, []).append({key: record[key], **each})
                else:
                    named.setdefault(path, []).append(each)
    yield from named.items()
