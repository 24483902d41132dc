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
    """Base class of a tool's arguments: ``fiscal_year`` is ``fiscalYear`` to the model, and an
    argument that there is not is refused."""


Asked = TypeVar("Asked", bound=Wire)


def define_tool(
    name: str,
    texts: Text,
    arguments: type[Asked],
    run: Callable[[Asked, ToolContext], ToolResult],
    *,
    argument_texts: Mapping[str, Text] | None = None,
    reads: Callable[[Asked], tuple[str, ...]] = nothing,
    available: Callable[[ToolContext], bool] = always,
    passages: tuple[str, ...] = (),
) -> Tool[ToolContext, Asked]:
    """A tool that takes these arguments, read strictly: what is wrong with them goes back to the
    model, and ``run`` gets only what fits.

    ``argument_texts`` says what each argument means, by the name that the model writes.
    """
    told = argument_texts or {}

    def schema(view: SchemaView, context: ToolContext) -> JsonSchema:
        del view
        return _schema(arguments, {key: in_language(told[key], context.language) for key in told})

    def check(given: Arguments, context: ToolContext) -> Asked | ToolResult:
        asked = read_arguments(arguments, given, context.language)
        return refused(asked) if isinstance(asked, Refusal) else asked

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


def _schema(arguments: type[Wire], told: Mapping[str, str]) -> JsonSchema:
    made = arguments.model_json_schema(by_alias=True)
    properties: dict[str, Any] = {
        name: {key: value for key, value in each.items() if key != "title"}
        | ({"description": told[name]} if name in told else {})
        for name, each in made.get("properties", {}).items()
    }
    named = {key: value for key, value in made.items() if key not in ("title", "description")}
    return {**named, "properties": properties, "required": made.get("required", [])}
