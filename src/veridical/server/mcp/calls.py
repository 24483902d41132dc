"""Handles tool calls over MCP: checks, runs, and reports errors that the calling model can
repair."""

import logging
from collections.abc import Awaitable
from functools import partial
from typing import Any

from mcp.server.apps import client_supports_apps
from mcp.types import CallToolRequestParams, CallToolResult, TextContent
from pydantic import TypeAdapter, ValidationError

from veridical.agent.refusals import refuse
from veridical.agent.results import as_prompt
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.search_context import context_in
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event
from veridical.contracts.violation import Refusal, Violation, malformed
from veridical.host.query_feature import QUERY_FEATURE, as_result, no_such_feature
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.ontology.nearest import nearest
from veridical.runs.state import RunState
from veridical.server.body_types import LONGEST_TEXT, Text
from veridical.server.mcp.answer_check import CHECK_ANSWER, check_answer
from veridical.server.mcp.answer_panel import panel_part, whole_text
from veridical.server.mcp.client import AskAboutFiles, Context, McpClient
from veridical.server.mcp.direct_calls import unknown_arguments
from veridical.server.mcp.evidence_collection import COLLECT_EVIDENCE, collect_evidence
from veridical.server.mcp.fact_statement import STATE_FACTS, facts_in_short, state_facts
from veridical.server.mcp.file_question import ASK_ABOUT_FILES, file_question
from veridical.server.mcp.tool_listing import may_collect, offered_tools
from veridical.server.pending_answer import Emitted, Outcome, PendingAnswer, StartAnswer
from veridical.server.problem import ProblemCode, ProblemError
from veridical.tools.evidence import SEARCH_EVIDENCE

PERSON_NEEDED = "PERSON_NEEDED"
TRACE_ID = "veridical/traceId"
"""Metadata field of a call's result with the id of its trace."""
_NEWS_SECONDS = 10.0
_QUESTION = TypeAdapter[str](Text)
_ASK_ARGUMENTS = ("feature", "question")
_READ_BY_MODELS = ("kind", "text", "suggestedAnswers", "traceId", "runId", "status")

_log = logging.getLogger("veridical.mcp")


async def call_tool(
    runtime: Runtime, client: McpClient, params: CallToolRequestParams, context: Context
) -> CallToolResult:
    """The result of a call. A refusal is a tool error with hints that the model reads."""
    arguments = dict(params.arguments or {})
    known = offered_tools(runtime, client)
    if params.name == QUERY_FEATURE and client.may_ask:
        return await _ask(client, arguments, context)
    if params.name == ASK_ABOUT_FILES and client.files is not None and client.may_ask:
        return await _ask_about_files(client.files, client, arguments, context)
    if params.name == CHECK_ANSWER and client.may_ask:
        result = await check_answer(runtime, client, known, arguments)
        return _call_result(result, as_prompt(result, client.language))
    if params.name == STATE_FACTS and client.may_ask:
        result = await state_facts(runtime, client, known, arguments)
        return _call_result(result, as_prompt(facts_in_short(result), client.language))
    if params.name == COLLECT_EVIDENCE and may_collect(runtime, client):
        result = await collect_evidence(client, arguments, dict(params.meta or {}))
        return _call_result(result, as_prompt(_in_short(result), client.language))
    if (tool := known.get(params.name)) is not None:
        caller = client.callers[tool.feature]
        if tool.tool == SEARCH_EVIDENCE and (given := context_in(dict(params.meta or {}))):
            arguments.setdefault("scoringContext", given)
        ran = await client.direct.call(runtime, caller, client.tenant, tool, arguments)
        _log.info("%s by %s: %s", params.name, caller.name, _fate(ran.result))
        answer = _call_result(ran.result, as_prompt(ran.result, client.language))
        return answer.model_copy(update={"meta": {TRACE_ID: ran.trace_id}})
    hint = message("tools.unknown_tool", client.language, name=params.name[:40])
    names = (QUERY_FEATURE, STATE_FACTS, CHECK_ANSWER, *known) if client.may_ask else ()
    result = refused(malformed("name", hint, nearest(params.name, names)))
    return _call_result(result, as_prompt(result, client.language))


async def _ask(client: McpClient, arguments: dict[str, Any], context: Context) -> CallToolResult:
    unknown = unknown_arguments(arguments, _ASK_ARGUMENTS, client.language)
    if unknown is not None:
        return _refused(unknown, client)
    feature = arguments.get("feature")
    if feature is None and len(client.features) == 1:
        (feature,) = client.features
    if not isinstance(feature, str) or feature not in client.callers:
        result = no_such_feature(client.features, client.language)
        return _call_result(result, as_prompt(result, client.language))
    try:
        text = _QUESTION.validate_python(arguments.get("question"))
    except ValidationError:
        hint = message("mcp.question_form", client.language, most=LONGEST_TEXT)
        return _refused(malformed("question", hint), client)
    return await _answered(
        partial(client.answer, Question(text=text, feature=feature)), client, context
    )


async def _ask_about_files(
    ask: AskAboutFiles, client: McpClient, arguments: dict[str, Any], context: Context
) -> CallToolResult:
    request = file_question(arguments)
    if isinstance(request, Refusal):
        return _refused(request, client)
    try:
        return await _answered(partial(ask, request), client, context)
    except ProblemError as error:
        if error.code is not ProblemCode.INVALID:
            raise
        return _refused(malformed("files", error.detail), client)


def _refused(refusal: Refusal, client: McpClient) -> CallToolResult:
    result = refused(refusal)
    return _call_result(result, as_prompt(result, client.language))


async def _answered(start: StartAnswer, client: McpClient, context: Context) -> CallToolResult:
    """The answer with its panel, for programs that show one, and with all of it as text."""
    events: list[Event] = []
    outcome = await _awaited(start, client, context, events)
    if not isinstance(outcome, Answer):
        result = _started(outcome, client)
        return _call_result(result, as_prompt(_in_short(result), client.language))
    result = as_result(outcome)
    short, more = _in_short(result), whole_text(outcome)
    if client.panels and client_supports_apps(context):
        more["shown"] = message("mcp.shown_in_panel", client.language)
    if isinstance(short.data, dict):
        short = short.model_copy(update={"data": {**short.data, **more}})
    made = _call_result(result, as_prompt(short, client.language))
    if client.panels is None:
        return made
    return made.model_copy(update={"meta": panel_part(client.panels, outcome, events)})


async def _awaited(
    start: StartAnswer, client: McpClient, context: Context, events: list[Event]
) -> Outcome:
    """The answer; its progress is reported, its events are collected."""

    def started(listen: Emit) -> Awaitable[Outcome]:
        def collect(event: Emitted) -> None:
            if not isinstance(event, Progress):
                events.append(event)
            listen(event)

        return start(collect)

    pending = PendingAnswer(started)
    try:
        news = 0
        while not pending.task.done():
            if (seen := await pending.next(_NEWS_SECONDS)) is not None:
                news += 1
                await context.session.report_progress(news, message=_seen(seen, client))
        return pending.task.result()
    finally:
        await pending.stop()


def _seen(progress: Progress, client: McpClient) -> str:
    return message(f"mcp.{progress.stage}", client.language, tool=progress.text)


def _started(run: RunState, client: McpClient) -> ToolResult:
    refusal = refuse(
        PERSON_NEEDED, message("mcp.person_needed", client.language, run_id=run.run_id)
    )
    return refusal.model_copy(update={"data": run.model_dump(mode="json", by_alias=True)})


def _in_short(result: ToolResult) -> ToolResult:
    """An answer as a model needs it: the proof and the rows are in the structured result."""
    if not isinstance(result.data, dict):
        return result
    short = {name: result.data[name] for name in _READ_BY_MODELS if name in result.data}
    sources: list[dict[str, Any]] = result.data.get("sources") or []
    found = (Violation.model_validate(each) for of in sources for each in of.get("warnings", ()))
    warnings = tuple(dict.fromkeys(found))
    return result.model_copy(update={"data": short, "warnings": (*result.warnings, *warnings)})


def _call_result(result: ToolResult, text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(text=text)],
        structured_content=result.model_dump(mode="json", by_alias=True),
        is_error=not result.success,
    )


def _fate(result: ToolResult) -> str:
    return "ran" if result.success else str((result.error_details or {}).get("code", "failed"))
