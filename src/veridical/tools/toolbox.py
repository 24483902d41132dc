"""All tools for one caller, behind one call that never raises for what a model writes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from veridical.check.checker import Checker
from veridical.check.from_call import AGGREGATES
from veridical.check.operators import OPERATORS
from veridical.contracts.caller import Caller
from veridical.contracts.enums import Enums
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import malformed
from veridical.engines import Engine
from veridical.messages.hints import hint
from veridical.ontology.enums import compile_enums
from veridical.ontology.nearest import nearest
from veridical.ontology.prompt import DEFAULT_BUDGET
from veridical.ontology.slice import OntologyIndex, slice_ontology
from veridical.tools.calculate import CALCULATE, calculate
from veridical.tools.files import (
    ANALYZE_DATAFRAME,
    INSPECT_FILE,
    FileShelf,
    analyze_dataframe,
    inspect_file,
)
from veridical.tools.known_question import (
    ask_known_question,
    known_question_schema,
)
from veridical.tools.repertoire import Repertoire
from veridical.tools.schemas import KNOWN_QUESTION, tool_schemas
from veridical.tools.tables import METRIC_TOOL, TABLE_TOOLS, Run, call_table, would_pass

Observer = Callable[[str, Arguments, ToolResult], None]
"""Told of every call and its result: where a trace is written."""

_MOST_TABLES = 200
"""More names than this make a poor closed list; the question then picks them."""
_LEAN_BELOW = 2_000
"""Whoever can't be told more than this of the ontology can't be told its fields in each tool."""


@dataclass(frozen=True)
class Toolbox:
    """The tools that this caller has: on tables where there is an engine, on files where there
    are any, on metrics where a semantic layer runs them."""

    checker: Checker
    engine: Engine | None = None
    caller: Caller = Caller()  # noqa: RUF009 (immutable)
    files: FileShelf | None = None
    semantic_layer: Run | None = None
    index: OntologyIndex | None = None
    observer: Observer | None = None
    known: Repertoire | None = None
    """The canonical questions that may be asked by name; they run on the engine."""
    only: tuple[str, ...] = ()
    """The tools that are offered, of those that are there; all where none is named."""

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that are offered."""
        return tuple(name for name in self._there if not self.only or name in self.only)

    @property
    def _there(self) -> tuple[str, ...]:
        found = [KNOWN_QUESTION] if self.engine and self.known else []
        found += TABLE_TOOLS if self.engine else []
        found += [METRIC_TOOL] if self.semantic_layer else []
        found += [INSPECT_FILE, ANALYZE_DATAFRAME] if self.files else []
        return (*found, CALCULATE)

    def call(self, name: str, arguments: Arguments, question: str = "") -> ToolResult:
        """The result of one tool call. Bad arguments come back as ``errorDetails``."""
        result = self._dispatch(name, arguments, question)
        if self.observer is not None:
            self.observer(name, arguments, result)
        return result

    def schemas(
        self, question: str = "", budget_tokens: int = DEFAULT_BUDGET
    ) -> list[dict[str, Any]]:
        """The tools as function schemas for a model, in the caller's language; lean ones for a
        model that is told little."""
        language = self.caller.language
        files = tuple(self.files.files) if self.files else ()
        names = [name for name in self.names if name != KNOWN_QUESTION]
        lean = budget_tokens < _LEAN_BELOW
        schemas = tool_schemas(self.enums(question), names, language, files, lean=lean)
        if self.known is None or KNOWN_QUESTION not in self.names:
            return schemas
        return [known_question_schema(self.known, language), *schemas]

    def enums(self, question: str = "") -> Enums:
        """The closed lists for the schemas."""
        catalog = self.checker.visible_to(self.caller)
        only = None
        if len(catalog.tables) > _MOST_TABLES:
            only = self._tables_for(question)
        return compile_enums(catalog, AGGREGATES, OPERATORS, only=only)

    def _tables_for(self, question: str) -> set[str]:
        if self.index is None or not question:
            return set()
        needed = slice_ontology(self.index, question)
        entities = (self.index.entities[name] for name in (*needed.core, *needed.near))
        return {entity.table for entity in entities if entity.table}

    def _dispatch(self, name: str, arguments: Arguments, question: str) -> ToolResult:
        if name in self.names:
            return self._run(name, arguments, question)
        told = hint("tools.unknown_tool", self.caller.language, name=name)
        return refused(malformed("name", told, nearest(name, self.names)))

    def _run(self, name: str, arguments: Arguments, question: str) -> ToolResult:
        language = self.caller.language
        if self.known is not None and name == KNOWN_QUESTION:
            call = partial(self._run, question=question)
            passes = partial(self._passes, question=question)
            return ask_known_question(arguments, self.known, call, passes, language)
        if self.files is not None and name == INSPECT_FILE:
            return inspect_file(arguments, self.files, self.caller)
        if self.files is not None and name == ANALYZE_DATAFRAME:
            return analyze_dataframe(arguments, self.files, self.caller)
        run = self.semantic_layer if name == METRIC_TOOL else self.engine and self.engine.run
        if run is not None and name != CALCULATE:
            return call_table(name, arguments, self.checker, run, self.caller, question)
        return calculate(arguments, language)

    def _passes(self, name: str, arguments: Arguments, question: str) -> bool:
        return would_pass(name, arguments, self.checker, self.caller, question)
