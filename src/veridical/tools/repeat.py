"""The stop rule: an identical call is not made twice in one run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from veridical.agent.refusals import PATIENCE, call_identity, refused_repeat
from veridical.check.arguments import as_object
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import Arguments

CallTool = Callable[[str, Arguments, str], ToolResult]


@dataclass
class RepeatGuard:
    """Wraps a toolbox for one run of an external loop: refuses repeats, then stops the run."""

    call_tool: CallTool
    language: Language = Language.EN
    patience: int = PATIENCE
    _made: list[str] = field(default_factory=list[str], init=False)

    def call(self, name: str, arguments: Arguments, question: str = "") -> ToolResult:
        """The tool's result, unless the same call was made before."""
        given = as_object(arguments)
        identity = call_identity(name, arguments if given is None else given)
        refused = refused_repeat(identity, self._made, self.language, self.patience)
        self._made.append(identity)
        return refused or self.call_tool(name, arguments, question)
