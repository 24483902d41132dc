"""The sources that a call would read, found without running it."""

from typing import Any

from veridical.contracts.result import ToolResult
from veridical.tools.toolbox import Toolbox


def names_of_call(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any], question: str = ""
) -> tuple[str, ...] | None:
    """The tool, the tool behind it, and the tables, metrics, file or other sources that a call
    would read; None if the check would refuse it."""
    found = toolbox.find(tool, question)
    if found is None:
        return None
    checked = found.tool.check(arguments, found.context)
    return None if isinstance(checked, ToolResult) else (tool, *found.tool.reads(checked))
