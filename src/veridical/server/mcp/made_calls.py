"""The calls behind an answer of another agent, made again.

They are checked and within the caller's scope, so the evidence is the engine's and not what the
agent says it was. No session is needed for that.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.ontology.nearest import nearest
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.direct_calls import OfferedTool
from veridical.tools.argument_schemas import list_of, one_object

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
