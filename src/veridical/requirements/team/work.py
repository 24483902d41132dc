"""The operator's results for one requirement, as a step of a run records them."""

from typing import Any

from pydantic import Field

from veridical.contracts.requirements_review import ReviewQuestion
from veridical.contracts.wire import Wire
from veridical.requirements.rewrite.proposal import Proposal

NOT_NEEDED, NOT_EVALUATED = "not_needed", "not_evaluated"
"""States without a rewrite, beside the status of a rewrite."""


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
    """The model's only proposal: it is bound again with each answer."""
    failed: tuple[str, ...] = Field(default=())
