import pytest
from pydantic_ai import exceptions as raised

from veridical.agent.failure import FailureCode, failed, failure_of
from veridical.contracts.language import Language


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (raised.ModelTimeoutError("m", "late"), "timeout"),
        (raised.ModelRequestTimeout("m", 1), "timeout"),
        (TimeoutError(), "timeout"),
        (raised.ModelConnectionError("m", "cut"), "connection"),
        (ConnectionResetError(), "connection"),
        (raised.ModelAPIError("m", "ended early"), "connection"),
        (raised.ModelHTTPError(418, "m"), "rejected (418)"),
        (raised.ModelHTTPError(500, "m"), "server (500)"),
        (raised.ContentFilterError("no"), "filtered"),
        (raised.UnexpectedModelBehavior("what"), "unreadable"),
        (ZeroDivisionError("sk-123"), "unexpected (ZeroDivisionError)"),
    ],
)
def test_each_error_has_a_code_and_none_of_its_words(error: Exception, text: str) -> None:
    assert failure_of(error).text == text


@pytest.mark.parametrize("language", list(Language))
def test_every_failure_has_its_own_sentence(language: Language) -> None:
    texts = [failed(code, language) for code in FailureCode]
    assert len(set(texts)) == len(FailureCode)
