"""The MCP client that sent a request: who it is and what it may use."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from mcp.server import ServerRequestContext
from pydantic import Field

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.ontology.nearest import nearest
from veridical.runs.state import RunState
from veridical.server.evidence_request import CollectRequest, CollectState
from veridical.server.fact_tasks import SourcedFacts, state_sources
from veridical.server.files_request import FilesRequest
from veridical.server.mcp.answer_panel import Panels
from veridical.server.mcp.direct_calls import DirectCalls, OfferedTool
from veridical.server.pending_answer import Outcome
from veridical.tools.argument_schemas import list_of, one_object

Context = ServerRequestContext[Any, Any]


State = Callable[[Runtime, SourcedFacts], Awaitable[StatedAnswer]]
"""States facts over results of the runtime's features. Raises ``ProblemError``."""


async def state_here(runtime: Runtime, request: SourcedFacts) -> StatedAnswer:
    """In a thread: there is one local caller, who waits for it."""
    meanings = {each.feature: runtime.feature(each.feature).meaning for each in request.sources}
    return await asyncio.to_thread(state_sources, request, meanings)


AskAboutFiles = Callable[[FilesRequest, Emit], Awaitable[Answer]]
"""Answers a question about files that come with it. Raises ``ProblemError``."""


class Collecting(Protocol):
    """The runs of this client that collect evidence."""

    async def start(self, request: CollectRequest) -> RunState:
        """Start one. Raises ``ProblemError``."""
        ...

    async def show(self, run_id: str) -> CollectState:
        """How one stands, verified now. Raises ``RunNotFoundError``."""
        ...


@dataclass(frozen=True)
class McpClient:
    """The client of one request. Features that are not listed do not exist for it."""

    callers: Mapping[str, Caller]
    """Callers by feature."""
    language: Language
    answer: Callable[[Question, Emit], Awaitable[Outcome]]
    """Answers a question about the feature that it names."""
    direct: DirectCalls = field(default_factory=DirectCalls)
    """Makes the client's direct calls."""
    state: State = state_here
    """Computes the client's facts."""
    files: "AskAboutFiles | None" = None
    """Answers questions about files, where a server reads them."""
    collecting: "Collecting | None" = None
    """Collects evidence in durable runs, where there are any."""
    tenant: str = ""
    """The tenant of the traces; the caller's own where empty."""
    panels: Panels | None = None
    """Draws the answers for programs that show panels."""
    may_ask: bool = True
    """Whether they may run anything, or only read what the data means."""

    @property
    def features(self) -> tuple[str, ...]:
        """The features it may use."""
        return tuple(sorted(self.callers))


IdentifyClient = Callable[[Context], McpClient]
"""Returns the client of a request."""


_MOST_CALLS = 20


class MadeCall(Wire):
    """A call that the answer rests on, as it was made."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])


MadeCalls = Annotated[tuple[MadeCall, ...], Field(max_length=_MOST_CALLS)]


def calls_schema(text: str, language: Language) -> JsonSchema:
    """The argument that lists calls; ``text`` is what the catalogue says of it."""
    call = one_object({"tool": {"type": "string"}, "arguments": {"type": "object"}}, "tool")
    described = message(f"mcp.{text}", language)
    return {**list_of(call), "maxItems": _MOST_CALLS, "description": described}


def unknown_tool(
    calls: Sequence[MadeCall], tools: Mapping[str, OfferedTool], language: Language
) -> Refusal | None:
    """The refusal of a call of what is no tool."""
    for number, each in enumerate(calls):
        if each.tool not in tools:
            hint = message("tools.unknown_tool", language, name=each.tool[:40])
            return malformed(f"calls.{number}.tool", hint, nearest(each.tool, tools))
    return None


async def make_again(
    runtime: Runtime, client: McpClient, tools: Mapping[str, OfferedTool], calls: Sequence[MadeCall]
) -> list[ToolResult]:
    """Their results, one after another. Raises ``ProblemError`` when no slot is free."""
    made: list[ToolResult] = []
    for call in calls:
        tool = tools[call.tool]
        caller = client.callers[tool.feature]
        ran = await client.direct.call(runtime, caller, client.tenant, tool, call.arguments)
        made.append(ran.result)
    return made


def failed_calls(calls: Sequence[MadeCall], made: Sequence[ToolResult]) -> list[dict[str, Any]]:
    """The failed calls, each with its error."""
    return [
        {"tool": call.tool, "error": result.error}
        for call, result in zip(calls, made, strict=True)
        if not result.success
    ]
