import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import TextContent

from tests.sample import ACCOUNTANT, trustee
from tests.server.mcp.talking import MODES, text_of
from tests.server.mcp.test_http import SUM, YEAR_END
from veridical.answering.feature import Feature
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals
from veridical.contracts.question import Question
from veridical.contracts.step import Progress
from veridical.host.runtime import Runtime
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.server import mcp_server
from veridical.server.problem import ProblemCode, ProblemError
from veridical.skills.load import skill_set

__all__ = ["trustee"]

pytestmark = pytest.mark.postgres

GIVEN = Answer(kind=AnswerKind.AGENT, text="It is 5 CHF.", language=Language.EN, trace_id="t")


async def _answer(question: Question, listen: Emit) -> Answer:
    listen(Progress(stage="calling", round=1, text="queryTable"))
    await asyncio.sleep(0.01)
    return GIVEN.model_copy(update={"text": f"About {question.feature}: {question.text}"})


def _client(runtime: Runtime, mode: str = "auto", answer: Any = _answer) -> Client:
    callers = dict.fromkeys(runtime.features, ACCOUNTANT)
    visitor = McpClient(callers, Language.EN, answer)
    return Client(mcp_server(lambda: runtime, lambda context: visitor, Language.EN), mode=mode)


def _runtime(trustee: Feature, *names: str, **more: Mapping[str, Any]) -> Runtime:
    features = {name: replace(trustee, name=name) for name in names or ("books",)}
    return Runtime(features=features, **more)  # pyright: ignore[reportArgumentType]


def test_with_several_features_each_tool_says_whose_it_is(trustee: Feature) -> None:
    async def talk() -> tuple[list[str], Any, Any]:
        async with _client(_runtime(trustee, "books", "archive")) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            right = {**SUM, "filters": YEAR_END, "groupBy": ["currency"]}
            ran = await client.call_tool("archive_aggregateTable", right)
            return names, ran, await client.call_tool("aggregateTable", right)

    names, ran, unprefixed = asyncio.run(talk())
    assert names[0] == "queryFeatureInstance"
    assert {"books_queryTable", "archive_queryTable"} <= set(names)
    assert names.count("calculate") == 1
    assert not ran.is_error
    assert unprefixed.is_error
    assert "aggregateTable" in unprefixed.structured_content["errorDetails"]["suggestion"]


def test_arithmetic_needs_no_data(trustee: Feature) -> None:
    async def talk() -> Any:
        async with _client(_runtime(trustee)) as client:
            return await client.call_tool("calculate", {"expression": "2 * 21"})

    assert asyncio.run(talk()).structured_content["success"]


def test_progress_is_told_while_a_question_is_worked_on(trustee: Feature) -> None:
    seen: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append(message)

    async def talk() -> Any:
        async with _client(_runtime(trustee)) as client:
            asked = {"feature": "books", "question": "How much?"}
            return await client.call_tool("queryFeatureInstance", asked, progress_callback=note)

    ran = asyncio.run(talk())
    assert seen == ["Calling queryTable."]
    assert json.loads(text_of(ran))["data"]["text"] == "About books: How much?"
    assert ran.structured_content["data"]["proof"] is None


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"feature": "books"},
        {"feature": "books", "question": ""},
        {"feature": "books", "question": "a\x00b"},
        {"feature": "books", "question": "\ud800"},
        {"feature": "books", "question": "x" * 9_000},
        {"feature": ["books"], "question": "y"},
        {"feature": "payroll", "question": "y"},
    ],
    ids=lambda asked: ascii(asked)[:60],
)
def test_a_question_that_makes_no_sense_is_refused(trustee: Feature, asked: dict[str, Any]) -> None:
    async def talk() -> Any:
        async with _client(_runtime(trustee)) as client:
            return await client.call_tool("queryFeatureInstance", asked)

    ran = asyncio.run(talk())
    assert ran.is_error
    assert not ran.structured_content["success"]


def test_a_call_that_a_person_must_approve_is_not_made(trustee: Feature) -> None:
    right = {**SUM, "filters": YEAR_END, "groupBy": ["currency"]}

    async def fate(calls: tuple[str, ...]) -> Any:
        runtime = _runtime(trustee, approvals={"books": Approvals(calls=calls)})
        async with _client(runtime) as client:
            ran = await client.call_tool("aggregateTable", right)
            return (ran.structured_content or {}).get("errorDetails")

    assert asyncio.run(fate(("TrusteeDataContact",))) is None
    for calls in (("TrusteeDataAccount*",), ("aggregateTable",)):
        assert asyncio.run(fate(calls))["code"] == "CALL_NOT_APPROVED"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "raised", [RuntimeError("password=hidden"), ProblemError(ProblemCode.OVERLOADED)], ids=repr
)
def test_what_breaks_is_told_without_internals(
    trustee: Feature, mode: str, raised: Exception
) -> None:
    async def broken(question: Question, listen: Emit) -> Answer:
        raise raised

    async def talk() -> MCPError:
        async with _client(_runtime(trustee), mode, broken) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(
                    "queryFeatureInstance", {"feature": "books", "question": "?"}
                )
            return caught.value

    error = asyncio.run(talk())
    assert error.message
    assert "hidden" not in error.message


def test_prompts_say_how_to_ask_and_which_skills_there_are(trustee: Feature) -> None:
    skill = skill_set("examples")[0]

    async def text(client: Client, name: str, **arguments: str) -> str:
        content = (await client.get_prompt(name, arguments)).messages[0].content
        assert isinstance(content, TextContent)
        return content.text

    async def talk() -> tuple[str, str, str]:
        async with _client(_runtime(trustee, skills={"books": (skill,)})) as client:
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert names == ["ask-well", "skills", skill.name]
            with pytest.raises(MCPError, match="ask-well"):
                await client.get_prompt("nothing")
            return (
                await text(client, "ask-well"),
                await text(client, "skills"),
                await text(client, skill.name, request="This is it."),
            )

    well, listed, followed = asyncio.run(talk())
    assert "- What is the balance of account 1020 at the end of" in well
    assert f"/{skill.name}" in listed
    assert skill.instructions in followed
    assert followed.endswith("This is it.")
