"""Defines a tool from a typed set of arguments: its schema and its check follow from the type."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from veridical.check.arguments import read_arguments
from veridical.contracts.language import Text, in_language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import (
    Arguments,
    JsonSchema,
    SchemaView,
    Tool,
    ToolContext,
    always,
    nothing,
)
from veridical.contracts.violation import Refusal
from veridical.contracts.wire import Wire


class ToolArguments(Wire):
    """Base class of a tool's arguments: ``fiscal_year`` is ``fiscalYear`` to the model, and
    unknown arguments are refused."""


RequestArguments = TypeVar("RequestArguments", bound=Wire)


def define_tool(
    name: str,
    texts: Text,
    arguments: type[RequestArguments],
    run: Callable[[RequestArguments, ToolContext], ToolResult],
    *,
    argument_texts: Mapping[str, Text] | None = None,
    reads: Callable[[RequestArguments], tuple[str, ...]] = nothing,
    available: Callable[[ToolContext], bool] = always,
    passages: tuple[str, ...] = (),
) -> Tool[ToolContext, RequestArguments]:
    """A tool that takes these arguments, read strictly: errors in them go back to the model, and
    ``run`` gets only valid ones.

    ``argument_texts`` has the description of each argument, by the name that the model writes.
    """
    descriptions = argument_texts or {}

    def schema(view: SchemaView, context: ToolContext) -> JsonSchema:
        del view
        return _schema(
            arguments,
            {key: in_language(descriptions[key], context.language) for key in descriptions},
        )

    def check(given: Arguments, context: ToolContext) -> RequestArguments | ToolResult:
        request = read_arguments(arguments, given, context.language)
        return refused(request) if isinstance(request, Refusal) else request

    return Tool(
        name=name,
        texts=texts,
        schema=schema,
        check=check,
        run=run,
        reads=reads,
        available=available,
        passages=passages,
    )


def _schema(arguments: type[Wire], descriptions: Mapping[str, str]) -> JsonSchema:
    made = arguments.model_json_schema(by_alias=True)
    properties: dict[str, Any] = {
        name: {key: value for key, value in each.items() if key != "title"}
        | ({"description": descriptions[name]} if name in descriptions else {})
        for name, each in made.get("properties", {}).items()
    }
    named = {key: value for key, value in made.items() if key not in ("title", "description")}
    return {**named, "properties": properties, "required": made.get("required", [])}
