"""What the operator wrote down about one requirement, as a step of a run records it."""

from typing import Any

from pydantic import Field

from veridical.contracts.requirements_review import ReviewQuestion
from veridical.contracts.wire import Wire
from veridical.requirements.rewrite.proposal import Proposal

NOT_NEEDED, NOT_EVALUATED = "not_needed", "not_evaluated"
"""What became of a rewrite, beside the status of one that was made."""


class Work(Wire):
    """Scores, suggestions and the rewrite; what a tool could not do is in ``failed``."""

    original_score: float | None = None
    score: float | None = None
    verdict: str = NOT_EVALUATED
    evaluation: tuple[dict[str, Any], ...] = ()
    suggestions: tuple[dict[str, Any], ...] = ()
    corrected_text: str = ""
    status: str = NOT_EVALUATED
    questions: tuple[ReviewQuestion, ...] = ()
    proposal: Proposal | None = None
    """What a model said, asked once: with each answer, the same is bound anew."""
    failed: tuple[str, ...] = Field(default=())
