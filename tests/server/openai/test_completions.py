import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals
from veridical.contracts.step import Progress
from veridical.server.identity import Role
from veridical.server.openai.completion import CompletionHeader
from veridical.server.openai.completions import ChatStreamOptions, chat_stream
from veridical.server.pending_answer import PendingAnswer
from veridical.server.problem import ProblemCode, ProblemError

pytestmark = pytest.mark.postgres

MODEL = "veridical:trustee"


def _client(server: Standing, tenant: str = ACME, role: Role = Role.ANALYST) -> openai.OpenAI:
    key = server.keys[tenant, role]
    return openai.OpenAI(base_url=f"{server.address}/v1", api_key=key, max_retries=0)


@pytest.fixture
def client(server: Standing) -> Iterator[openai.OpenAI]:
    with _client(server) as opened:
        yield opened


def _asked(text: str = BALANCE) -> Any:
    return [{"role": "system", "content": "Answer in French."}, {"role": "user", "content": text}]


def test_a_chat_is_answered_with_its_proof(client: openai.OpenAI) -> None:
    told = client.chat.completions.create(model=MODEL, messages=_asked(), temperature=0.3, seed=1)
    given = Answer.model_validate((told.model_extra or {})["veridical"])
    assert told.object == "chat.completion"
    assert told.model == MODEL
    assert told.choices[0].finish_reason == "stop"
    assert told.choices[0].message.content == given.text
    assert given.kind is AnswerKind.PATTERN
    assert given.proof is not None
    assert given.sources[0].receipt.row_count == 1
    assert told.usage is not None
    assert told.usage.total_tokens == given.usage.input_tokens + given.usage.output_tokens


def test_the_trace_is_kept_under_its_id(server: Standing, client: openai.OpenAI) -> None:
    told = client.chat.completions.create(model=MODEL, messages=_asked())
    trace_id = (told.model_extra or {})["veridical"]["traceId"]
    with server.client() as plain:
        assert plain.get(f"/v1/traces/{trace_id}").status_code == 200


def test_the_tenant_is_the_credentials(server: Standing, client: openai.OpenAI) -> None:
    own = client.chat.completions.create(model=MODEL, messages=_asked())
    with _client(server, GLOBEX) as stranger:
        other = stranger.chat.completions.create(model=MODEL, messages=_asked())
    assert own.choices[0].message.content != other.choices[0].message.content


def test_a_stream_ends_with_the_proof_and_the_usage(client: openai.OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(
            model=MODEL, messages=_asked(), stream=True, stream_options={"include_usage": True}
        )
    )
    *pieces, last, bill = chunks
    text = "".join(each.choices[0].delta.content or "" for each in pieces)
    given = Answer.model_validate((last.model_extra or {})["veridical"])
    assert text == given.text
    assert pieces[0].choices[0].delta.role == "assistant"
    assert last.choices[0].finish_reason == "stop"
    assert (bill.choices, bill.usage is not None) == ([], True)
    assert len({each.id for each in chunks}) == 1


def test_a_stream_is_the_same_for_asynchronous_clients(server: Standing) -> None:
    async def streamed() -> str:
        key = server.keys[ACME, Role.ANALYST]
        async with openai.AsyncOpenAI(base_url=f"{server.address}/v1", api_key=key) as client:
            told = await client.chat.completions.create(model=MODEL, messages=_asked())
            stream = await client.chat.completions.create(
                model=MODEL, messages=_asked(), stream=True
            )
            text = ""
            async for chunk in stream:
                text += chunk.choices[0].delta.content or ""
                assert chunk.usage is None
            assert text == told.choices[0].message.content
            return text

    assert "1020" in asyncio.run(streamed())


def test_a_stream_is_well_formed_on_the_wire(server: Standing) -> None:
    asked = {"model": MODEL, "messages": _asked(), "stream": True}
    with server.client() as client:
        response = client.post("/v1/chat/completions", json=asked)
    assert response.headers["content-type"].startswith("text/event-stream")
    events = [event for event in response.text.split("\n\n") if event]
    assert events[-1] == "data: [DONE]"
    shapes = [json.loads(event.removeprefix("data: ")) for event in events[:-1]]
    assert shapes[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert shapes[-1]["choices"][0]["delta"] == {}


def test_what_is_not_known_is_said_not_made_up(client: openai.OpenAI) -> None:
    told = client.chat.completions.create(model=MODEL, messages=_asked("Why is the sky blue?"))
    assert (told.model_extra or {})["veridical"]["kind"] in ("unknown", "chat")
    assert told.choices[0].message.content


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function", "function": {"name": "x"}}]}, "tools"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"modalities": ["audio"]}, "modalities"),
    ],
    ids=str,
)
def test_what_would_change_the_answers_shape_is_refused(
    client: openai.OpenAI, more: dict[str, Any], field: str
) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model=MODEL, messages=_asked(), **more)
    assert caught.value.code == "unsupported_parameter"
    assert caught.value.param == field
    assert field in caught.value.message


@pytest.mark.parametrize(
    "ignored",
    [
        {"max_tokens": 1},
        {"stop": ["CHF"]},
        {"tools": [], "tool_choice": "auto"},
        {"n": 1, "response_format": {"type": "text"}},
        {"extra_body": {"reasoning": {"effort": "high"}, "unheard_of": 1}},
    ],
    ids=str,
)
def test_how_a_model_writes_is_not_the_clients_to_say(
    client: openai.OpenAI, ignored: dict[str, Any]
) -> None:
    told = client.chat.completions.create(model=MODEL, messages=_asked(), **ignored)
    assert "CHF" in (told.choices[0].message.content or "")


_PICTURE = [{"type": "image_url", "image_url": {"url": "https://host/a.png"}}]


@pytest.mark.parametrize(
    ("messages", "code", "param"),
    [
        ([{"role": "user", "content": _PICTURE}], "unsupported_content", "messages.0.content"),
        ([{"role": "tool", "content": "1", "tool_call_id": "x"}], "unsupported_content", None),
        ([{"role": "user", "content": "x" * 9_000}], "string_above_max_length", "messages"),
        ([{"role": "system", "content": "Hello"}], "no_question", "messages"),
        ([{"role": "user", "content": ""}], "no_question", "messages"),
        ([{"role": "user", "content": " \n"}], "no_question", "messages"),
        ([{"role": "user", "content": 5}], "invalid_value", "messages.0.content"),
        ([{"role": "user", "content": "x" * 100_001}], "invalid_value", "messages.0.content"),
        ([], "invalid_value", "messages"),
    ],
    ids=str,
)
def test_messages_without_a_question_are_refused(
    client: openai.OpenAI, messages: Any, code: str, param: str | None
) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model=MODEL, messages=messages)
    assert caught.value.code == code
    assert param is None or caught.value.param == param
    assert "constrained" not in caught.value.message


def test_errors_are_those_that_clients_know(server: Standing, client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="veridical:trustee") as missing:
        client.chat.completions.create(model="veridical:payroll", messages=_asked())
    assert missing.value.code == "model_not_found"
    with (
        openai.OpenAI(base_url=f"{server.address}/v1", api_key="vk_no", max_retries=0) as nobody,
        pytest.raises(openai.AuthenticationError) as unknown,
    ):
        nobody.chat.completions.create(model=MODEL, messages=_asked())
    assert unknown.value.code == "invalid_api_key"
    with _client(server, role=Role.VIEWER) as viewer, pytest.raises(openai.PermissionDeniedError):
        viewer.chat.completions.create(model=MODEL, messages=_asked())


def test_errors_speak_the_callers_language(server: Standing) -> None:
    german = {"accept-language": "de", "content-type": "application/json"}
    with server.client() as client:
        empty = {"model": MODEL, "messages": []}
        response = client.post("/v1/chat/completions", json=empty, headers=german)
        unknown = {"model": "gpt-5", "messages": _asked()}
        missing = client.post("/v1/chat/completions", json=unknown, headers=german)
        unreadable = client.post("/v1/chat/completions", content="{", headers=german)
        no_text = client.post("/v1/chat/completions", content=b"\xdb\xf8", headers=german)
    assert "Ein Modell gpt-5 gibt es für Sie nicht" in missing.json()["error"]["message"]
    assert response.status_code == unreadable.status_code == no_text.status_code == 400
    assert no_text.json()["error"]["code"] == "bad_request"
    assert set(response.json()) == {"error"}
    assert "messages" in response.json()["error"]["message"]


def test_without_a_credential_nothing_is_streamed(server: Standing) -> None:
    asked = {"model": MODEL, "messages": _asked(), "stream": True}
    response = httpx2.post(f"{server.address}/v1/chat/completions", json=asked)
    assert response.status_code == 401
    assert response.json()["error"]["type"] == "authentication_error"


def test_where_a_person_must_decide_a_run_is_started(
    own_database: tuple[str, Any], trustee: Feature
) -> None:
    url, keys = own_database
    with (
        standing(url, trustee, keys, approvals=Approvals(evidence=True)) as server,
        _client(server) as client,
    ):
        told = client.chat.completions.create(model=MODEL, messages=_asked())
        run = (told.model_extra or {})["veridical"]
        streamed = list(client.chat.completions.create(model=MODEL, messages=_asked(), stream=True))
    assert run["status"] == "queued"
    assert run["runId"] in (told.choices[0].message.content or "")
    assert (streamed[-1].model_extra or {})["veridical"]["status"] == "queued"


HEADER = CompletionHeader("chatcmpl-1", 1, "veridical:trustee", Language.EN)
GIVEN = Answer(kind=AnswerKind.AGENT, text="It is 5 CHF.", language=Language.EN, trace_id="t")


async def _shown(answering: Any, heartbeat: float = 5.0) -> list[str]:
    pending = PendingAnswer(answering)
    await pending.started()
    options = ChatStreamOptions(heartbeat, with_usage=True, request_id="r")
    return [part.decode() async for part in chat_stream(pending, HEADER, options)]


def _chunks(parts: list[str]) -> list[Any]:
    return [json.loads(part[6:]) for part in parts if part.startswith("data: {")]


def test_drafts_are_never_shown() -> None:
    async def answering(listen: Emit) -> Answer:
        for piece in ("It is ", "500 CHF, ", "I guess"):
            listen(Progress(stage="writing", round=1, text=piece))
            await asyncio.sleep(0)
        listen(Progress(stage="calling", round=2, text="queryTable"))
        await asyncio.sleep(0.01)
        return GIVEN

    parts = asyncio.run(_shown(answering))
    assert not any("guess" in part or "500" in part for part in parts)
    seen = [each["veridical"] for each in _chunks(parts) if each.get("veridical")]
    assert [each["stage"] for each in seen[:-1]] == ["writing", "calling"]
    assert seen[1]["text"] == "queryTable"
    assert all(
        each["choices"][0]["delta"] == {} for each in _chunks(parts) if each.get("veridical")
    )
    assert parts[-1] == "data: [DONE]\n\n"


def test_a_long_silence_is_filled_with_signs_of_life() -> None:
    async def answering(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        await asyncio.sleep(0.2)
        return GIVEN

    parts = asyncio.run(_shown(answering, heartbeat=0.02))
    assert parts.count(": alive\n\n") > 1


def test_what_breaks_on_the_way_is_told_without_internals() -> None:
    async def overloaded(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        raise ProblemError(ProblemCode.OVERLOADED)

    async def broken(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        raise RuntimeError("password=hidden")

    codes = [_chunks(asyncio.run(_shown(each)))[-1]["error"] for each in (overloaded, broken)]
    assert [each["code"] for each in codes] == ["overloaded", "internal"]
    assert "hidden" not in codes[1]["message"]


def test_what_can_not_begin_is_no_stream() -> None:
    async def answering(listen: Emit) -> Answer:
        raise ProblemError(ProblemCode.OVERLOADED)

    async def begun() -> ProblemCode | None:
        try:
            await PendingAnswer(answering).started()
        except ProblemError as error:
            return error.code
        return None

    assert asyncio.run(begun()) is ProblemCode.OVERLOADED


def test_work_ends_with_whoever_hangs_up() -> None:
    ended: list[str] = []

    async def answering(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return GIVEN

    async def hung_up() -> None:
        pending = PendingAnswer(answering)
        await pending.started()
        stream = chat_stream(
            pending, HEADER, ChatStreamOptions(5.0, with_usage=False, request_id="r")
        )
        await anext(stream)
        await stream.aclose()

    asyncio.run(hung_up())
    assert ended == ["cancelled"]


def test_a_stopping_server_waits_for_an_answer_and_says_when_none_will_come() -> None:
    async def stopped(seconds: float) -> list[str]:
        async def answering(listen: Emit) -> Answer:
            listen(Progress(stage="asking", round=1))
            await asyncio.sleep(0.1)
            return GIVEN

        pending = PendingAnswer(answering)
        await pending.started()
        closing = asyncio.Event()
        closing.set()
        options = ChatStreamOptions(60.0, False, "r", closing, seconds)
        return [part.decode() async for part in chat_stream(pending, HEADER, options)]

    assert GIVEN.text in "".join(asyncio.run(stopped(60.0)))
    *_, last, done = asyncio.run(stopped(0.01))
    assert json.loads(last[6:])["error"]["code"] == "closing"
    assert done == "data: [DONE]\n\n"
