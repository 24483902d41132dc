"""Model names under which chat clients see features."""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.openai.error import BadRequestError

PREFIX = "veridical:"
MODEL = r"^[A-Za-z0-9_.:/-]{1,200}$"


def as_model(feature: str) -> str:
    """The feature as a model."""
    return f"{PREFIX}{feature}"


def as_feature(model: str, known: Sequence[str], language: Language) -> str:
    """The feature that this model is. Raises ``BadRequestError``, naming those that there are."""
    feature = model.removeprefix(PREFIX)
    if feature == model or feature not in known:
        names = ", ".join(map(as_model, known)) or "-"
        text = message("openai.no_model", language, model=model[:80], known=names)
        raise BadRequestError(text, "model", "model_not_found", 404)
    return feature
