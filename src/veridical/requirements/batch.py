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
from veridical.requirements.relations.meaning import Near
from veridical.requirements.relations.pairs import detect_duplicates
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.rewrite import rewrite_requirement
from veridical.requirements.token import tokenise
from veridical.requirements.vocabulary import Glossary, Vocabulary, vocabulary

if TYPE_CHECKING:
    from pydantic_ai.models import Model

MODEL_SECONDS = 20.0
"""The seconds that the model has for all items together."""
NOT_EVALUATED = "not_evaluated"
_SAMPLE = 2_000
"""Characters, and texts, that the language is detected from."""
_log = logging.getLogger(__name__)


def texts_language(texts: Sequence[str]) -> Language:
    """The language of the requirements, detected from their beginning."""
    beginning = " ".join(text[:_SAMPLE] for text in texts[:_SAMPLE])[:_SAMPLE]
    return Language(language_of(list(tokenise(beginning))))


def evaluated_item(
    text: str, criteria_keys: Collection[str] | None, language: Language
) -> dict[str, Any]:
    """One evaluation. Raises ``UnknownCriterionError``."""
    return _or_not_evaluated(
        lambda: evaluation_json(evaluate_requirement(text, criteria_keys), language),
        not_evaluated_json(language),
    )


def suggested_items(
    texts: Sequence[str], language: Language, glossary: Glossary | None = None
) -> list[list[dict[str, Any]] | None]:
    """The improvements of each requirement; none where the tool failed."""
    known = vocabulary(texts, glossary)
    return [
        _or_not_evaluated(
            lambda text=text: suggestions_json(evaluate_requirement(text), language, known), None
        )
        for text in texts
    ]


def related_items(
    texts: Sequence[str], language: Language, near: Near | None = None
) -> list[dict[str, Any]]:
    """The pairs that relate, conflicts first."""
    return [pair.as_json(language) for pair in detect_duplicates(texts, near)]


def rewritten_items(
    texts: Sequence[str],
    language: Language,
    proposals: Sequence[Proposal | None] | None = None,
    glossary: Glossary | None = None,
) -> list[dict[str, Any]]:
    """The rewrites in their order, with the answers that the set already has."""
    known = vocabulary(texts, glossary)
    given = proposals or [None] * len(texts)
    return [
        _rewritten_item(place, text, language, proposal, known)
        for place, (text, proposal) in enumerate(zip(texts, given, strict=True), 1)
    ]


def _rewritten_item(
    place: int, text: str, language: Language, proposal: Proposal | None, known: Vocabulary
) -> dict[str, Any]:
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
        lambda: rewrite_json(rewrite_requirement(text, None, proposal), place, language, known),
        broken,
    )


async def proposals(
    texts: Sequence[str], model: "Model | None", seconds: float = MODEL_SECONDS
) -> list[Proposal | None]:
    """The model's proposal for each requirement; none where it was late."""
    if model is None:
        return [None] * len(texts)
    # Imported here because the providers' clients take seconds to load.
    from veridical.requirements.rewrite.model_request import proposed

    replies = await asyncio.gather(*(proposed(text, model, seconds) for text in texts))
    return [each if isinstance(each, Proposal) else None for each in replies]


def _or_not_evaluated(run: Callable[[], Any], otherwise: Any) -> Any:
    """The result of a tool, or ``otherwise`` where it breaks."""
    try:
        return run()
    except ValueError:
        raise  # the caller named something that does not exist
    except Exception:
        _log.exception("a tool for requirements failed")
        return otherwise
