"""All tools for one caller, behind one call that never raises for arguments of a model."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.check.checker import Checker
from veridical.check.from_call import AGGREGATES, OPERATORS
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language, in_language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import (
    Arguments,
    Context,
    Enums,
    JsonSchema,
    OutsideTool,
    SchemaView,
    Tool,
    ToolContext,
)
from veridical.contracts.violation import Code, malformed
from veridical.engines import Engine
from veridical.messages import message
from veridical.messages.hints import HINT_LENGTH, hint
from veridical.ontology.catalog import Catalog
from veridical.ontology.enums import compile_enums
from veridical.ontology.nearest import nearest
from veridical.ontology.prompt import DEFAULT_BUDGET
from veridical.ontology.slice import OntologyIndex, slice_ontology
from veridical.tools.context import DataContext, Run
from veridical.tools.describe import DESCRIBE
from veridical.tools.evidence_shelf import EvidenceShelf
from veridical.tools.file_shelf import FileShelf, OpenedFiles
from veridical.tools.files import ANALYZE_DATAFRAME, INSPECT_FILE
from veridical.tools.outside import recorded
from veridical.tools.registry import BUILT_IN, distinct
from veridical.tools.repertoire import Repertoire

Observer = Callable[[str, Arguments, ToolResult], None]
"""Gets every call and its result, to write a trace."""

_MOST_TABLES = 200
"""Longer lists of names make poor closed lists; the question then selects them."""
_LEAN_BELOW = 2_000
"""Below this budget for the ontology, the schemas leave out the fields."""


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with the context in which this caller calls it."""

    tool: Tool[Any, Any]
    context: ToolContext


@dataclass(frozen=True)
class Toolbox:
    """The tools of this caller: on tables if there is an engine, on files if there are any, on
    metrics if a semantic layer runs them."""

    checker: Checker
    engine: Engine | None = None
    caller: Caller = Caller()  # noqa: RUF009 (immutable)
    files: FileShelf | OpenedFiles | None = None
    semantic_layer: Run | None = None
    index: OntologyIndex | None = None
    observer: Observer | None = None
    known: Repertoire | None = None
    """The canonical questions that can be called by name; they run on the engine."""
    evidence: EvidenceShelf | None = None
    """The collections of documents that can be searched."""
    only: tuple[str, ...] = ()
    """The offered tools; all available ones if empty."""
    tools: Sequence[OutsideTool] = ()
    """Tools beside the built-in ones: of the feature's pack, or of an embedding program."""
    requirements: bool = False
    """True if the tools that review requirements are offered."""
    describes: bool = True
    """True if the tool that describes the data is offered; it reads the index."""
    settles: bool = True
    """True if equal rows settle a refusal: for what is asked once, not for what is kept."""
    prefix: str = ""
    """The prefix of the tools' names, if there are tools of other data too."""

    def __post_init__(self) -> None:
        """Raises ``ToolNameError`` for an ambiguous tool name."""
        distinct(self.tools)

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that are offered."""
        return tuple(each.tool.name for each in self._offered())

    def find(self, name: str, question: str = "") -> BoundTool | None:
        """The offered tool of this name."""
        return next(self._offered(question, name), None)

    def call(self, name: str, arguments: Arguments, question: str = "") -> ToolResult:
        """The result of one tool call. Bad arguments come back as ``errorDetails``."""
        result = self._dispatch(name, arguments, question)
        if self.observer is not None:
            self.observer(name, arguments, result)
        return result

    def schemas(
        self,
        question: str = "",
        budget_tokens: int = DEFAULT_BUDGET,
        *,
        lean: bool = False,
        flat: bool = False,
        most_tables: int = _MOST_TABLES,
    ) -> list[dict[str, Any]]:
        """The tools as function schemas in the caller's language; lean for a small context,
        flat for callers that no grammar holds to them."""
        enums = self.enums(question, most_tables)
        view = SchemaView(enums, lean=lean or budget_tokens < _LEAN_BELOW, flat=flat)
        return [function_schema(each.tool, view, each.context) for each in self._offered(question)]

    def enums(self, question: str = "", most_tables: int = _MOST_TABLES) -> Enums:
        """The closed lists for the schemas."""
        catalog = self.checker.visible_to(self.caller)
        only = None
        if len(catalog.tables) > most_tables:
            only = self._tables_for(question)
        return compile_enums(catalog, AGGREGATES, OPERATORS, only=only)

    def _tables_for(self, question: str) -> set[str]:
        if self.index is None or not question:
            return set()
        needed = slice_ontology(self.index, question)
        entities = (self.index.entities[name] for name in (*needed.core, *needed.near))
        return {entity.table for entity in entities if entity.table}

    def _offered(self, question: str = "", name: str | None = None) -> Iterator[BoundTool]:
        """The built-in tools of this caller, then the others, or the one of this name. An outside
        tool gets the caller and the question, but neither the check nor the engine."""
        data = DataContext(
            self.caller,
            question,
            checker=self.checker,
            engine=self.engine,
            files=self.files,
            semantic_layer=self.semantic_layer,
            known=self.known,
            evidence=self.evidence,
            requirements=self.requirements,
            index=self.index,
            describes=self.describes,
            settles=self.settles,
        )
        for tool in BUILT_IN:
            if self._may_offer(tool.name, name) and tool.available(data):
                yield BoundTool(tool, data)
        plain = ToolContext(self.caller, question)
        for outside in self.tools:
            if self._may_offer(outside.name, name):
                kept = recorded(outside, self.checker.catalog.ontology_hash)
                if kept.available(plain):
                    yield BoundTool(kept, plain)

    def _may_offer(self, name: str, wanted: str | None) -> bool:
        return (wanted is None or name == wanted) and (not self.only or name in self.only)

    def _dispatch(self, name: str, arguments: Arguments, question: str) -> ToolResult:
        found = self.find(name, question)
        if found is None:
            text = hint("tools.unknown_tool", self.caller.language, name=name)
            return refused(malformed("name", text, nearest(name, self.names)))
        checked = found.tool.check(arguments, found.context)
        if isinstance(checked, ToolResult):
            language = self.caller.language
            return with_next_step(checked, name, self.names, self.prefix, language)
        return found.tool.run(checked, found.context)


_BROWSE = "browseTable"
_SHOWN_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    Code.FIELD_NOT_FOUND: ("see_fields", (DESCRIBE, _BROWSE)),
    Code.TABLE_NOT_FOUND: ("see_tables", (DESCRIBE,)),
    Code.FUNCTION_NOT_ALLOWED: ("see_functions", (DESCRIBE,)),
    Code.VALUE_UNKNOWN: ("see_values", (DESCRIBE, _BROWSE)),
}


_IN_FILES = frozenset({"see_fields", "see_values"})


def with_next_step(
    result: ToolResult, called: str, offered: Collection[str], prefix: str, language: Language
) -> ToolResult:
    """The result with a pointer in each hint that has room for it. Only offered tools are named,
    under the caller's names for them."""
    details = result.error_details
    if result.success or not details or called == DESCRIBE:
        return result
    files = called == ANALYZE_DATAFRAME

    def pointed(finding: dict[str, Any]) -> dict[str, Any]:
        key, shown_by = _SHOWN_BY.get(finding.get("code", ""), ("", ()))
        shown_by = (INSPECT_FILE,) if key in _IN_FILES and files else shown_by
        tool = next((each for each in shown_by if each in offered), None)
        if tool is None or finding.get("suggestion"):
            return finding
        longer = finding["hint"] + message(f"tools.{key}", language, tool=f"{prefix}{tool}")
        return finding if len(longer) > HINT_LENGTH else {**finding, "hint": longer}

    with_pointers = pointed(details)
    if "others" in details:
        with_pointers = {**with_pointers, "others": [pointed(each) for each in details["others"]]}
    if with_pointers == details:
        return result
    error = f"{with_pointers['code']}: {with_pointers['hint']}"
    return result.model_copy(update={"error": error, "error_details": with_pointers})


def names_of_call(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any], question: str = ""
) -> tuple[str, ...] | None:
    """The tool, the tool behind it, and the tables, metrics, file or other sources that a call
    would read; None if the check would refuse it."""
    found = toolbox.find(tool, question)
    if found is None:
        return None
    checked = found.tool.check(arguments, found.context)
    return None if isinstance(checked, ToolResult) else (tool, *found.tool.reads(checked))


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
