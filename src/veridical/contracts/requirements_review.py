"""The review of requirements by a team: what is to be reviewed, and what came of it."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from veridical.contracts.wire import Wire

MOST_REQUIREMENTS = 5_000
"""Of one review: a run keeps what it has done so far, and reads it again after a restart."""
MOST_QUESTIONS = 60
"""Of one review; each of them may end the run, to go on when somebody has answered."""
LONGEST_REQUIREMENT = 8_000

RequirementText = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_REQUIREMENT, pattern=r"^[^\x00]*$")
]


class ReviewTask(Wire):
    """Requirements for the team."""

    requirements: tuple[RequirementText, ...] = Field(min_length=1, max_length=MOST_REQUIREMENTS)
    criteria_keys: tuple[str, ...] = ()
    """By which to score; all where none is named."""
    ask_criteria: bool = False
    """Ask which criteria to check before anything is checked."""
    most_questions: int = Field(default=20, ge=0, le=MOST_QUESTIONS)
    """How many questions people are asked in all; what is left stays open in the outcome."""
    seconds: float = Field(default=900.0, gt=0)
    """How long the team may work; the time in which it waits for people does not count."""


class Speaker(StrEnum):
    """Whose turn it is."""

    OPERATOR = "operator"
    CLARIFIER = "clarifier"
    VALIDATOR = "validator"


class SignalKind(StrEnum):
    """How a turn ends."""

    READY_FOR_VALIDATION = "READY_FOR_VALIDATION"
    NEED_USER_CLARIFICATION = "NEED_USER_CLARIFICATION"
    USER_PROVIDED = "USER_PROVIDED"
    """the clarifier passes on what the user said"""
    NOT_PROVIDED = "NOT_PROVIDED"
    """nobody answered, or somebody declined to"""
    APPROVE = "APPROVE"
    NOT_APPROVED = "NOT_APPROVED"


class Issue(StrEnum):
    """Why the validator does not approve."""

    NOT_EVALUATED = "not_evaluated"
    SCORES_DIFFER = "scores_differ"
    """what the operator wrote down is not what the re-check finds"""
    NOT_IMPROVED = "not_improved"
    INVENTED = "invented"
    NO_DUPLICATE_CHECK = "no_duplicate_check"
    CONTRADICTED = "contradicted"
    OPEN_QUESTIONS = "open_questions"
    TURNS_USED_UP = "turns_used_up"
    TIME_USED_UP = "time_used_up"


class ReviewTurn(Wire):
    """One turn of the team about one requirement."""

    speaker: Speaker
    signal: SignalKind
    about: str = ""
    """What was asked or answered, by the question's key."""


class ReviewQuestion(Wire):
    """What only the author knows."""

    key: str
    question: str
    suggested_answers: tuple[str, ...] = ()


class ReviewedRequirement(Wire):
    """What the team made of one requirement."""

    id: int
    """From 1, in the order of the task."""
    original_text: str
    corrected_text: str
    status: str
    """Of the rewrite: accepted, needs_answers, rejected, not_needed or not_evaluated."""
    original_score: float | None
    score: float | None
    verdict: str
    evaluation: tuple[dict[str, Any], ...]
    suggestions: tuple[dict[str, Any], ...]
    questions: tuple[ReviewQuestion, ...]
    """Those that are open."""
    answers: dict[str, str]
    """What people said, by the key of what they were asked."""
    approved: bool
    issues: tuple[Issue, ...]
    turns: tuple[ReviewTurn, ...]
    failed_tools: tuple[str, ...] = ()
    """What could not be done; nothing is known about what they would have found."""


class ReviewOutcome(Wire):
    """What came of a review."""

    criteria: tuple[str, ...]
    requirements: tuple[ReviewedRequirement, ...]
    duplicates: tuple[dict[str, Any], ...] | None
    """Pairs that say the same, contradict or vary each other; none where that was not checked."""
    questions_asked: int
