import json
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.server.problem import (
    MEDIA_TYPE,
    Fault,
    Problem,
    ProblemCode,
    ProblemError,
    problem_response,
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
