"""An answer in facts as a reader gets it: its sentences, whose words they are, and their basis."""

from typing import Any, Literal

from pydantic import Field

from veridical.contracts.wire import Wire


class Mark(Wire):
    """Why a sentence was flagged. A reviewer's opinion proves nothing either way."""

    by: Literal["check", "reviewer"]
    code: str = ""
    """Of a check."""
    said: str = ""
    """The words in question."""
    why: str = ""
    """In the reader's language, or in the reviewer's words."""


class StatedSentence(Wire):
    """One sentence as it is shown; all of them together are the text."""

    text: str
    state: str
    """``exact``: the host's own; ``proven``: figures of facts in the author's words; ``own``: the
    author's words, no fact."""
    facts: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()


class FactCell(Wire):
    """One cell that a fact rests on."""

    result: str
    """``r1``, ``r2`` …"""
    row: int
    """From 0."""
    column: str


class StatedFact(Wire):
    """A fact that the answer uses."""

    form: str
    sentence: str
    """What it says, in the host's words."""
    claim: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Form, result, arguments and values: enough to compute it again."""
    cells: tuple[FactCell, ...] = ()
    """The first ones where there are many."""
    cells_left_out: int = 0
