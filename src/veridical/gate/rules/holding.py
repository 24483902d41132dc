"""Search for a value in the evidence and the question. Used only for suspicious values."""

import re
from collections.abc import Iterator
from typing import Any

from veridical.evidence.exhibit import Exhibit
from veridical.gate.rules.gate_facts import GateFacts
from veridical.late_pattern import late_pattern

_DEEPEST = 40
_LETTER = late_pattern(r"[^\W\d_]")
_LATIN = r"[^\W\u3400-\u9fff]"
"""A sign of a word in a script that leaves blanks between words."""


def holds_number(facts: GateFacts, number: float) -> bool:
    """True when a cell, a text or a value that the call filtered for is this number."""
    return any(
        _is(value, number)
        for exhibit in facts.exhibits
        for value in (exhibit.text, *exhibit.columns, *exhibit.held.values(), *_cells(exhibit))
    )


def repeats_cell(facts: GateFacts) -> bool:
    """True when the answer has the text of a cell that the question does not have, such as a name.

    For answers whose names were not searched.
    """
    return any(
        isinstance(cell, str)
        and _LETTER.search(cell) is not None
        and cell in facts.text
        and cell not in facts.conversation
        and re.search(rf"(?<!{_LATIN}){re.escape(cell)}(?!{_LATIN})", facts.text) is not None
        for exhibit in facts.exhibits
        for cell in _cells(exhibit)
    )


def _is(value: Any, number: float) -> bool:
    if isinstance(value, str):
        return value.strip().isdecimal() and float(value) == number
    return isinstance(value, int | float) and not isinstance(value, bool) and value == number


def _cells(exhibit: Exhibit) -> Iterator[Any]:
    for row in exhibit.rows:
        yield from row
    yield from _leaves(exhibit.record)


def _leaves(record: Any, depth: int = 0) -> Iterator[Any]:
    if depth > _DEEPEST:
        yield str(record)
    elif isinstance(record, dict):
        for key, value in record.items():
            yield str(key)
            yield from _leaves(value, depth + 1)
    elif isinstance(record, list | tuple):
        for value in record:
            yield from _leaves(value, depth + 1)
    elif record is not None:
        yield record
