"""The gate as a tool: an agent has its own answer checked before it shows it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from veridical import gate
from veridical.agent.results import as_source
from veridical.answering.grounds import exhibits_of
from veridical.check.arguments import read_arguments
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, Proof
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, ToolRun, refused
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import Mode, Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.body_types import Remark, Text
from veridical.server.mcp.client import (
    MadeCalls,
    McpClient,
    calls_schema,
    failed_calls,
    make_again,
    unknown_tool,
)
from veridical.server.mcp.direct_calls import OfferedTool
from veridical.tools.argument_schemas import one_object

CHECK_ANSWER = "checkAnswer"


class CheckAnswerArguments(Wire):
    """An answer and what it rests on."""

    answer: Text
    calls: MadeCalls = ()
    question: Remark = ""


def check_answer_schema(language: Language) -> dict[str, Any]:
    """The tool as a function."""
    properties: dict[str, JsonSchema] = {
        "answer": _described({"type": "string"}, "arg_answer", language),
        "calls": calls_schema("arg_calls", language),
        "question": _described({"type": "string"}, "arg_answered", language),
    }
    return {
        "name": CHECK_ANSWER,
        "description": message("mcp.check_answer", language),
        "parameters": one_object(properties, "answer", "calls"),
    }


async def check_answer(
    runtime: Runtime,
    client: McpClient,
    tools: Mapping[str, OfferedTool],
    arguments: dict[str, Any],
) -> ToolResult:
    """The gate's verdict on an answer. Raises ``ProblemError`` when no slot is free."""
    parsed = read_arguments(CheckAnswerArguments, arguments, client.language)
    if isinstance(parsed, Refusal):
        return refused(parsed)
    unknown = unknown_tool(parsed.calls, tools, client.language)
    if unknown is not None:
        return refused(unknown)
    features = {tools[each.tool].feature for each in parsed.calls} or {client.features[0]}
    if len(features) > 1:
        return refused(malformed("calls", message("mcp.one_feature", client.language)))
    made = await make_again(runtime, client, tools, parsed.calls)
    proof = await asyncio.to_thread(_proof, runtime, features.pop(), client, parsed, made)
    return _verdict(proof, parsed, made)


def _proof(
    runtime: Runtime,
    feature: str,
    client: McpClient,
    parsed: CheckAnswerArguments,
    made: list[ToolResult],
) -> Proof:
    sources: list[Source] = []
    runs: list[ToolRun] = []
    for call, result in zip(parsed.calls, made, strict=True):
        source = as_source(call.tool, call.arguments, result)
        if source is not None:
            sources.append(source)
        if not result.only_explains:
            error = str((result.error_details or {}).get("code", ""))
            runs.append(ToolRun(tool=call.tool, success=result.success, error=error))
    question = Question(text=parsed.question, feature=feature, language=client.language)
    exhibits = exhibits_of(sources, question, runtime.feature(feature).meaning)
    passages = tuple(chunk for source in sources for chunk in source.chunks)
    return gate.check(
        parsed.answer,
        (*exhibits, *passages),
        question=parsed.question,
        language=client.language,
        policy=runtime.policy_of(feature),
        runs=runs,
    )


def _verdict(proof: Proof, parsed: CheckAnswerArguments, made: list[ToolResult]) -> ToolResult:
    """Every claim with its tick, every finding, and every call that failed."""
    data = {
        "verdict": proof.verdict,
        "claims": [{"text": each.text, "tick": each.tick} for each in proof.claims],
        "findings": [_finding_data(each) for each in proof.findings],
    }
    if failed := failed_calls(parsed.calls, made):
        data["failedCalls"] = failed
    if proof.ok:
        return ToolResult(success=True, data=data)
    first = next(each for each in proof.findings if each.mode is Mode.BLOCK)
    details = {"code": first.code, "field": "answer", "suggestion": None, "hint": first.hint}
    error = f"{first.code}: {first.hint}"
    return ToolResult(success=False, data=data, error=error, error_details=details)


def _finding_data(finding: Finding) -> dict[str, Any]:
    wanted = {"code", "mode", "hint", "claim", "nearest"}
    return finding.model_dump(mode="json", by_alias=True, include=wanted, exclude_defaults=True)


def _described(schema: JsonSchema, key: str, language: Language) -> JsonSchema:
    return {**schema, "description": message(f"mcp.{key}", language)}
