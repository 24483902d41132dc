import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from veridical.contracts.language import Language
from veridical.server.access_log import AccessLogMiddleware
from veridical.server.metrics import Metrics


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    """Nobody reads the response."""


def _run(app: Any, **scope: Any) -> None:
    given: Scope = {
        "type": "http",
        "method": "GET",
        "path": "/v1/runs",
        "raw_path": b"/v1/runs",
        "query_string": b"key=hunter2",
        "headers": [(b"authorization", b"Bearer hunter2")],
        **scope,
    }
    middleware = AccessLogMiddleware(app, Metrics(), Language.EN)
    asyncio.run(middleware(given, _no_body, _unheard))


async def _known(scope: Scope, receive: Receive, send: Send) -> None:
    scope["state"]["identity"] = SimpleNamespace(tenant="acme", name="Ada")
    await PlainTextResponse("x")(scope, receive, send)


def test_the_log_says_who_did_what_and_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    _run(_known)
    assert "GET /v1/runs 200" in caplog.text
    assert "tenant=acme by=Ada" in caplog.text
    assert "hunter2" not in caplog.text


def test_nobody_can_write_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    _run(_known, path="/a\nGET /forged", raw_path=b"/a%0AGET%20/forged" + b"x" * 900)
    [line] = caplog.messages
    assert "\n" not in line
    assert len(line) < 400


def test_what_broke_is_in_the_log_under_the_requests_id(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("lost")

    _run(broken, headers=[(b"x-request-id", b"caller-0001")])
    assert "request caller-0001 broke" in caplog.text
    assert "RuntimeError: lost" in caplog.text
