"""Search for a value in the evidence and the question. Used only for suspicious values."""

import re
from collections.abc import Iterator
from typing import Any

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.rules.gate_facts import GateFacts
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_APART = late_pattern(rf"[\s_\-–./{marks(':')}#]+")
_DEEPEST = 40
_LETTER = late_pattern(r"[^\W\d_]")
_LATIN = r"[^\W\u3400-\u9fff]"
"""A sign of a word in a script that leaves blanks between words."""


def holds(facts: GateFacts, text: str) -> bool:
    """True when a result or the question has these words, with any separators."""
    wanted = _joined(text)
    if wanted in _joined(facts.conversation):
        return True
    return any(wanted in _joined(each) for each in _texts(facts.exhibits))


def holds_number(facts: GateFacts, number: float) -> bool:
    """True when a cell is this number."""
    return any(
        isinstance(cell, int | float) and not isinstance(cell, bool) and cell == number
        for exhibit in facts.exhibits
        for cell in _cells(exhibit)
    ) or any(_is(each, number) for each in _texts(facts.exhibits))


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


def _is(text: str, number: float) -> bool:
    return text.strip().isdecimal() and float(text) == number


def _texts(exhibits: tuple[Exhibit, ...]) -> Iterator[str]:
    for exhibit in exhibits:
        if exhibit.text:
            yield exhibit.text
        yield from exhibit.columns
        for value in exhibit.held.values():
            yield str(value)
        for row in exhibit.rows:
            yield " ".join(str(cell) for cell in row if cell is not None)
        for cell in _cells(exhibit):
            if isinstance(cell, str):
                yield cell


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


def _joined(text: str) -> str:
    return _APART.sub("", text.casefold())
