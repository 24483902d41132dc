"""The outcome of a canonical pattern: an answer together with where each piece of it comes from."""

from dataclasses import dataclass

from veridical.agent.request import LoopOutcome
from veridical.contracts.answer import AnswerKind
from veridical.contracts.written import Written


@dataclass(frozen=True, slots=True)
class PatternOutcome(LoopOutcome):
    """Made only here: neither a model nor the loop around it can state the origin of a word.

    The loop lies in a layer below, and none of this is ever read from input.
    """

    written: Written = Written(())  # noqa: RUF009 (immutable)

    @property
    def evaluable(self) -> Written | None:
        """The pieces, where they still are what is shown; none for a text that was replaced."""
        is_own = self.kind is AnswerKind.PATTERN and self.text == self.written.text
        return self.written if is_own and len(self.sources) == 1 else None
