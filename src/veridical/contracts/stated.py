"""An answer in facts from outside: the host's text, or why there is none."""

from pydantic import Field

from veridical.contracts.facts_answer import StatedFact, StatedSentence
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


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
