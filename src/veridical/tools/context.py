"""The context of the built-in tools: caller, check, engine, files, known questions."""

from collections.abc import Callable
from dataclasses import dataclass

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.tool import Checked, Tool, ToolContext
from veridical.engines import Engine, Outcome
from veridical.ontology.slice import OntologyIndex
from veridical.tools.evidence_shelf import EvidenceShelf
from veridical.tools.file_shelf import FileShelf, OpenedFiles
from veridical.tools.repertoire import Repertoire

Run = Callable[[CheckedQuery], Outcome]
"""Runs a checked call: an engine's ``run``, or a semantic layer's for metrics."""


@dataclass(frozen=True, kw_only=True)
class DataContext(ToolContext):
    """One caller's access to the data of one feature; unset parts are not available."""

    checker: Checker
    engine: Engine | None = None
    files: FileShelf | OpenedFiles | None = None
    semantic_layer: Run | None = None
    known: Repertoire | None = None
    """The canonical questions that can be called by name; they run on the engine."""
    evidence: EvidenceShelf | None = None
    """The collections of documents that can be searched."""
    requirements: bool = False
    """True if requirements are reviewed here."""
    index: OntologyIndex | None = None
    """The ontology as a caller with all permissions sees it."""
    describes: bool = False
    """True if the tool that describes the data is offered."""
    settles: bool = False
    """True if equal rows settle a refusal: for what is asked once, not for what is kept."""


BuiltIn = Tool[DataContext, Checked]
"""A tool that ships with Veridical."""
