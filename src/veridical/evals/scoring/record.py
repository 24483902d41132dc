"""The record of one scored run: question, mode, outcome and usage."""

from enum import StrEnum

from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.evals.gold.case import Difficulty, Expected
from veridical.evals.modes.mode import ModeName
from veridical.trace.counters import Counters


class Outcome(StrEnum):
    """How a run ended, for the person who asked."""

    CORRECT = "correct"
    REFUSED = "refused"
    """no answer, and nothing false said"""
    WRONG = "wrong"


class Score(Wire):
    """The score of one run."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    """Why it is not correct: stable codes with the values, such as ``missing 889300.18``."""
    pattern_compliant: bool | None = None
    """Whether the expected call was made; none where the case expects no particular one."""
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
    """Whether a call worked in a later round than a refused one; none where none was refused."""
    repaired_at_once: bool | None = None
    """Whether one worked in the very next round."""
    rounds: int = 0
    timed_out: bool = False
    detail: str = ""
    """What ended the run early, with the limit: ``timeout after 45 s (easy)``."""
    trace_id: str = ""
