"""A finished run: its record and its trace."""

from dataclasses import dataclass

from veridical.agent.failure import FailureCode
from veridical.contracts.answer import AnswerKind
from veridical.contracts.trace import AgentTrace, ModelCalled
from veridical.evals.scoring.record import RunRecord

_MODEL_IS_AWAY = frozenset(
    {
        FailureCode.CONNECTION,
        FailureCode.AUTHENTICATION,
        FailureCode.NOT_FOUND,
        FailureCode.QUOTA,
        FailureCode.BUSY,
    }
)


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A finished run: its record and its trace."""

    record: RunRecord
    trace: AgentTrace
    texts: tuple[str, ...] = ()
    """The trace's events as they are kept, where they are written already."""

    @property
    def model_is_away(self) -> bool:
        """Whether it says nothing about the model, which could not be asked."""
        asked = [event for event in self.trace.events if isinstance(event, ModelCalled)]
        error = (asked[-1].error or "") if asked else ""
        return self.record.kind is AnswerKind.FAILED and error.split(" ")[0] in _MODEL_IS_AWAY
