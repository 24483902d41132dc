import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import httpx2
import openai
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.server.serving import served, wait_until
from veridical.contracts.language import Language
from veridical.server.access_log import AccessLogMiddleware, request_id_of
from veridical.server.metrics import Metrics
from veridical.server.openai.error import OpenAIErrorsMiddleware
from veridical.server.problem import MEDIA_TYPE, ProblemCode, ProblemError, problem_response
from veridical.server.security import (
    BodyMiddleware,
    DeadlineMiddleware,
    HeadersMiddleware,
    ResponseDeadlines,
)

LIMIT = 2_000
SECONDS = 0.5
METRICS = Metrics()


async def _echo(request: Request) -> JSONResponse:
    return JSONResponse({"bytes": len(await request.body())})


async def _slow(request: Request) -> JSONResponse:
    await asyncio.sleep(30)
    return JSONResponse({})


async def _stream(request: Request) -> StreamingResponse:
    async def parts() -> AsyncGenerator[bytes]:
        for _ in range(3):
            yield b"x"
            await asyncio.sleep(SECONDS / 2)

    return StreamingResponse(parts())


async def _broken(request: Request) -> JSONResponse:
    raise RuntimeError("the password is hunter2")


async def _away(request: Request) -> Response:
    away = ProblemError(ProblemCode.UNAVAILABLE, retry_after=7)
    return problem_response(away, Language.EN, request_id_of(request.scope))


async def _chat(request: Request) -> Response:
    asked = await request.json()
    return await {"broken": _broken, "slow": _slow, "away": _away}[asked["model"]](request)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    app = Starlette(
        routes=[
            Route("/echo", _echo, methods=["POST"]),
            Route("/slow", _slow),
            Route("/stream", _stream),
            Route("/broken", _broken),
            Route("/v1/chat/completions", _chat, methods=["POST"]),
            Route("/v1/models", _broken),
        ],
        middleware=[
            Middleware(HeadersMiddleware, docs_paths=["/docs"]),
            Middleware(OpenAIErrorsMiddleware),
            Middleware(AccessLogMiddleware, metrics=METRICS, language=Language.EN),
            Middleware(BodyMiddleware, most_bytes=LIMIT),
            Middleware(
                DeadlineMiddleware, deadlines=ResponseDeadlines(SECONDS, asyncio.Event(), 1.0)
            ),
        ],
    )
    with served(app) as address, httpx2.Client(base_url=address) as opened:
        yield opened


def _problem(response: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status
    assert response.headers["content-type"] == MEDIA_TYPE
    told = response.json()
    assert told["code"] == code
    assert told["requestId"] == response.headers["x-request-id"]
    return told


def test_headers_are_on_every_response(client: httpx2.Client) -> None:
    for response in (client.post("/echo"), client.get("/nowhere"), client.get("/broken")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "strict-transport-security" not in response.headers


@pytest.mark.parametrize("size", [0, 10, LIMIT])
def test_a_body_within_the_limit_arrives(client: httpx2.Client, size: int) -> None:
    sent = client.post("/echo", content=b"1" * size, headers={"content-type": "application/json"})
    assert sent.json() == {"bytes": size}


def test_a_body_that_says_it_is_too_large_is_refused(client: httpx2.Client) -> None:
    sent = client.post("/echo", json={"a": "1" * LIMIT})
    assert str(LIMIT) in _problem(sent, 413, "TOO_LARGE")["detail"]


def test_a_body_in_chunks_is_counted(client: httpx2.Client) -> None:
    chunks = (b"1" * 500 for _ in range(LIMIT // 500 + 1))
    sent = client.post("/echo", content=chunks, headers={"content-type": "application/json"})
    _problem(sent, 413, "TOO_LARGE")
    within = client.post(
        "/echo", content=iter([b"12", b"34"]), headers={"content-type": "application/json"}
    )
    assert within.json() == {"bytes": 4}


@pytest.mark.parametrize("kind", ["", "text/plain", "application/xml", "multipart/form-data"])
def test_only_json_is_taken(client: httpx2.Client, kind: str) -> None:
    sent = client.post("/echo", content=b"{}", headers={"content-type": kind})
    assert _problem(sent, 415, "UNSUPPORTED_MEDIA_TYPE")["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "application/merge-patch+json"]
)
def test_json_under_any_of_its_names_is_taken(client: httpx2.Client, kind: str) -> None:
    assert client.post("/echo", content=b"{}", headers={"content-type": kind}).status_code == 200


def test_a_request_that_takes_too_long_ends(client: httpx2.Client) -> None:
    told = _problem(client.get("/slow", headers={"accept-language": "de"}), 504, "TIMED_OUT")
    assert "0.5 Sekunden" in told["detail"]


def test_a_stream_that_has_begun_may_last(client: httpx2.Client) -> None:
    assert client.get("/stream").text == "xxx"


def test_what_breaks_is_told_without_internals(client: httpx2.Client) -> None:
    response = client.get("/broken")
    assert _problem(response, 500, "INTERNAL")["whoMustAct"] == "operator"
    assert "hunter2" not in json.dumps(response.json())


@pytest.mark.parametrize(
    ("model", "text", "status", "code"),
    [
        ("slow", "", 504, "timed_out"),
        ("away", "", 503, "unavailable"),
        ("broken", "", 500, "internal"),
        ("large", "1" * LIMIT, 413, "too_large"),
    ],
)
def test_who_chats_is_told_in_the_shape_of_its_library(
    client: httpx2.Client, model: str, text: str, status: int, code: str
) -> None:
    chat = openai.OpenAI(base_url=f"{client.base_url}/v1", api_key="vk", max_retries=0)
    with chat, pytest.raises(openai.APIStatusError) as caught:
        chat.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])
    error = caught.value
    assert (error.status_code, error.code) == (status, code)
    assert error.type == ("server_error" if status >= 500 else "invalid_request_error")
    assert isinstance(error.body, dict)
    assert error.body["message"] in error.message
    assert error.response.headers["content-type"] == "application/json"
    assert error.response.headers["x-request-id"]
    assert error.response.headers.get("retry-after") == ("7" if model == "away" else None)


def test_who_lists_models_is_told_in_the_shape_of_its_library(client: httpx2.Client) -> None:
    assert client.get("/v1/models").json()["error"]["code"] == "internal"


@pytest.mark.parametrize("given", ["", "short", "with blank and more", "x" * 65, "töne-töne-töne"])
def test_a_strange_request_id_is_replaced(client: httpx2.Client, given: str) -> None:
    response = client.post("/echo", headers=[(b"x-request-id", given.encode())])
    assert response.headers["x-request-id"] not in ("", given)


def test_a_request_id_is_kept(client: httpx2.Client) -> None:
    response = client.post("/echo", headers={"x-request-id": "caller-0001"})
    assert response.headers["x-request-id"] == "caller-0001"


def test_requests_are_counted(client: httpx2.Client) -> None:
    client.get("/nowhere")
    client.request("BREW", "/nowhere")
    wait_until(lambda: b'method="other"' in METRICS.text())  # counted once all is sent
    counted = METRICS.text().decode()
    assert 'veridical_http_requests_total{method="GET",route="unmatched",status="404"}' in counted


async def _waited(deadlines: ResponseDeadlines, seconds: float) -> ProblemCode | None:
    """What somebody is told whose response takes so long to begin."""
    with deadlines.track() as deadline:
        try:
            async with deadline:
                await asyncio.sleep(seconds)
        except TimeoutError:
            return deadlines.missed.code
    return None


@pytest.mark.parametrize(
    ("takes", "told"), [(0.0, None), (30.0, ProblemCode.TIMED_OUT)], ids=["soon", "late"]
)
def test_a_response_begins_in_its_time(takes: float, told: ProblemCode | None) -> None:
    async def run() -> ProblemCode | None:
        return await _waited(ResponseDeadlines(0.05, asyncio.Event(), 60.0), takes)

    assert asyncio.run(run()) is told


def test_a_stopping_server_tells_those_for_whom_there_is_no_time() -> None:
    async def run() -> list[ProblemCode | None]:
        closing = asyncio.Event()
        deadlines = ResponseDeadlines(60.0, closing, 0.25)
        async with deadlines.at_work():
            waiting = [asyncio.ensure_future(_waited(deadlines, each)) for each in (0.05, 30.0)]
            await asyncio.sleep(0)
            closing.set()
            await asyncio.sleep(0)
            late = await _waited(deadlines, 30.0)
            return [*await asyncio.gather(*waiting), late]

    assert asyncio.run(run()) == [None, ProblemCode.CLOSING, ProblemCode.CLOSING]


def test_what_has_begun_may_last() -> None:
    async def run() -> bool:
        closing = asyncio.Event()
        deadlines = ResponseDeadlines(60.0, closing, 0.01)
        async with deadlines.at_work():
            with deadlines.track() as deadline:
                async with deadline:
                    deadlines.met(deadline)
                    closing.set()
                    await asyncio.sleep(0.1)
            return deadline.expired()

    assert not asyncio.run(run())
