from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.server.body_types import Name
from veridical.server.validation_errors import request_faults

SECRET = "sk-what-was-sent"


class _Body(Wire):
    name: Name
    amount: int = 0
    language: Language = Language.EN


_BODY = TypeAdapter(_Body)


def _errors(sent: Any) -> list[Any]:
    try:
        _BODY.validate_python(sent)
    except ValidationError as error:
        return list(error.errors())
    return []


def test_each_fault_is_named_and_explained() -> None:
    sent = {"amount": "many", "language": "fr", "more": SECRET}
    told = {fault.where: fault.hint for fault in request_faults(_errors(sent), Language.EN)}
    assert told == {
        "name": "is missing",
        "amount": "has the wrong type",
        "language": "is not one of the allowed values",
        "more": "is not known; leave it out",
    }


def test_hints_speak_the_callers_language() -> None:
    assert request_faults(_errors({}), Language.DE)[0].hint == "fehlt"


def test_what_was_sent_is_not_repeated() -> None:
    sent = {"name": "\x00" + SECRET, "amount": SECRET, "language": SECRET}
    assert SECRET not in str(request_faults(_errors(sent), Language.EN))


def test_at_most_so_many_are_told() -> None:
    sent = {f"field{number}": 1 for number in range(100)}
    assert len(request_faults(_errors(sent), Language.EN)) == 20


@given(st.dictionaries(st.text(st.characters(), max_size=9), st.integers(), max_size=4))
def test_any_body_is_told_in_text_that_can_be_sent(sent: dict[str, Any]) -> None:
    for fault in request_faults(_errors(sent), Language.ZH):
        assert fault.model_dump_json()
