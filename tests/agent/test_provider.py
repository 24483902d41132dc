"""Real clients against a local server that is slow, broken, or cut off."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from time import perf_counter
from typing import Any

import pytest
from pydantic import SecretStr
from pydantic_ai.models import override_allow_model_requests

from tests.agent.local_server import (
    LocalServer,
    answering,
    cut_off,
    failing,
    serving,
    silent,
    streaming,
    trickling,
)
from tests.agent.scripted_tools import Watched, watch
from veridical.agent.budget import Budget
from veridical.agent.provider import ModelNotConfiguredError, open_model
from veridical.agent.request import LoopRequest
from veridical.agent.settings import AgentSettings
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language

pytestmark = pytest.mark.slow

KEY = "sk-very-secret"
ASKED = LoopRequest("What is the balance?", "Be exact.")
for _client in ("anthropic_model", "openai_model"):
    import_module(f"veridical.agent.{_client}")  # loading takes seconds, which no test measures
PROVIDERS = ("openai:m", "anthropic:m", "ollama:m", "openai-compatible:m")


@pytest.fixture(autouse=True)
def local_requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with override_allow_model_requests(True):
        yield


def settings(server: LocalServer, model: str = "openai-compatible:m", **more: Any) -> AgentSettings:
    given: dict[str, Any] = {
        "model": model,
        "base_url": server.url,
        "api_key": SecretStr(KEY),
        "max_retries": 0,
    }
    return AgentSettings(**{**given, **more})


async def run(chosen: AgentSettings, request: LoopRequest = ASKED) -> Watched:
    async with open_model(chosen) as model:
        return await watch(
            model,
            replace(
                request,
                timeout_seconds=chosen.timeout_seconds,
                tool_choice_required=chosen.tool_choice_required,
                stream=chosen.stream,
            ),
        )


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("model", PROVIDERS)
def test_the_timeout_reaches_the_client_of_every_provider(model: str, stream: bool) -> None:
    with serving(silent) as server:
        started = perf_counter()
        seen = asyncio.run(run(settings(server, model, timeout_seconds=0.3, stream=stream)))
        took = perf_counter() - started
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "timeout")
    assert seen.models[0].error == "timeout"
    assert 0.25 < seen.models[0].elapsed_ms / 1000 < 2
    assert took < 5
    assert len(server.bodies) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_new_attempts_stay_within_the_timeout(stream: bool) -> None:
    with serving(silent) as server:
        chosen = settings(server, timeout_seconds=0.4, max_retries=5, stream=stream)
        seen = asyncio.run(run(chosen))
    assert seen.outcome.reason == "timeout"
    assert seen.models[0].elapsed_ms < 1500


def test_the_client_itself_holds_the_timeout() -> None:
    async def timeouts(model: str) -> list[object]:
        chosen = AgentSettings(
            model=model, api_key=SecretStr(KEY), base_url="http://localhost:1", timeout_seconds=7
        )
        async with open_model(chosen) as opened:
            client: Any = opened.provider and opened.provider.client
            return [client.timeout.read, client.timeout.connect, client._client.timeout.read]

    for model in PROVIDERS:
        assert asyncio.run(timeouts(model)) == [7, 5, 7], model


def test_a_server_that_is_never_done_is_left() -> None:
    with serving(trickling) as server:
        seen = asyncio.run(run(settings(server, timeout_seconds=0.4)))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "timeout")
    assert seen.models[0].elapsed_ms < 2000


@pytest.mark.parametrize("stream", [False, True])
def test_the_run_s_own_time_ends_a_request_honestly(stream: bool) -> None:
    with serving(silent) as server:
        request = replace(ASKED, budget=Budget(wall_seconds=0.3))
        seen = asyncio.run(run(settings(server, stream=stream), request))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.UNKNOWN, "wallSeconds")
    assert [event.kind for event in seen.events] == ["modelCalled", "budgetSpent"]


@pytest.mark.parametrize("politely", [False, True])
@pytest.mark.parametrize("language", list(Language))
def test_a_stream_that_is_cut_gives_a_friendly_text_and_a_complete_trace(
    politely: bool, language: Language
) -> None:
    with serving(cut_off(politely=politely)) as server:
        request = replace(ASKED, language=language)
        seen = asyncio.run(run(settings(server, stream=True), request))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "connection")
    assert "4'7" not in seen.outcome.text
    (event,) = seen.models
    assert event.error == "connection"
    assert event.text == "The balance is 4'7"
    assert [each.text for each in seen.progress] == ["", "The balance ", "is 4'7"]


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nowhere = LocalServer(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
        seen = asyncio.run(run(settings(nowhere)))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "connection")


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (400, {"error": {"message": "bad"}}, "rejected"),
        (400, {"error": {"message": "long", "code": "context_length_exceeded"}}, "too_long"),
        (401, {"error": {"message": f"Incorrect key {KEY}"}}, "authentication"),
        (402, {"error": {"message": "pay"}}, "quota"),
        (404, {"error": {"message": "no such model"}}, "not_found"),
        (429, {"error": {"message": "slow down"}}, "busy"),
        (500, {"error": {"message": f"echo {KEY}"}}, "server"),
        (503, {"error": {"message": "later"}}, "busy"),
        (200, {"no": "choices"}, "unreadable"),
    ],
)
def test_errors_become_friendly_texts_without_the_key(
    status: int, body: Any, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(failing(status, body)) as server:
        chosen = settings(server)
        seen = asyncio.run(run(chosen))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, reason)
    assert seen.outcome.text
    assert len(seen.events) == 1
    assert KEY not in repr(seen)
    assert KEY not in repr(chosen)
    assert KEY not in chosen.model_dump_json()
    assert KEY not in caplog.text


def test_an_answer_that_was_cut_at_its_length_is_not_shown() -> None:
    with serving(answering({"content": "It is 4'7", "finish": "length"})) as server:
        seen = asyncio.run(run(settings(server)))
    assert (seen.outcome.kind, seen.outcome.reason) == (AnswerKind.FAILED, "cut_off")
    assert "4'7" not in seen.outcome.text
    assert seen.outcome.usage.output_tokens == 3


@pytest.mark.parametrize("required", [False, True])
def test_a_whole_run_over_http(required: bool) -> None:
    call = {"name": "lookUp", "arguments": json.dumps({"year": 2025})}
    final = {"name": "finalAnswer", "arguments": json.dumps({"text": "4711.50"})}
    last = {"tool_calls": [_call("b", final)]} if required else {"content": "4711.50"}
    with serving(answering({"tool_calls": [_call("a", call)]}, last)) as server:
        seen = asyncio.run(run(settings(server, tool_choice_required=required)))
    assert (seen.outcome.kind, seen.outcome.text) == (AnswerKind.AGENT, "4711.50")
    assert (seen.outcome.usage.input_tokens, seen.outcome.usage.output_tokens) == (14, 6)
    first, second = server.bodies
    assert first["tool_choice"] == ("required" if required else "auto")
    assert first.get("parallel_tool_calls") == (False if required else None)
    assert first["max_completion_tokens"] == 8192
    names = [tool["function"]["name"] for tool in first["tools"]]
    assert names == ["lookUp", "calculate", *(["finalAnswer"] if required else [])]
    assert first["messages"][0] == {"role": "system", "content": "Be exact."}
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert second["messages"][-1]["role"] == "tool"
    assert json.loads(second["messages"][-1]["content"])["success"] is True
    assert KEY not in json.dumps(server.bodies)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_whole_run_streamed_over_http() -> None:
    call = {"index": 0, **_call("a", {"name": "lookUp", "arguments": '{"ye'})}
    rest = {"index": 0, "function": {"arguments": 'ar": 2025}'}}
    answers = (
        [{"tool_calls": [call]}, {"tool_calls": [rest]}],
        [{"content": "47"}, {"content": "11"}],
    )
    with serving(streaming(*answers)) as server:
        seen = asyncio.run(run(settings(server, stream=True)))
    assert (seen.outcome.kind, seen.outcome.text) == (AnswerKind.AGENT, "4711")
    assert seen.scripted.calls == [("lookUp", {"year": 2025})]
    assert [each.text for each in seen.progress if each.stage == "writing"] == ["47", "11"]


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("", "no_model"),
        ("gpt", "no_model"),
        ("nobody:m", "no_model"),
        ("openai:", "no_model"),
        ("openai:m", "no_key"),
        ("anthropic:m", "no_key"),
        ("openai-compatible:m", "no_address"),
    ],
)
def test_what_is_missing_is_said(model: str, problem: str) -> None:
    async def opened() -> None:
        async with open_model(AgentSettings(model=model)):
            pass

    with pytest.raises(ModelNotConfiguredError) as caught:
        asyncio.run(opened())
    assert caught.value.problem == problem
    assert all(caught.value.message(language) for language in Language)


def test_a_server_without_a_key_never_gets_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(answering({"content": "Hello."})) as server:
        asyncio.run(run(settings(server, api_key=None)))
    assert KEY not in json.dumps(server.headers)


def _call(name: str, function: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": function}
