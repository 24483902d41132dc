"""All tools for one caller, behind one call that never raises for arguments of a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.check.checker import Checker
from veridical.check.from_call import AGGREGATES, OPERATORS
from veridical.contracts.caller import Caller
from veridical.contracts.enums import Enums
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments, OutsideTool, SchemaView, Tool, ToolContext
from veridical.contracts.violation import malformed
from veridical.engines import Engine
from veridical.messages.hints import hint
from veridical.ontology.enums import compile_enums
from veridical.ontology.nearest import nearest
from veridical.ontology.prompt import DEFAULT_BUDGET
from veridical.ontology.slice import OntologyIndex, slice_ontology
from veridical.tools.context import DataContext, Run
from veridical.tools.evidence_shelf import EvidenceShelf
from veridical.tools.file_shelf import FileShelf
from veridical.tools.next_step import with_next_step
from veridical.tools.outside import recorded
from veridical.tools.registry import BUILT_IN, distinct
from veridical.tools.repertoire import Repertoire
from veridical.tools.schemas import function_schema

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
    files: FileShelf | None = None
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
        most_tables: int = _MOST_TABLES,
    ) -> list[dict[str, Any]]:
        """The tools as function schemas in the caller's language; lean for a small context."""
        enums = self.enums(question, most_tables)
        view = SchemaView(enums, lean=lean or budget_tokens < _LEAN_BELOW)
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
