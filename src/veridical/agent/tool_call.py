"""One tool call, with its result as JSON that a step records and a replay reads."""

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter, time
from typing import Any

from veridical.agent.failure import FailureCode
from veridical.agent.refusals import refuse
from veridical.contracts.result import ToolResult
from veridical.contracts.step import Json
from veridical.contracts.trace import ToolCalled
from veridical.contracts.wire import Wire

CallTool = Callable[[str, dict[str, Any]], ToolResult]


class ToolCall(Wire):
    """One call: start, duration, arguments and result."""

    at: float
    elapsed_ms: float
    arguments: dict[str, Any]
    result: ToolResult


_log = logging.getLogger(__name__)


async def run_tool(tools: CallTool, name: str, arguments: dict[str, Any]) -> Json:
    """The call as JSON, with the given arguments."""
    called = await call_tool(tools, name, arguments)
    return {
        "at": called.at,
        "elapsedMs": called.elapsed_ms,
        "arguments": arguments,
        "result": called.result.model_dump(mode="json", by_alias=True),
    }


async def call_tool(tools: CallTool, name: str, arguments: dict[str, Any]) -> ToolCall:
    """The tool's result. An exception in a tool fails the run, never the process."""
    at, started = time(), perf_counter()
    try:
        result = await asyncio.to_thread(tools, name, arguments)
    except Exception as error:
        _log.exception("the tool %s broke", name)
        result = refuse(FailureCode.TOOL_BROKE, type(error).__name__, actor="developer")
    elapsed = round((perf_counter() - started) * 1000, 3)
    return ToolCall(at=at, elapsed_ms=elapsed, arguments=arguments, result=result)


def tool_called(tool: str, call: ToolCall, round_number: int = 0) -> ToolCalled:
    """The event of a call. A failure that the model can't repair is no failed validation."""
    details = call.result.error_details or {}
    code = None if call.result.success or "actor" in details else str(details.get("code", ""))
    return ToolCalled(
        at=call.at,
        round=round_number,
        tool=tool,
        arguments=call.arguments,
        success=call.result.success,
        validation_failure_code=code,
        error_details=call.result.error_details,
        receipt=call.result.receipt,
        ran_as=call.result.ran_as,
        settled=call.result.settled,
        elapsed_ms=call.elapsed_ms,
    )
