"""Statement, filters, period and lineage of a result, from its receipt and its call's arguments."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from sqlglot import exp

from veridical.contracts.lineage import Lineage
from veridical.contracts.result import TimeRange
from veridical.evidence.column_words import name_words
from veridical.gate.evidence.statement import coined, compared, parsed
from veridical.late_pattern import late_pattern
from veridical.lineage.statement import UNREADABLE, lineage_of_text
from veridical.ontology.model import Encoding
from veridical.reading.stored import stored_date
from veridical.statement.reader import parsed as parse_statement

_STATEMENTS = ("sql", "statement", "sql_query", "sqlQuery", "sqlStatement", "stmt")
_MAYBE = ("query", "q", "text", "command", "code", "input")
_BEGINS = late_pattern(
    r"[\s(]*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:select|with|values|table|from)\b", re.I | re.S
)
_DIGITS = {10: Encoding.UNIX_SECONDS, 13: Encoding.UNIX_MILLISECONDS, 8: Encoding.YYYYMMDD}
_EQUAL = frozenset({"=", "==", "eq", "is", "equals"})


def statement_in(fields: Mapping[Any, Any]) -> str:
    """The SQL text that a call or its receipt has; empty where it has none."""
    for name in _STATEMENTS:
        text = fields.get(name)
        if isinstance(text, str) and text.strip():
            return text
    for name in _MAYBE:
        text = fields.get(name)
        if isinstance(text, str) and _BEGINS.match(text) and _is_statement(text):
            return text
    return ""


def _is_statement(text: str) -> bool:
    """True if words that begin like a statement are one, or look too much like one to ignore."""
    tree = parse_statement(text)
    if isinstance(tree, exp.Query | exp.Values | exp.Subquery):
        return True
    return tree is None and re.search(r"\bSELECT\b", text) is not None


def lineage_in(receipt: Mapping[Any, Any], sql: str) -> Lineage | None:
    """The lineage of the cells: from the receipt, else from the statement."""
    recorded = receipt.get("lineage")
    if isinstance(recorded, Lineage):
        return recorded
    if isinstance(recorded, Mapping):
        try:
            return Lineage.model_validate(recorded)
        except ValidationError:
            return UNREADABLE
    dialect = receipt.get("dialect")
    return lineage_of_text(sql, dialect if isinstance(dialect, str) else None) if sql else None


def held_by(receipt: Mapping[Any, Any], arguments: Mapping[Any, Any], sql: str) -> dict[str, Any]:
    """Values that every row shares because the call filtered for them.

    Which columns are measured is unknown here, so numbers count only where they name something.
    """
    recorded = receipt.get("held")
    if isinstance(recorded, Mapping) and recorded:
        return {str(name): value for name, value in recorded.items()}
    found = compared(parsed(sql)) if sql else dict(_filters(arguments))
    return {name: value for name, value in found.items() if _labels(name, value)}


def coined_in(sql: str) -> tuple[str, ...]:
    """The names of counts that a statement makes up."""
    return tuple(coined(parsed(sql))) if sql else ()


def _filters(arguments: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    filters = arguments.get("filters")
    for each in filters if isinstance(filters, list | tuple) else ():
        if isinstance(each, Mapping) and str(each.get("op", "=")).casefold() in _EQUAL:
            yield str(each.get("field")), each.get("value")


def _labels(name: str, value: Any) -> bool:
    if isinstance(value, str):
        return True
    words = name_words(name)
    return isinstance(value, int) and (words.has("period") or words.has("code"))


def time_range_in(receipt: Mapping[Any, Any]) -> tuple[TimeRange, ...]:
    """The periods that a receipt names."""
    recorded = receipt.get("timeRange", receipt.get("time_range"))
    found: list[TimeRange] = []
    for each in recorded if isinstance(recorded, list | tuple) else ():
        try:
            period = TimeRange.model_validate(each)
        except ValidationError:
            continue
        days = {"start": _day(period.start), "end": _day(period.end)}
        found.append(period.model_copy(update=days))
    return tuple(found)


def _day(text: str | None) -> str | None:
    """A day that is kept as seconds or milliseconds since 1970, or as digits, as an ISO date."""
    if text is None or not text.isdecimal() or len(text) not in _DIGITS:
        return text
    try:
        return stored_date(int(text), _DIGITS[len(text)]).isoformat()
    except (ValueError, OverflowError, OSError):
        return text
