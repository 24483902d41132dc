"""The DBOS serializer: JSON only, pickle is refused on reading too.

A pickle runs code when it is read, and DBOS reads one wherever a row says ``py_pickle``, whatever
serializer it was given. So anyone who can write a row could run code in every worker.
"""

import json
from dataclasses import dataclass
from typing import Any

from dbos import Serializer

from veridical.contracts.step import Json

_ERROR = "\x1aerror"
_PICKLE = "py_pickle"
"""DBOS's mark of its own serializer."""


class PickleRefusedError(Exception):
    """A row of the engine's tables holds a pickle; it was not read."""

    def __init__(self) -> None:
        super().__init__("a pickle among the engine's rows was not read: it could run any code")


class RecordedError(Exception):
    """An error of an earlier segment, with its kind and its text."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value that is JSON text already: a step's result, so that it is encoded once."""

    text: str


class JsonSerializer(Serializer):
    """Values as JSON text that PostgreSQL can store."""

    def name(self) -> str:
        """The serializer's mark in rows."""
        return "veridical_json"

    def serialize(self, data: Any) -> str:
        """The text of a value. An error becomes its kind and its words."""
        if isinstance(data, Encoded):
            return data.text
        if isinstance(data, BaseException):
            data = {_ERROR: [type(data).__name__, str(data)]}
        return encode(data)

    def deserialize(self, serialized_data: str) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The value of a text."""
        value = json.loads(serialized_data)
        if isinstance(value, dict) and value.keys() == {_ERROR}:
            return RecordedError(*value[_ERROR])
        return value


def encode(value: Json) -> str:
    """JSON text; ASCII where a lone surrogate could not be stored otherwise."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text


def refuse_pickle() -> None:
    """Make this process refuse rows that hold a pickle, from now on."""
    (pickles,) = (each for each in Serializer.__subclasses__() if each().name() == _PICKLE)
    pickles.deserialize = _refuse


def _refuse(cls: object, serialized_data: str) -> Any:
    raise PickleRefusedError
