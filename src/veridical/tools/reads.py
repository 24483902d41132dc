"""What a call would read, told without running it."""

from typing import Any

from veridical.contracts.result import ToolResult
from veridical.tools.known_question import ask_known_question
from veridical.tools.schemas import KNOWN_QUESTION
from veridical.tools.tables import METRIC_TOOL, TABLE_TOOLS, would_pass, would_read
from veridical.tools.toolbox import Toolbox

_ON_DATA = frozenset({*TABLE_TOOLS, METRIC_TOOL})


def names_of_call(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any], question: str = ""
) -> tuple[str, ...] | None:
    """The tool, the tool that it stands for, and the tables, metrics or file that a call would
    read; none when the check would refuse it."""
    if tool not in toolbox.names:
        return None
    if tool == KNOWN_QUESTION:
        return _of_known_question(toolbox, arguments, question)
    if tool not in _ON_DATA:
        return (tool, *(str(arguments[each]) for each in ("fileName",) if each in arguments))
    read = would_read(tool, arguments, toolbox.checker, toolbox.caller, question)
    return None if read is None else (tool, *read)


def _of_known_question(
    toolbox: Toolbox, arguments: dict[str, Any], question: str
) -> tuple[str, ...] | None:
    """The names of the call behind a known question, which is noted in place of being made."""
    made: list[tuple[str, dict[str, Any]]] = []

    def note(tool: str, ready: dict[str, Any]) -> ToolResult:
        made.append((tool, ready))
        return ToolResult(success=False)

    def passes(tool: str, ready: dict[str, Any]) -> bool:
        return would_pass(tool, ready, toolbox.checker, toolbox.caller, question)

    if toolbox.known is None:
        return None
    ask_known_question(arguments, toolbox.known, note, passes, toolbox.caller.language)
    for tool, ready in made:
        read = would_read(tool, ready, toolbox.checker, toolbox.caller, question)
        if read is not None:
            return (KNOWN_QUESTION, tool, *read)
    return None
