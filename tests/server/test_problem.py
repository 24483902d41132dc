import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.server.body_types import Name
from veridical.server.problem import (
    MEDIA_TYPE,
    Fault,
    Problem,
    ProblemCode,
    ProblemError,
    problem_response,
    request_faults,
)

VALUES: dict[ProblemCode, dict[str, Any]] = {
    ProblemCode.TOO_MUCH_WORK: {"seconds": "5"},
    ProblemCode.TOO_SLOW: {"seconds": "30"},
    ProblemCode.FEATURE_NOT_FOUND: {"known": "trustee"},
    ProblemCode.TOO_LARGE: {"limit": 1024},
    ProblemCode.TIMED_OUT: {"seconds": "3"},
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("code", ProblemCode)
def test_every_problem_is_told_in_every_language(code: ProblemCode, language: Language) -> None:
    error = ProblemError(code, **VALUES.get(code, {}))
    response = problem_response(error, language, "a-request")
    told = Problem.model_validate_json(bytes(response.body))
    assert response.media_type == MEDIA_TYPE
    assert response.headers["content-language"] == language
    assert told.status == response.status_code == code.status
    assert told.code == code
    assert told.request_id == "a-request"
    assert told.title
    assert told.detail


def test_titles_differ_between_languages() -> None:
    error = ProblemError(ProblemCode.NOT_FOUND)
    titles = {
        json.loads(bytes(problem_response(error, language, "x").body))["title"]
        for language in Language
    }
    assert len(titles) == len(Language)


def test_what_to_wait_for_and_how_to_sign_in_are_headers() -> None:
    limited = ProblemError(ProblemCode.RATE_LIMITED, retry_after=2.3)
    unknown = ProblemError(ProblemCode.UNAUTHENTICATED)
    assert problem_response(limited, Language.EN, "x").headers["retry-after"] == "3"
    assert problem_response(unknown, Language.EN, "x").headers["www-authenticate"] == "Bearer"


def test_faults_are_listed() -> None:
    fault = Fault(where="body/question", hint="is missing")
    response = problem_response(
        ProblemError(ProblemCode.INVALID, faults=(fault,)), Language.EN, "x"
    )
    assert json.loads(bytes(response.body))["errors"] == [
        {"where": "body/question", "hint": "is missing"}
    ]


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
