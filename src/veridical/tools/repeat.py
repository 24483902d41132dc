"""The stop rule: an identical call is not made twice in one run."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.messages import say
from veridical.tools.arguments import Arguments, as_object

REPEATED_CALL = "REPEATED_CALL"
CallTool = Callable[[str, Arguments, str], ToolResult]


@dataclass
class RepeatGuard:
    """Wraps a toolbox for one run: repeats are refused, and too many of them say stop."""

    call_tool: CallTool
    language: Language = Language.EN
    patience: int = 2
    """Refused repeats of one call after which ``errorDetails.stop`` is true."""
    _repeats: Counter[str] = field(default_factory=Counter[str], init=False)

    def call(self, name: str, arguments: Arguments, question: str = "") -> ToolResult:
        """The tool's result, unless this very call was made before."""
        key = _identity(name, arguments)
        self._repeats[key] += 1
        repeats = self._repeats[key] - 1
        if not repeats:
            return self.call_tool(name, arguments, question)
        stop = repeats >= self.patience
        hint = say("tools.stop" if stop else "tools.repeated", self.language)
        return ToolResult(
            success=False,
            error=f"{REPEATED_CALL}: {hint}",
            error_details={
                "code": REPEATED_CALL,
                "field": None,
                "suggestion": None,
                "hint": hint,
                "stop": stop,
            },
        )


def _identity(name: str, arguments: Arguments) -> str:
    given = as_object(arguments)
    return json.dumps([name, arguments if given is None else given], sort_keys=True, default=str)
