"""An answer as the panel of another program (MCP Apps), drawn as the console draws it.

The console is imported with the first panel: ``veridical mcp`` has to answer before it is.
"""

from collections.abc import Iterable

from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.trace import Event


class AnswerPanels:
    """Draws answers with the templates and styles of the console, and without its scripts."""

    def page(self, language: Language) -> str:
        """The page without an answer. It loads nothing from anywhere."""
        from veridical.console.page import part

        return part(language, "panel.html")

    def part(self, answer: Answer, events: Iterable[Event]) -> str:
        """What the page shows of this answer; the events of its run say what was caught."""
        from veridical.console.answer_view import answer_view
        from veridical.console.page import part

        view = answer_view(answer, events)
        return part(
            answer.language,
            "panel_part.html",
            view=view,
            trace_id=answer.trace_id,
            asset=_no_script,
        )


def _no_script(name: str) -> None:
    """Charts are drawn without scripts."""
