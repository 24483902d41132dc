"""Many requirements at once for callers that wait: each item by itself, and all within a time.

An item whose tool fails is "not evaluated" and takes no other with it; a model that is late is not
waited for, and its item is rewritten by template.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from veridical.contracts.language import Language
from veridical.requirements.contract import (
    evaluation_json,
    not_evaluated_json,
    rewrite_json,
    suggestions_json,
)
from veridical.requirements.evaluation import evaluate_requirement
from veridical.requirements.language import language_of
from veridical.requirements.relations.pairs import detect_duplicates
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.rewrite import rewrite_requirement
from veridical.requirements.token import tokenise

if TYPE_CHECKING:
    from pydantic_ai.models import Model

MODEL_SECONDS = 20.0
"""How long the model may take for all items together."""
NOT_EVALUATED = "not_evaluated"
_TOLD_BY = 2_000
"""How much of the texts tells their language."""
_log = logging.getLogger(__name__)


def spoken(texts: Sequence[str]) -> Language:
    """The language that requirements are written in, told by the first of their words."""
    beginning = " ".join(text[:_TOLD_BY] for text in texts[:_TOLD_BY])[:_TOLD_BY]
    return Language(language_of(list(tokenise(beginning))))


def evaluated_item(
    text: str, criteria_keys: Collection[str] | None, language: Language
) -> dict[str, Any]:
    """One evaluation. Raises ``UnknownCriterionError``."""
    return _or_not_evaluated(
        lambda: evaluation_json(evaluate_requirement(text, criteria_keys), language),
        not_evaluated_json(language),
    )


def suggested_item(text: str, language: Language) -> list[dict[str, Any]] | None:
    """The improvements of one requirement; none where they could not be found out."""
    return _or_not_evaluated(lambda: suggestions_json(evaluate_requirement(text), language), None)


def related_items(texts: Sequence[str], language: Language) -> list[dict[str, Any]]:
    """The pairs that relate, conflicts first."""
    return [pair.as_json(language) for pair in detect_duplicates(texts)]


def rewritten_item(
    place: int, text: str, language: Language, proposal: Proposal | None = None
) -> dict[str, Any]:
    """One rewrite, its place from 1."""
    broken = {
        "id": place,
        "originalText": text,
        "correctedText": text,
        "status": NOT_EVALUATED,
        "questions": [],
        "author": "",
        **not_evaluated_json(language),
    }
    return _or_not_evaluated(
        lambda: rewrite_json(rewrite_requirement(text, None, proposal), place, language), broken
    )


async def proposals(
    texts: Sequence[str], model: "Model | None", seconds: float = MODEL_SECONDS
) -> list[Proposal | None]:
    """What a model says about each requirement; none where it was late."""
    if model is None:
        return [None] * len(texts)
    # Imported here because the providers' clients take seconds to load.
    from veridical.requirements.rewrite.model_request import proposed

    said = await asyncio.gather(*(proposed(text, model, seconds) for text in texts))
    return [each if isinstance(each, Proposal) else None for each in said]


def _or_not_evaluated(run: Callable[[], Any], otherwise: Any) -> Any:
    """What a tool gives; where it breaks, that nothing was evaluated."""
    try:
        return run()
    except ValueError:
        raise  # what the caller asked for is not there
    except Exception:
        _log.exception("a tool for requirements failed")
        return otherwise
