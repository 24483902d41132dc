"""The built-in tools in the order in which a model reads them, and names that are taken.

A new built-in tool is a file with a ``Tool`` and a line here; a tool of a pack or of an embedding
program comes with ``Pack.tools`` or ``Toolbox.tools``.
"""

import re
from collections.abc import Iterable
from typing import Any

from veridical.agent.selection import ENDINGS
from veridical.contracts.language import Language
from veridical.contracts.tool import OutsideTool
from veridical.messages import message
from veridical.ontology.errors import LoadError
from veridical.tools import tables
from veridical.tools.calculate import ARITHMETIC
from veridical.tools.context import BuiltIn
from veridical.tools.describe import EXPLAIN
from veridical.tools.evidence import SEARCH
from veridical.tools.files import ANALYZE, INSPECT
from veridical.tools.known_question import ASK_KNOWN
from veridical.tools.requirements import REQUIREMENTS

BUILT_IN: tuple[BuiltIn[Any], ...] = (
    ASK_KNOWN,
    EXPLAIN,
    *tables.TOOLS,
    INSPECT,
    ANALYZE,
    SEARCH,
    *REQUIREMENTS,
    ARITHMETIC,
)
TOOL_NAMES: tuple[str, ...] = tuple(tool.name for tool in BUILT_IN)
"""Every built-in tool, available to a caller or not."""
QUERY_FEATURE = "queryFeatureInstance"
"""The whole agent as one tool, where it is offered to another agent."""
RESERVED = frozenset({*TOOL_NAMES, *ENDINGS, QUERY_FEATURE})
"""Names that a model already knows for something else."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


class ToolNameError(LoadError):
    """A tool name that is ambiguous or can't be called."""

    def __init__(self, problem: str, name: str) -> None:
        self._problem = problem
        self._name = name
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The tool to rename, in words for the operator."""
        return message(f"setup.{self._problem}", language, name=self._name)


def distinct(tools: Iterable[OutsideTool]) -> tuple[OutsideTool, ...]:
    """These tools, each under a name of its own. Raises ``ToolNameError``."""
    found: dict[str, OutsideTool] = {}
    for tool in tools:
        if not _NAME.fullmatch(tool.name):
            raise ToolNameError("tool_name_form", tool.name)
        if tool.name in RESERVED:
            raise ToolNameError("tool_name_reserved", tool.name)
        if tool.name in found:
            raise ToolNameError("tool_name_twice", tool.name)
        found[tool.name] = tool
    return tuple(found.values())
