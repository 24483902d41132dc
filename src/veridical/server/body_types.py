"""Pydantic types for request bodies: text and JSON that databases and logs can store."""

import json
import math
import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError, PydanticSerializationError

from veridical.contracts.question import is_blank
from veridical.contracts.step import Json
from veridical.contracts.wire import Wire

NO_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no NUL character in a text."""
_SAYS_SOMETHING = r"^[^\x00]*[^\x00\s][^\x00]*$"
"""Spaces alone are no question."""
FEATURE = r"^[A-Za-z][A-Za-z0-9_.-]{0,59}$"
"""Pattern of a feature's name."""
MOST_DEPTH = 40
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LARGEST = 2**63

LONGEST_TEXT = 8_000
LONGEST_DOCUMENT = 100_000

Name = Annotated[str, StringConstraints(pattern=NO_NUL, min_length=1, max_length=200)]
"""A name."""


def _seen(text: str) -> str:
    if is_blank(text):
        raise PydanticCustomError("blank", "Text without anything to see is no question")
    return text


Text = Annotated[
    str,
    StringConstraints(pattern=_SAYS_SOMETHING, min_length=1, max_length=LONGEST_TEXT),
    AfterValidator(_seen),
]
"""A text that is not blank."""


class EarlierTurn(Wire):
    """An earlier question and its answer."""

    question: Text
    answer: Text


Remark = Annotated[str, StringConstraints(pattern=NO_NUL, max_length=LONGEST_TEXT)]
"""An optional text."""
Document = Annotated[
    str, StringConstraints(pattern=NO_NUL, min_length=1, max_length=LONGEST_DOCUMENT)
]


def _plain(value: Json, depth: int = 0) -> Json:
    if depth > MOST_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            raise ValueError("holds a character that can't be kept")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("not a number")
    elif isinstance(value, int):
        if not -_LARGEST <= value < _LARGEST:
            raise ValueError("too large a number")
    elif isinstance(value, dict):
        for name, item in value.items():
            _plain(name)
            _plain(item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _plain(item, depth + 1)
    return value


PlainJson = Annotated[Any, AfterValidator(_plain), Field(description="Any JSON.")]
"""Any JSON that can be kept: no NUL, no lone surrogate, no NaN, not nested without end."""


_ADAPTER = TypeAdapter[Json](PlainJson)


def is_storable(arguments: dict[str, Any]) -> bool:
    """Whether a store could keep the arguments of a call: plain, and not longer than a document."""
    try:
        _ADAPTER.validate_python(arguments)
    except ValidationError:
        return False
    return len(json.dumps(arguments)) <= LONGEST_DOCUMENT


def written(value: Wire) -> bytes:
    """A value as JSON. What a model wrote may hold what UTF-8 can't: that is written as ASCII."""
    try:
        return value.model_dump_json(by_alias=True).encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        return json.dumps(value.model_dump(mode="json", by_alias=True)).encode()
