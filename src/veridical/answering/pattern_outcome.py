"""The outcome of a canonical pattern: an answer together with where each piece of it comes from."""

from dataclasses import dataclass

from veridical.agent.request import LoopOutcome
from veridical.contracts.answer import AnswerKind
from veridical.contracts.written import Written


@dataclass(frozen=True, slots=True)
class PatternOutcome(LoopOutcome):
    """Made here alone: neither a model nor the loop around it can say where a word comes from.

    The loop lies in a layer below, and nothing of this is ever read from what somebody sent.
    """

    written: Written = Written(())  # noqa: RUF009 (immutable)

    @property
    def evaluable(self) -> Written | None:
        """The pieces, where they still are what is shown; none for a text that was replaced."""
        is_own = self.kind is AnswerKind.PATTERN and self.text == self.written.text
        return self.written if is_own and len(self.sources) == 1 else None
