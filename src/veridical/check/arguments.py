"""A model's arguments read strictly; what is wrong with them goes back like any other violation."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from veridical.contracts.language import Language
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import Refusal, Violation, malformed
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest

Asked = TypeVar("Asked", bound=Wire)

_WORDED = frozenset(
    {"missing", "extra_forbidden", "tuple_type", "literal_error", "greater_than_equal"}
)
_LONGEST_NAME = 40


def read_arguments(model: type[Asked], arguments: Arguments, language: Language) -> Asked | Refusal:
    """The arguments as this kind of value, or all that is wrong with them."""
    given = as_object(arguments)
    if given is None:
        return malformed(None, message("tools.not_an_object", language))
    try:
        return model.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=True, include_input=True)
        violations = [_violation(each, model, language) for each in found]
        return Refusal(violations=tuple(dict.fromkeys(violations)))


def as_object(arguments: Arguments) -> dict[str, Any] | None:
    """The JSON object that these arguments are; none when they are something else."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return None
    return dict(arguments) if isinstance(arguments, Mapping) else None


def argument_names(model: type[Wire]) -> Iterable[str]:
    """The names under which a model's arguments arrive."""
    return (field.alias or name for name, field in model.model_fields.items() if name != "tool")


def _violation(error: ErrorDetails, model: type[Wire], language: Language) -> Violation:
    path = ".".join(str(part) for part in error["loc"])[:_LONGEST_NAME]
    kind = error["type"] if error["type"] in _WORDED else "other"
    context = error.get("ctx", {})
    suggestion = None
    if kind == "extra_forbidden" and len(error["loc"]) == 1:
        suggestion = nearest(path, argument_names(model), 60)
    if kind == "literal_error":
        suggestion = _literal(error["input"], str(context.get("expected", "")))
    filled = {"name": path, "expected": "", "ge": 1, **context}
    return malformed(path, hint(f"tools.{kind}", language, **filled), suggestion).primary


def _literal(given: object, expected: str) -> str | None:
    """The allowed word that was meant: pydantic lists them as ``'asc' or 'desc'``."""
    words = [word for word in expected.split("'") if word.strip(" ,or")]
    return nearest(given, words, 50) if isinstance(given, str) else None
