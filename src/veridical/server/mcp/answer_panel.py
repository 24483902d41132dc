"""An answer as a panel (MCP Apps): hosts show it as a page of its own, beside the text.

The page is the same for all answers; what it shows comes with each result, both drawn by
``Panels``, which the console has. A client that shows no panels has all of it in the text: exact
sentences, receipts, and what is not proven.
"""

from collections.abc import Iterable
from typing import Any, Final, Protocol

from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import ReadResourceResult, Resource
from mcp.types import TextResourceContents as Text

from veridical.contracts.answer import Answer, Source
from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.contracts.trace import Event
from veridical.messages import message

PANEL: Final = "ui://veridical/answer.html"
PANEL_EXTENSION: Final[dict[str, dict[str, Any]]] = {EXTENSION_ID: {}}
"""What the server advertises."""
PANEL_TOOL: Final[dict[str, Any]] = {"ui": {"resourceUri": PANEL}}
"""Metadata of the tools whose results have a panel."""
PANEL_PART: Final = "veridical/panel"
"""Metadata field of a result with what the panel shows; models don't see it."""
_PAGE: Final[dict[str, Any]] = {"ui": {"csp": {}, "prefersBorder": True}}
_MOST_FACTS = 20
_MOST_SOURCES = 10


class Panels(Protocol):
    """Draws answers for programs that show panels."""

    def page(self, language: Language) -> str:
        """The page without an answer. It loads nothing from anywhere."""
        ...

    def part(self, answer: Answer, events: Iterable[Event]) -> str:
        """What the page shows of this answer; the events of its run say what was caught."""
        ...


def panel_resource(language: Language) -> Resource:
    """The page as resources are listed."""
    return Resource(
        name="answer-panel",
        uri=PANEL,
        description=message("mcp.panel", language),
        mime_type=APP_MIME_TYPE,
        _meta=_PAGE,
    )


def panel_page(panels: Panels, language: Language) -> ReadResourceResult:
    """The page as it is read."""
    page = panels.page(language)
    content = Text(uri=PANEL, mime_type=APP_MIME_TYPE, text=page, _meta=_PAGE)
    return ReadResourceResult(contents=[content])


def panel_part(panels: Panels, answer: Answer, events: Iterable[Event]) -> dict[str, Any]:
    """Metadata of a result: what the panel shows of this answer."""
    return {PANEL_PART: {"html": panels.part(answer, events), "language": answer.language}}


def whole_text(answer: Answer) -> dict[str, Any]:
    """What a panel shows, for clients that read texts: exact sentences, receipts, and what is not
    proven."""
    found: dict[str, Any] = {}
    if answer.facts and answer.facts.facts:
        named = list(answer.facts.facts.items())[:_MOST_FACTS]
        found["exact"] = {name: fact.sentence for name, fact in named}
        open_ones = [
            each.text.strip()
            for each in answer.facts.sentences
            if (each.state is State.OWN or each.marks) and each.text.strip()
        ]
        if open_ones:
            found["notProven"] = open_ones
    if answer.sources:
        found["receipts"] = [_receipt(each) for each in answer.sources[:_MOST_SOURCES]]
    return found


def _receipt(source: Source) -> dict[str, Any]:
    receipt = source.receipt
    found: dict[str, Any] = {"tool": source.tool, "callId": receipt.call_id}
    found |= {"rows": receipt.row_count}
    if receipt.truncated:
        found["truncated"] = True
    if receipt.emptiness:
        found["emptiness"] = receipt.emptiness
    if receipt.kept_at:
        found["keptAt"] = receipt.kept_at.isoformat()
    return found | ({"sql": receipt.sql} if receipt.sql else {})
