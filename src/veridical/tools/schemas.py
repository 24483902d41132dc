"""The tools as function schemas in the convention that every model provider reads."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from veridical.check.checker import Checker
from veridical.contracts.caller import Caller
from veridical.contracts.enums import Enums
from veridical.contracts.language import Language, in_language
from veridical.contracts.tool import Context, JsonSchema, SchemaView, Tool
from veridical.ontology.catalog import Catalog
from veridical.tools.context import DataContext
from veridical.tools.file_shelf import FileShelf
from veridical.tools.registry import BUILT_IN


def function_schema(tool: Tool[Context, Any], view: SchemaView, context: Context) -> JsonSchema:
    """One tool as a function, with the names that a call may use as closed lists."""
    text = in_language(tool.texts, context.language)
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": f"{text}{tool.note(view, context)}",
            "parameters": tool.schema(view, context),
        },
    }


def tool_schemas(
    enums: Enums,
    names: Iterable[str],
    language: Language = Language.EN,
    files: tuple[str, ...] = (),
    *,
    lean: bool = False,
) -> list[JsonSchema]:
    """The schemas of built-in tools without any data behind them, for documents.

    Lean schemas leave out the fields and the notes on failures.
    """
    context = DataContext(
        caller=Caller(language=language),
        checker=Checker(Catalog()),
        files=FileShelf({name: Path(name) for name in files}),
    )
    tools = {tool.name: tool for tool in BUILT_IN}
    return [function_schema(tools[name], SchemaView(enums, lean), context) for name in names]
