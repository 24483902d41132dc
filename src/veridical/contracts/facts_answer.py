"""An answer in facts as a reader gets it: sentences with their authors and their facts."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


class Show(StrEnum):
    """The parts of an answer in facts that are shown."""

    EXACT = "exact"
    """only the host's own sentences and tables"""
    REVIEWED = "reviewed"
    """prose; a sentence that was flagged makes room for the exact ones of its facts"""
    MARKED = "marked"
    """prose; a sentence that was flagged carries a mark"""


class State(StrEnum):
    """The author of a sentence's words."""

    EXACT = "exact"
    """the host's own"""
    PROVEN = "proven"
    """its figures are the host's, its words the model's"""
    OWN = "own"
    """the model's own words: no fact"""


class Mark(Wire):
    """The reason why a sentence was flagged. A reviewer's opinion proves nothing either way."""

    by: Literal["check", "reviewer"]
    code: str = ""
    """The code of a check."""
    said: str = ""
    """The words in question."""
    why: str = ""
    """In the reader's language, or in the reviewer's words."""


class SlotPrint(Wire):
    """The printed value of a slot: its place in the sentence, and the part of the fact."""

    start: int
    end: int
    fact: str
    part: str


class StatedSentence(Wire):
    """One sentence as it is shown; all of them together are the text."""

    text: str
    state: State
    facts: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    slots: tuple[SlotPrint, ...] = ()
    replaces: str = ""
    """The words of the model that it is shown instead of."""


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
    """The fact in the host's words."""
    claim: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Form, result, arguments and values: enough to compute it again."""
    cells: tuple[FactCell, ...] = ()
    """The first ones where there are many."""
    cells_left_out: int = 0


class ShownColumn(Wire):
    """One column of a fact's rows as the host prints it."""

    label: str = ""
    texts: tuple[str, ...] = ()
    values: tuple[float | None, ...] = ()
    """The figures in the units that they are printed in; empty for a column of texts."""
    units: tuple[str, ...] = ()
    """The unit of all figures, or of each where they differ; empty for bare numbers."""


class ShownFact(Wire):
    """The figures of a fact as the host prints them: what leads an answer, and what is drawn."""

    title: str = ""
    """The known question, or the arguments of the call, that they answer."""
    names: tuple[str, ...] = ()
    """The name of each row; empty where there is one without a name."""
    over_time: bool = False
    """True if the names are times in their order."""
    columns: tuple[ShownColumn, ...] = ()
    left_out: int = 0
    """Further rows."""
    figures: tuple[str, ...] = ()
    """What a sentence about the fact may print besides these cells."""


class Flag(Wire):
    """A sentence that says more or other than the facts, in a reviewer's opinion."""

    sentence: int
    """From 0, among the sentences that were written."""
    why: str = ""


class FactsReview(Wire):
    """A second reader's review of the prose beside the exact sentences. No part of the proof."""

    by: str
    """The model's name."""
    done: bool
    """False where the reviewer failed or could not be understood: then there was no review."""
    reason: str = ""
    """Why not."""
    flags: tuple[Flag, ...] = ()
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    elapsed_ms: float = 0.0


class FactsAnswer(Wire):
    """An answer in facts."""

    policy: Show
    sentences: tuple[StatedSentence, ...] = ()
    facts: dict[str, StatedFact] = Field(default_factory=dict[str, StatedFact])
    shown: dict[str, ShownFact] = Field(
        default_factory=dict[str, ShownFact], exclude_if=lambda found: not found
    )
    """The figures of the same facts."""
    notes: tuple[str, ...] = ()
    """The host's notes to the whole answer."""
    basis: tuple[str, ...] = ()
    """The content of each result that the facts rest on, in the host's words; empty where all of
    the answer is."""
    review: FactsReview | None = None
    """None without a reviewer."""

    @property
    def text(self) -> str:
        """The answer as it is shown."""
        prose = "".join(each.text for each in self.sentences)
        return "\n\n".join(filter(None, (prose, *self.notes)))


class Refused(Wire):
    """The reason why an answer goes back to its author, with advice."""

    code: str
    said: str
    """The fact, the slot or the words that it is about."""
    reason: str = ""
    """Of a fact or a slot: why it has no value."""
    hint: str
    """In the language of the answer."""


class StatedAnswer(Wire):
    """An answer in facts: computed and filled in by the host, or refused."""

    accepted: bool
    language: Language
    text: str = ""
    """The prose with its slots filled and the host's notes; empty for one that is refused."""
    sentences: tuple[StatedSentence, ...] = ()
    notes: tuple[str, ...] = ()
    """The host's notes to the whole answer."""
    facts: dict[str, StatedFact] = Field(default_factory=dict[str, StatedFact])
    """Those that the text uses, also of one that is refused: their sentences are exact."""
    refused: tuple[Refused, ...] = ()
    """Every reason, each once; empty for one that is accepted."""
