"""A model's arguments read strictly, as a call or as any other value; their faults are returned
like any other violation."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from veridical.contracts.call import AggregateCall, BrowseCall, Call, MetricCall, QueryCall, SqlCall
from veridical.contracts.language import Language
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import Refusal, Violation, malformed
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest

Model = TypeVar("Model", bound=Wire)

_WORDED = frozenset(
    {"missing", "extra_forbidden", "tuple_type", "literal_error", "greater_than_equal"}
)
_LONGEST_NAME = 40
_CALLS: tuple[type[Call], ...] = get_args(Call)
_BY_TOOL: dict[str, type[Call]] = {
    str(kind.model_fields["tool"].default): kind
    for kind in (BrowseCall, QueryCall, AggregateCall, MetricCall, SqlCall)
}
_TOOLS = tuple(_BY_TOOL)
_BY_ARGUMENT: tuple[tuple[str, type[Call]], ...] = (
    ("sql", SqlCall),
    ("metrics", MetricCall),
    ("aggregate", AggregateCall),
)
"""The kind of a call without a tool's name, by an argument that no other kind has."""


def read_arguments(model: type[Model], arguments: Arguments, language: Language) -> Model | Refusal:
    """The arguments as this kind of value, or all their faults."""
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


def call_of(request: object, language: Language) -> Call | Refusal:
    """The call that this is, or why it is none."""
    if isinstance(request, _CALLS):
        return request
    if isinstance(request, str):
        return read_arguments(SqlCall, {"sql": request}, language)
    if isinstance(request, Mapping):
        given = {str(name): value for name, value in _pairs(request)}
        tool = given.get("tool", "")
        if tool and tool not in _TOOLS:
            text = hint("tools.unknown_tool", language, name=str(tool))
            return malformed("tool", text, nearest(str(tool), _TOOLS, 60))
        return read_arguments(_kind_of(given), given, language)
    return malformed(None, hint("tools.not_a_call", language, name=type(request).__name__))


def _kind_of(given: Mapping[str, Any]) -> type[Call]:
    named = _BY_TOOL.get(given.get("tool", ""))
    if named is not None:
        return named
    found = (kind for argument, kind in _BY_ARGUMENT if argument in given)
    return next(found, QueryCall)


def _pairs(mapping: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return mapping.items()
