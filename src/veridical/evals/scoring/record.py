"""The record of one run, and the finished run with its trace."""

from dataclasses import dataclass
from enum import StrEnum

from veridical.agent.failure import FailureCode
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.trace import AgentTrace, ModelCalled
from veridical.contracts.wire import Wire
from veridical.evals.gold.case import Difficulty, Expected
from veridical.evals.modes.mode import ModeName
from veridical.trace.counters import Counters


class Outcome(StrEnum):
    """The outcome of a run for its asker."""

    CORRECT = "correct"
    REFUSED = "refused"
    """no answer, and no false statement"""
    WRONG = "wrong"


class Score(Wire):
    """The score of one run."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    """Why it is not correct: stable codes with the values, such as ``missing 889300.18``."""
    pattern_compliant: bool | None = None
    """True if the expected call was made; none where the case expects no particular one."""
    forbidden_tools: tuple[str, ...] = ()
    """Forbidden tools that were called with success."""
    numeric_correct: bool | None = None
    """None where the case expects no figures."""


class RunKey(Wire):
    """The identity of a run: the same key is never run twice."""

    case: str
    mode: ModeName
    repeat: int = 0


class RunRecord(Wire):
    """One run with its score."""

    key: RunKey
    question: str
    language: Language
    difficulty: Difficulty
    traps: tuple[str, ...] = ()
    expected: Expected
    kind: AnswerKind
    text: str
    score: Score
    counters: Counters
    failure_codes: tuple[str, ...] = ()
    """The codes of refused calls and of blocked answers, in their order."""
    overcome: bool | None = None
    """True if a call worked in a later round than a refused one; none where none was refused."""
    repaired_at_once: bool | None = None
    """True if one worked in the very next round."""
    rounds: int = 0
    timed_out: bool = False
    detail: str = ""
    """The reason for an early end, with the limit: ``timeout after 45 s (easy)``."""
    trace_id: str = ""


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
        """True when the model was out of reach, so that the run says nothing about it."""
        calls = [event for event in self.trace.events if isinstance(event, ModelCalled)]
        error = (calls[-1].error or "") if calls else ""
        return self.record.kind is AnswerKind.FAILED and error.split(" ")[0] in _MODEL_IS_AWAY
