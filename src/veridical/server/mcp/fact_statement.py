"""Facts as a tool: an agent states facts over its own calls, and the host computes and states them.

Without arguments the tool returns the whole instruction: many clients read no resources.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from veridical.agent.results import as_source
from veridical.check.arguments import read_arguments
from veridical.contracts.facts_answer import Refused, StatedAnswer
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.facts.instruction import instruction
from veridical.facts.prose.finding import Code
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.body_types import LONGEST_DOCUMENT, PlainJson, Remark, Text, is_storable
from veridical.server.fact_tasks import NamedSource, SourcedFacts, facts_language
from veridical.server.mcp.client import (
    MadeCall,
    MadeCalls,
    McpClient,
    calls_schema,
    failed_calls,
    make_again,
    unknown_tool,
)
from veridical.server.mcp.direct_calls import OfferedTool
from veridical.tools.argument_schemas import one_object

STATE_FACTS = "stateFacts"
FACTS_REFUSED = "FACTS_REFUSED"


class StateFactsArguments(Wire):
    """Facts over calls, and the prose that they stand in."""

    facts: dict[str, PlainJson]
    answer: Text
    calls: MadeCalls
    labels: dict[str, str] = Field(default_factory=dict[str, str])
    question: Remark = ""


def state_facts_schema(language: Language) -> dict[str, Any]:
    """The tool as a function."""
    properties: dict[str, JsonSchema] = {
        "facts": _described({"type": "object"}, "arg_facts", language),
        "answer": _described({"type": "string"}, "arg_prose", language),
        "calls": calls_schema("arg_fact_calls", language),
        "labels": _described({"type": "object"}, "arg_labels", language),
        "question": _described({"type": "string"}, "arg_answered", language),
    }
    return {
        "name": STATE_FACTS,
        "description": message("mcp.state_facts", language),
        "parameters": one_object(properties),
    }


async def state_facts(
    runtime: Runtime,
    client: McpClient,
    tools: Mapping[str, OfferedTool],
    arguments: dict[str, Any],
) -> ToolResult:
    """The host's text, or the refusal. Raises ``ProblemError`` when no slot is free."""
    if not arguments:
        return ToolResult(success=True, about=instruction())
    if not is_storable(arguments):
        hint = message("mcp.arguments_form", client.language, most=LONGEST_DOCUMENT)
        return refused(malformed("arguments", hint))
    parsed = read_arguments(StateFactsArguments, arguments, client.language)
    if isinstance(parsed, Refusal):
        return refused(parsed)
    unknown = unknown_tool(parsed.calls, tools, client.language)
    if unknown is not None:
        return refused(unknown)
    made = await make_again(runtime, client, tools, parsed.calls)
    written = {"facts": parsed.facts, "answer": parsed.answer, "labels": parsed.labels}
    request = SourcedFacts(
        answer=written,
        sources=_named(parsed.calls, made, tools),
        question=parsed.question,
        language=facts_language(parsed.question, written, client.language),
    )
    return _tool_result(await client.state(runtime, request), failed_calls(parsed.calls, made))


def _named(
    calls: Sequence[MadeCall], made: Sequence[ToolResult], tools: Mapping[str, OfferedTool]
) -> tuple[NamedSource, ...]:
    """The results of the calls, named by position; failed calls are left out."""
    found: list[NamedSource] = []
    for at, (call, result) in enumerate(zip(calls, made, strict=True), start=1):
        source = as_source(call.tool, call.arguments, result)
        if source is not None:
            feature = tools[call.tool].feature
            found.append(NamedSource(name=f"r{at}", feature=feature, source=source))
    return tuple(found)


def _tool_result(stated: StatedAnswer, failed: list[dict[str, Any]]) -> ToolResult:
    data = stated.model_dump(mode="json", by_alias=True)
    if failed:
        data["failedCalls"] = failed
    if stated.accepted:
        return ToolResult(success=True, data=data)
    first, *others = (
        {"code": FACTS_REFUSED, "field": _field(each), "suggestion": None, "hint": each.hint}
        for each in stated.refused
    )
    details = {**first, "others": others} if others else first
    error = f"{FACTS_REFUSED}: {first['hint']}"
    return ToolResult(success=False, data=data, error=error, error_details=details)


def _field(refusal: Refused) -> str:
    return "facts" if refusal.code == Code.FACT else "answer"


def facts_in_short(result: ToolResult) -> ToolResult:
    """The part that a model needs: claims and cells are in the structured result."""
    if not isinstance(result.data, dict):
        return result
    data: dict[str, Any] = result.data
    short: dict[str, Any] = {"text": data["text"]} if data["text"] else {}
    short["exact"] = {name: fact["sentence"] for name, fact in data["facts"].items()}
    marked = [
        {"sentence": each["text"].strip(), "why": [mark["why"] for mark in each["marks"]]}
        for each in data["sentences"]
        if each["marks"]
    ]
    if marked:
        short["marked"] = marked
    if "failedCalls" in data:
        short["failedCalls"] = data["failedCalls"]
    return result.model_copy(update={"data": short})


def _described(schema: JsonSchema, key: str, language: Language) -> JsonSchema:
    return {**schema, "description": message(f"mcp.{key}", language)}
