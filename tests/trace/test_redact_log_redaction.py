import io
import logging
from collections.abc import Iterator

import pytest

from veridical.trace.redact import RedactingFilter, redact_logs

KEY = "vk_" + "0a1b" * 4 + "_" + "9f8e" * 16
TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
URL = "postgresql://ada:hu/sh@db/books"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("tests.redacted")
    logger.addHandler(handler)
    logger.propagate = False
    redact_logs(["tests.redacted"])
    redact_logs(["tests.redacted"])
    assert [type(each) for each in handler.filters] == [RedactingFilter]
    yield stream
    logger.removeHandler(handler)


def test_messages_arguments_and_children(written: io.StringIO) -> None:
    child = logging.getLogger("tests.redacted.child")
    child.warning("key %s for %d", KEY, 7)
    child.warning(f"at {URL}")
    child.warning("got %(token)s", {"token": TOKEN})
    assert written.getvalue() == (
        "key [redacted] for 7\nat postgresql://[redacted]@db/books\ngot [redacted]\n"
    )


def test_a_message_is_one_line(written: io.StringIO) -> None:
    logging.getLogger("tests.redacted").warning("no answer:\nINFO veridical.audit all is well")
    assert written.getvalue() == "no answer: INFO veridical.audit all is well\n"


def test_traces_of_errors_and_stacks(written: io.StringIO) -> None:
    logger = logging.getLogger("tests.redacted")
    try:
        raise ValueError(f"can't reach {URL} with {KEY}")
    except ValueError:
        logger.exception("broke")
    logger.warning("here", stack_info=True)
    told = written.getvalue()
    assert "ValueError: can't reach postgresql://[redacted]@db/books with [redacted]" in told
    assert told.count("Traceback") == 1
    assert "hu/sh" not in told
    assert "Stack (most recent call last)" in told


def test_a_message_that_can_not_be_written_is_cleaned_too(written: io.StringIO) -> None:
    logging.getLogger("tests.redacted").warning("%d", KEY)
    assert "[redacted]" in written.getvalue()
    assert KEY not in written.getvalue()
