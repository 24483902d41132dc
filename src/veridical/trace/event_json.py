"""Events as JSON that every store can hold, lossless.

PostgreSQL's JSONB takes no NUL and no lone surrogate, and turns a large float into a whole number.
Such characters and floats are written as text behind an escape character, which is itself escaped.
NaN and infinity are not JSON; they become null.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from veridical.contracts.answer import Answer
from veridical.contracts.step import Json
from veridical.contracts.trace import Event

_ESCAPE = "\x1a"
_FLOAT = f"{_ESCAPE}~"
_UNSTORABLE = re.compile(f"[\x00{_ESCAPE}\ud800-\udfff]")
_ESCAPED = re.compile(f"{_ESCAPE}([0-9a-f]{{4}})")
_EXACT_AS_DIGITS = 1e16
"""From here on a float is written with an exponent, which JSONB spells out as a whole number."""
_ESCAPED_IN_JSON = "\\u00"
"""How JSON writes NUL and the escape character, and others of their kind."""
_MOST_DIGITS = 4300
"""Python reads no whole number that has more."""
_LARGE_IN_JSON = re.compile(rf"[:,\[]-?(?:\d[\d.]*e\+?\d|\d{{{_MOST_DIGITS}}})")
"""Floats that must be escaped, and whole numbers with more digits than are read."""
_EXPONENT = re.compile(r"e\+?\d+[,\]}]")
"""The end of every such float: quickly looked for, and rarely there."""

_EVENTS: TypeAdapter[Event] = TypeAdapter(Event)


def to_stored(event: Event | Answer) -> Json:
    """The event, or an answer alone, as plain camelCase JSON, without characters that a store
    can't hold."""
    text = _ordinary(event)
    if text is not None:
        return json.loads(text)
    return storable(event.model_dump(mode="json", by_alias=True, fallback=str))


def to_stored_text(event: Event | Answer) -> str:
    """The same as compact text."""
    text = _ordinary(event)
    if text is not None:
        return text
    return as_text(to_stored(event))


def as_text(value: Json) -> str:
    """Storable JSON as compact text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _ordinary(event: Event | Answer) -> str | None:
    """The text of an event in which nothing is escaped: the rule, and many times faster than
    looking at each value."""
    try:
        text = event.model_dump_json(by_alias=True, fallback=str)
    except ValueError:  # it holds a lone surrogate
        return None
    return None if _ESCAPED_IN_JSON in text or _holds_large(text) else text


def _holds_large(text: str) -> bool:
    may_be = len(text) > _MOST_DIGITS or _EXPONENT.search(text) is not None
    return may_be and _LARGE_IN_JSON.search(text) is not None


def from_stored(value: Json) -> Event:
    """The event that was stored. Raises ``pydantic.ValidationError``."""
    return _EVENTS.validate_python(restored(value))


def storable(value: Json) -> Json:
    """Any JSON, without characters that a store can't hold."""
    return mapped(value, _escaped)


def restored(value: Json) -> Json:
    """The JSON that was made storable."""
    return mapped(value, _unescaped)


def mapped(value: Json, change: Callable[[Any], Any]) -> Json:
    """The JSON with a function applied to each key and each scalar value."""
    each = partial(mapped, change=change)
    if isinstance(value, dict):
        return {change(name): each(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [each(inner) for inner in value]
    return change(value)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub(lambda found: f"{_ESCAPE}{ord(found[0]):04x}", value)
    if isinstance(value, float) and abs(value) >= _EXACT_AS_DIGITS:
        return f"{_FLOAT}{value!r}"
    return value


def _unescaped(value: Any) -> Any:
    if not isinstance(value, str) or _ESCAPE not in value:
        return value
    if value.startswith(_FLOAT):
        return float(value.removeprefix(_FLOAT))
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
