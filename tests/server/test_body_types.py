import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from veridical.contracts.step import Progress
from veridical.server.body_types import MOST_DEPTH, PlainJson, Text, written

_JSON = TypeAdapter[Any](PlainJson)
_TEXT = TypeAdapter(Text)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("said", ["", "  ", "\n\t", "\u3000", "a\x00b", "\x00"], ids=repr)
def test_what_says_nothing_is_no_text(said: str) -> None:
    with pytest.raises(ValidationError):
        _TEXT.validate_python(said)


@pytest.mark.parametrize("said", ["?", " hello ", "两行\n文字", "\n\nx"], ids=repr)
def test_what_says_something_is_a_text(said: str) -> None:
    assert _TEXT.validate_python(said) == said


@pytest.mark.parametrize(
    "value",
    ["\x00", "a\ud800", {"\x00": 1}, {"a": ["\udfff"]}, float("nan"), [1e400], 2**63, _nested(50)],
    ids=repr,
)
def test_what_cannot_be_kept_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        _JSON.validate_python(value)


@pytest.mark.parametrize(
    "value",
    [None, True, "账户 😀\n", {"a": [1, 2.5, "x"]}, -(2**63), _nested(MOST_DEPTH)],
    ids=repr,
)
def test_what_can_be_kept_passes_as_it_is(value: Any) -> None:
    assert _JSON.validate_python(value) == value


@pytest.mark.parametrize("text", ["", "a\x00b", "x" * 8_001, "\ud800"])
def test_texts_have_limits(text: str) -> None:
    with pytest.raises(ValidationError):
        _TEXT.validate_python(text)


@given(st.text(st.characters()))
def test_whatever_a_model_wrote_can_be_sent(text: str) -> None:
    sent = written(
        Progress.trusted({"kind": "progress", "stage": "writing", "round": 1, "text": text})
    )
    assert json.loads(sent)["text"] == text
