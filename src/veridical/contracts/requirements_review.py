"""The review of requirements by a team: the task and its outcome."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from veridical.contracts.wire import Wire

MOST_REQUIREMENTS = 5_000
"""Of one review: a run keeps what it has done so far, and reads it again after a restart."""
MOST_QUESTIONS = 60
"""Of one review; each of them may end the run, which continues after the answer."""
LONGEST_REQUIREMENT = 8_000

RequirementText = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_REQUIREMENT, pattern=r"^[^\x00]*$")
]


class ReviewTask(Wire):
    """Requirements for the team."""

    requirements: tuple[RequirementText, ...] = Field(min_length=1, max_length=MOST_REQUIREMENTS)
    criteria_keys: tuple[str, ...] = ()
    """The criteria to score by; all where none is named."""
    ask_criteria: bool = False
    """Ask which criteria to check before anything is checked."""
    most_questions: int = Field(default=20, ge=0, le=MOST_QUESTIONS)
    """The most questions to people in all; the rest stays open in the outcome."""
    seconds: float = Field(default=900.0, gt=0)
    """The seconds that the team may work; waiting for people does not count."""


class Speaker(StrEnum):
    """The role that has the turn."""

    OPERATOR = "operator"
    CLARIFIER = "clarifier"
    VALIDATOR = "validator"


class SignalKind(StrEnum):
    """The end of a turn."""

    READY_FOR_VALIDATION = "READY_FOR_VALIDATION"
    NEED_USER_CLARIFICATION = "NEED_USER_CLARIFICATION"
    USER_PROVIDED = "USER_PROVIDED"
    """the clarifier passes on the user's answer"""
    NOT_PROVIDED = "NOT_PROVIDED"
    """no answer, or declined"""
    APPROVE = "APPROVE"
    NOT_APPROVED = "NOT_APPROVED"


class Issue(StrEnum):
    """Why the validator does not approve."""

    NOT_EVALUATED = "not_evaluated"
    SCORES_DIFFER = "scores_differ"
    """the operator's score is not that of the re-check"""
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
    """The key of the question that the turn is about."""


class ReviewQuestion(Wire):
    """A question that only the author can answer."""

    key: str
    question: str
    suggested_answers: tuple[str, ...] = ()
    shared: str = ""
    """Questions of other requirements with the same text here are answered along with it."""


class ReviewedRequirement(Wire):
    """The team's result for one requirement."""

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
    """The open questions."""
    answers: dict[str, str]
    """The answers of people, by the key of the question."""
    approved: bool
    issues: tuple[Issue, ...]
    turns: tuple[ReviewTurn, ...]
    failed_tools: tuple[str, ...] = ()
    """Tools that failed; what they would have found is unknown."""


class ReviewOutcome(Wire):
    """The outcome of a review."""

    criteria: tuple[str, ...]
    requirements: tuple[ReviewedRequirement, ...]
    duplicates: tuple[dict[str, Any], ...] | None
    """Pairs that say the same, contradict or vary each other; none where that was not checked."""
    questions_asked: int
