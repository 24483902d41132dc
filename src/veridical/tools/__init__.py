"""The tools of a model: each is checked, run and recorded, and never raises for bad arguments.

The names below are public: the tools of a caller, and all that a tool of one's own needs. Each is
loaded when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.contracts.result import ToolResult, ToolRun, refused
    from veridical.contracts.tool import Tool, ToolContext, found_rows, refused_argument
    from veridical.tools.define import ToolArguments, define_tool
    from veridical.tools.file_shelf import FileShelf
    from veridical.tools.repeat import RepeatGuard
    from veridical.tools.toolbox import Toolbox

__all__ = [
    "FileShelf",
    "RepeatGuard",
    "Tool",
    "ToolArguments",
    "ToolContext",
    "ToolResult",
    "ToolRun",
    "Toolbox",
    "define_tool",
    "found_rows",
    "refused",
    "refused_argument",
]

_HOMES = {
    "veridical.contracts.result": "ToolResult ToolRun refused",
    "veridical.contracts.tool": "Tool ToolContext found_rows refused_argument",
    "define": "ToolArguments define_tool",
    "file_shelf": "FileShelf",
    "repeat": "RepeatGuard",
    "toolbox": "Toolbox",
}
_EXTRAS = dict.fromkeys(("FileShelf", "Toolbox"), ("engine",))

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    __getattr__ = lazy_names(__name__, _HOMES, _EXTRAS)
