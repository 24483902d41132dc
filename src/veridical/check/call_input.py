"""Calls as people hand them to the check: a call, SQL as text, or a JSON object."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from veridical.check.arguments import read_arguments
from veridical.contracts.call import (
    AggregateCall,
    BrowseCall,
    Call,
    MetricCall,
    QueryCall,
    SqlCall,
)
from veridical.contracts.language import Language
from veridical.contracts.violation import Refusal, malformed
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest

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
"""What a call without a tool's name is, by an argument that no other kind has."""


def call_of(asked: object, language: Language) -> Call | Refusal:
    """The call that this is, or why it is none."""
    if isinstance(asked, _CALLS):
        return asked
    if isinstance(asked, str):
        return read_arguments(SqlCall, {"sql": asked}, language)
    if isinstance(asked, Mapping):
        given = {str(name): value for name, value in _pairs(asked)}
        tool = given.get("tool", "")
        if tool and tool not in _TOOLS:
            told = hint("tools.unknown_tool", language, name=str(tool))
            return malformed("tool", told, nearest(str(tool), _TOOLS, 60))
        return read_arguments(_kind_of(given), given, language)
    return malformed(None, hint("tools.not_a_call", language, name=type(asked).__name__))


def _kind_of(given: Mapping[str, Any]) -> type[Call]:
    named = _BY_TOOL.get(given.get("tool", ""))
    if named is not None:
        return named
    found = (kind for argument, kind in _BY_ARGUMENT if argument in given)
    return next(found, QueryCall)


def _pairs(mapping: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return mapping.items()
