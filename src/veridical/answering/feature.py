"""A feature: one set of business data, opened for questions about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from veridical.check.checker import Checker
from veridical.contracts.caller import Caller, Permissions
from veridical.contracts.schema import Schema
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.tool import OutsideTool
from veridical.engines import Engine
from veridical.engines.database import Database
from veridical.gate.evidence.source import Meaning, meaning_of
from veridical.ontology.compile import compile_catalog
from veridical.ontology.context import active_ontology, ontology_of, schema_context
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.ontology.prompt import fits_whole
from veridical.ontology.slice import OntologyIndex, index_ontology, visible_index
from veridical.ontology.visible import visible_ontology
from veridical.route.pattern_index import PatternIndex, index_patterns
from veridical.route.vocabulary import Vocabulary, compile_vocabulary
from veridical.tools.evidence_shelf import EvidenceShelf
from veridical.tools.file_shelf import OpenedFiles
from veridical.tools.registry import distinct
from veridical.tools.repertoire import Repertoire, repertoire_of
from veridical.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Feature:
    """All that routing, checking and running a question needs. Made once, shared by all callers."""

    name: str
    ontology: OntologyDescriptor
    schema: Schema
    checker: Checker
    engine: Engine
    index: OntologyIndex
    vocabulary: Vocabulary
    meaning: Meaning
    """The names of columns and how they add up: for the gate."""
    patterns: PatternIndex | None
    """None in a comparison run without the ontology."""
    tools: tuple[OutsideTool, ...] = ()
    """Tools beside the built-in ones: the pack's, then those of the embedding program."""
    evidence: EvidenceShelf | None = None
    """The documents that may be searched beside the data."""
    requirements: bool = False
    """True if the agent may review requirements."""
    kind: SourceKind = SourceKind.SQL
    """What it is declared to read."""
    files: OpenedFiles | None = None
    """The files of a feature that reads files: its tools are those for files."""

    @property
    def ontology_hash(self) -> str:
        """The hash under which prompt, rules and enums were compiled."""
        return self.checker.catalog.ontology_hash

    @cached_property
    def schema_hash(self) -> str:
        """The identity of the tables and columns that it was opened with."""
        return self.schema.hash

    def toolbox(
        self,
        caller: Caller,
        *,
        known_questions: bool = False,
        only: tuple[str, ...] = (),
        describes: bool = True,
    ) -> Toolbox:
        """The tools of one caller, on request with the canonical questions as one of them, and
        without the one that returns the data's meaning where the instructions have all of it."""
        known = self.repertoire(caller) if known_questions else None
        return Toolbox(
            self.checker,
            None if self.files else self.engine,
            caller,
            files=self.files,
            index=self.index,
            known=known,
            evidence=self.evidence,
            requirements=self.requirements,
            only=only,
            tools=self.tools,
            describes=describes,
        )

    def repertoire(self, caller: Caller) -> Repertoire | None:
        """The known questions that this caller may ask; none where there are none."""
        if self.patterns is None:
            return None
        if caller.permissions == Permissions():
            return self._whole_repertoire
        visible = visible_ontology(self.ontology, caller.permissions)
        return repertoire_of(visible, self.patterns, self.meaning)

    @cached_property
    def _whole_repertoire(self) -> Repertoire | None:
        """The known questions for callers who may see everything, which are nearly all."""
        if self.patterns is None:
            return None
        return repertoire_of(self.ontology, self.patterns, self.meaning)

    def context(
        self,
        caller: Caller,
        question: str,
        budget_tokens: int,
        *,
        known_calls: bool = True,
        describe: str = "",
    ) -> str:
        """A model's instructions about the data: ontology, hints, or the bare schema. The tool
        ``describe`` returns what has no room, where the model has it."""
        context = schema_context(
            self.ontology,
            self.schema,
            caller.language,
            disabled=self.patterns is None,
            question=question,
            budget_tokens=budget_tokens,
            permissions=caller.permissions,
            index=visible_index(self.index, caller.permissions),
            known_calls=known_calls,
            describe=describe,
            dialect=self.checker.dialect_title,
        )
        return context.text

    def fits_whole(self, caller: Caller, budget_tokens: int) -> bool:
        """True if all of the owner's description of the data fits into this budget."""
        index = visible_index(self.index, caller.permissions)
        return fits_whole(index, caller.language, budget_tokens, self.checker.dialect_title)


def open_feature(
    pack: Pack,
    database: Database,
    *,
    without_ontology: bool = False,
    tools: Iterable[OutsideTool] = (),
) -> Feature:
    """The feature of a pack on a database; without the ontology for comparison runs.

    Raises ``ToolNameError`` where two tools of the pack and ``tools`` share a name.
    """
    offered = distinct((*pack.tools, *tools))
    schema = database.reflect()
    known = active_ontology(pack.ontology, disabled=without_ontology)
    catalog = compile_catalog(schema, known)
    return Feature(
        name=pack.name,
        ontology=_hinted(pack),
        schema=schema,
        checker=Checker(catalog, database.dialect),
        engine=Engine(database, catalog, shared=pack.shared_tables),
        index=index_ontology(known or ontology_of(schema)),
        vocabulary=compile_vocabulary(pack.ontology),
        meaning=meaning_of(known or OntologyDescriptor(feature_code=pack.name), catalog),
        patterns=index_patterns(known) if known else None,
        tools=offered,
    )


def _hinted(pack: Pack) -> OntologyDescriptor:
    """The pack's ontology with the pack's hints, where it has none of its own."""
    if pack.ontology.domain_hints or not pack.domain_hints:
        return pack.ontology
    return pack.ontology.model_copy(update={"domain_hints": pack.domain_hints})
