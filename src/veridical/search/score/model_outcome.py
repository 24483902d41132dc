"""The outcome of the model's part: its scores, and why some are missing."""

from dataclasses import dataclass

from veridical.contracts.search_result import LLMScoredItem

NO_MODEL = "no_model"
SWITCHED_OFF = "switched_off"


@dataclass(frozen=True, slots=True)
class ModelScores:
    """The model's scores, and why some are missing."""

    items: dict[str, LLMScoredItem]
    """By candidate; those without have the heuristic's."""
    fallback: str | None = None
    cache_hit: bool = False
    timed_out: bool = False
