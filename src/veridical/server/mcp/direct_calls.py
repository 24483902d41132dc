"""Direct tool calls of another agent: checked, limited in number, each with a trace of its own."""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from veridical.agent.approval import CALL_NOT_APPROVED, permission
from veridical.agent.refusals import refuse
from veridical.agent.tool_call import run_tool
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.person import no_person
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.step import Json
from veridical.contracts.tool import Enums, SchemaView
from veridical.contracts.trace import AgentTrace, Routed, RunStarted, ToolCalled
from veridical.contracts.violation import Refusal, malformed
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest
from veridical.server.body_types import LONGEST_DOCUMENT, LONGEST_TEXT, Remark, is_storable
from veridical.server.problem import ProblemCode, ProblemError
from veridical.tools.evidence import SEARCH_EVIDENCE
from veridical.tools.toolbox import Toolbox, names_of_call

USER_QUESTION = "userQuestion"
"""The argument with the question behind a call, for its check."""
_REASON = "mcp"
_REMARK = TypeAdapter[str](Remark)
_NAMES_ONLY = SchemaView(Enums((), {}, (), (), (), ""), lean=True)
"""A view in which a schema has the names of its arguments and no list of values."""
_LONGEST_NAME = 40

Probe = Callable[[str, str, Caller, dict[str, Any], str], Awaitable[None]]
"""Tries whether the check of a call ends in time: feature, tool, caller, arguments, question."""


async def skip_probe(*_: Any) -> None:
    """Does not probe: there is one local caller, who waits for the check."""


@dataclass(frozen=True)
class OfferedTool:
    """One tool of one feature."""

    feature: str
    tool: str
    toolbox: Toolbox


@dataclass(frozen=True)
class TracedResult:
    """The result of a call, with the id of its trace."""

    result: ToolResult
    trace_id: str


@dataclass(frozen=True)
class DirectCalls:
    """Runs calls within a concurrency limit, and saves their traces.

    A call continues when its client has disconnected: its query can't be cancelled, so it keeps its
    slot until it ends, and its trace is complete.
    """

    place: Callable[[], AbstractContextManager[None]] = nullcontext
    """Raises ``ProblemError`` on entering when there is none."""
    probe: Probe = skip_probe
    """Raises ``ProblemError`` when the check of a call does not come to an end in its time."""
    keep: Callable[[AgentTrace], None] = lambda trace: None
    _pending: set[asyncio.Task[TracedResult]] = field(
        default_factory=set[asyncio.Task[TracedResult]]
    )

    async def call(
        self,
        runtime: Runtime,
        caller: Caller,
        tenant: str,
        tool: OfferedTool,
        arguments: dict[str, Any],
    ) -> TracedResult:
        """The result of the call. Raises ``ProblemError`` when no slot is free."""
        making = asyncio.ensure_future(self._made(runtime, caller, tenant, tool, arguments))
        self._pending.add(making)
        making.add_done_callback(self._pending.discard)
        return await asyncio.shield(making)

    async def ended(self) -> None:
        """Wait for calls whose clients have disconnected."""
        await asyncio.gather(*self._pending, return_exceptions=True)

    async def _made(
        self,
        runtime: Runtime,
        caller: Caller,
        tenant: str,
        tool: OfferedTool,
        arguments: dict[str, Any],
    ) -> TracedResult:
        given = dict(arguments)
        question = _question(given.pop(USER_QUESTION, ""))
        is_plain = is_storable(given)
        with self.place():
            at = time.time()
            if not is_plain:
                ran = _step(at, _unreadable(caller))
            elif question is None:
                ran = _step(at, _unreadable_question(caller))
            elif (unknown := _unknown(tool, given, caller)) is not None:
                ran = _step(at, refused(unknown))
            elif (refusal := await self._unending(tool, caller, given, question)) is not None:
                ran = _step(at, refusal)
            else:
                ran = await _run(runtime, caller, tool, given, question)
        result = ToolResult.model_validate(ran["result"])
        started = RunStarted(
            at=at,
            question=Question(text=question or "", feature=tool.feature, language=caller.language),
            caller=caller.name,
            tenant=tenant or caller.tenant,
            ontology_hash=runtime.feature(tool.feature).ontology_hash,
        )
        called = _called(tool.tool, given if is_plain else {}, ran, result)
        events = (started, Routed(at=at, route="tool", reason=_REASON), called)
        trace = AgentTrace(trace_id=str(uuid4()), events=events)
        self.keep(trace)
        return TracedResult(result, trace.trace_id)

    async def _unending(
        self, tool: OfferedTool, caller: Caller, arguments: dict[str, Any], question: str
    ) -> ToolResult | None:
        """The refusal of a call whose check does not end in time; None for any other."""
        try:
            await self.probe(tool.feature, tool.tool, caller, arguments, question)
        except ProblemError as error:
            if error.code is not ProblemCode.TOO_MUCH_WORK:
                raise
            return refuse(
                error.code, message("problem.too_much_work", caller.language, **error.values)
            )
        return None


async def _run(
    runtime: Runtime, caller: Caller, tool: OfferedTool, arguments: dict[str, Any], question: str
) -> Json:
    """The call as a step; refused if a person would have to approve it: none can be asked here."""
    reads = partial(names_of_call, tool.toolbox, question=question)
    approvals = runtime.session(tool.feature, caller).approvals
    calls = (*approvals.calls, *((SEARCH_EVIDENCE,) if approvals.passages else ()))
    permit = permission(no_person, calls, reads, question, caller.language)
    if await permit(tool.tool, tool.tool, arguments, 0.0) is not None:
        refusal = refuse(CALL_NOT_APPROVED, message("mcp.needs_approval", caller.language))
        return _step(time.time(), refusal)
    return await run_tool(partial(tool.toolbox.call, question=question), tool.tool, arguments)


def _question(remark: Any) -> str | None:
    """The question behind the call; None where it is invalid."""
    try:
        return _REMARK.validate_python(remark, strict=True)
    except ValidationError:
        return None


def unknown_arguments(
    given: Iterable[str], known: Collection[str], language: Language
) -> Refusal | None:
    """The refusal of arguments that a tool does not have: ignoring them would mislead."""
    violations = [
        malformed(
            name[:_LONGEST_NAME],
            hint("tools.extra_forbidden", language, name=name[:_LONGEST_NAME]),
            nearest(name, known),
        ).primary
        for name in given
        if name not in known
    ]
    return Refusal(violations=tuple(violations)) if violations else None


def _unknown(tool: OfferedTool, given: dict[str, Any], caller: Caller) -> Refusal | None:
    """The refusal of arguments that are not in the tool's schema, even if the tool ignores them."""
    bound = tool.toolbox.find(tool.tool)
    if bound is None:
        return None
    schema = bound.tool.schema(_NAMES_ONLY, bound.context)
    if schema.get("additionalProperties", True) is not False:
        return None
    return unknown_arguments(given, schema.get("properties", {}), caller.language)


def _unreadable(caller: Caller) -> ToolResult:
    hint = message("mcp.arguments_form", caller.language, most=LONGEST_DOCUMENT)
    return refused(malformed("arguments", hint))


def _unreadable_question(caller: Caller) -> ToolResult:
    hint = message("mcp.user_question_form", caller.language, most=LONGEST_TEXT)
    return refused(malformed(USER_QUESTION, hint))


def _step(at: float, result: ToolResult) -> Json:
    return {"at": at, "elapsedMs": 0.0, "result": result.model_dump(mode="json", by_alias=True)}


def _called(tool: str, arguments: dict[str, Any], ran: Json, result: ToolResult) -> ToolCalled:
    shown = json.dumps(ran["result"]["data"], sort_keys=True, separators=(",", ":"))
    return ToolCalled(
        at=ran["at"],
        round=0,
        tool=tool,
        arguments=arguments,
        success=result.success,
        validation_failure_code=(result.error_details or {}).get("code"),
        error_details=result.error_details,
        receipt=result.receipt,
        ran_as=result.ran_as,
        settled=result.settled,
        elapsed_ms=ran["elapsedMs"],
        evidence_hash=hashlib.sha256(shown.encode()).hexdigest() if result.success else None,
    )
