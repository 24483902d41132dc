"""Text that is really a record: JSON, a Python literal, CSV with a head, ``key: value`` lines."""

import ast
import csv
import json
import re
from typing import Any, cast

from veridical.late_pattern import late_pattern

_LONGEST = 2_000_000
_DEEPEST = 60
_FENCE = late_pattern(r"\A```\w*\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_HEAD = late_pattern(r"#\s*([^:]{1,60}):\s*(.*)")
_ITEM = late_pattern(r"[-*•]\s+([^:\n]{1,80}):\s+(.+)")
_RULE = late_pattern(r"[-=_*]{3,}")
_NUMBER = late_pattern(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
_BRACKET = late_pattern(r"[{}\[\]()]")
_FEWEST_LINES = 2


def record_in(text: str) -> Any:
    """The record that a text spells out, or None where it is prose or anything else."""
    body = text.strip()
    fenced = _FENCE.match(body)
    if fenced:
        body = fenced.group(1).strip()
    if not body or len(body) > _LONGEST:
        return None
    if body[0] in "{[":
        return _literal(body)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    return _listing(lines) or _separated(lines)


def _literal(body: str) -> Any:
    if body[-1] not in "}]" or _depth(body) > _DEEPEST:
        return None
    try:
        return _container(json.loads(body))
    except ValueError:
        pass
    try:
        return _container(ast.literal_eval(body))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _container(value: Any) -> Any:
    return value if isinstance(value, dict | list) and value else None


def _depth(body: str) -> int:
    """How deep brackets nest; the reader of literals must not be led into endless recursion."""
    deepest = depth = 0
    for sign in _BRACKET.findall(body):
        depth += 1 if sign in "{[(" else -1
        deepest = max(deepest, depth)
    return deepest


def _listing(lines: list[str]) -> dict[str, Any] | None:
    """``- key: value`` lines under an optional title; a repeated key has several values."""
    items = [(at, found) for at, line in enumerate(lines) if (found := _ITEM.fullmatch(line))]
    loose = [line for line in lines if not _ITEM.fullmatch(line) and not _RULE.fullmatch(line)]
    if len(items) < _FEWEST_LINES or len(loose) > 1:
        return None
    record: dict[str, Any] = {"title": loose[0]} if loose and items[0][0] > 0 else {}
    if loose and not record:
        return None
    for _, found in items:
        key, value = found.group(1).strip(), _scalar(found.group(2))
        if key not in record:
            record[key] = value
        elif isinstance(record[key], list):
            cast("list[Any]", record[key]).append(value)
        else:
            record[key] = [record[key], value]
    return record


def _separated(lines: list[str]) -> dict[str, Any] | None:
    """CSV: lines ``# key: value`` first, then the names of the columns and at least two rows."""
    head: dict[str, Any] = {}
    at = 0
    while at < len(lines) and (found := _HEAD.fullmatch(lines[at])):
        head[found.group(1).strip()] = _scalar(found.group(2))
        at += 1
    body = lines[at:]
    if len(body) <= _FEWEST_LINES:
        return None
    for mark in ",;\t":
        rows = _rows(body, mark)
        if rows and (head or _figures(rows)):
            return {**head, "rows": rows}
    return None


def _rows(body: list[str], mark: str) -> list[dict[str, Any]] | None:
    """The rows as dictionaries where every line has as many fields as the first has names."""
    width = body[0].count(mark)
    if not width or body[1].count(mark) != width or body[-1].count(mark) != width:
        return None
    names, *rows = csv.reader(body, delimiter=mark)
    names = [name.strip() for name in names]
    if len(set(names)) < len(names) or any(_NUMBER.fullmatch(name) for name in names):
        return None
    if any(len(row) != len(names) for row in rows):
        return None
    return [dict(zip(names, map(_scalar, row), strict=True)) for row in rows]


def _figures(rows: list[dict[str, Any]]) -> bool:
    """Without a head, only figures in every row tell a table from prose with commas."""
    return all(any(isinstance(cell, int | float) for cell in row.values()) for row in rows)


def _scalar(text: str) -> Any:
    plain = text.strip()
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain) or (plain[0] == "0" and plain[1:2].isdigit()):
        return plain
    return float(plain) if not plain.lstrip("+-").isdigit() else int(plain)
