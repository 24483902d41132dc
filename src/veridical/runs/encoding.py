"""What the engine keeps: JSON and nothing else. Pickle is refused on reading too.

A pickle runs code when it is read, and DBOS reads one wherever a row says ``py_pickle``, whatever
serializer it was given. Whoever can write a row could so run code in every worker.
"""

import json
from dataclasses import dataclass
from typing import Any

from dbos import Serializer
from dbos._serialization import DefaultSerializer  # no public name leads to what reads pickles

from veridical.contracts.step import Json

_ERROR = "\x1aerror"


class PickleRefusedError(Exception):
    """A row of the engine's tables holds a pickle; it was not read."""

    def __init__(self) -> None:
        super().__init__("a pickle among the engine's rows was not read: it could run any code")


class RecordedError(Exception):
    """An error of an earlier life, known by its kind and its words."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value that is JSON text already: what a step gives, so that it is written out once."""

    text: str


class JsonSerializer(Serializer):
    """Values as JSON text that PostgreSQL can hold."""

    def name(self) -> str:
        """How rows are marked."""
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
    """From now on no row that holds a pickle is read in this process."""
    DefaultSerializer.deserialize = _refuse


def _refuse(cls: object, serialized_data: str) -> Any:
    raise PickleRefusedError
