"""``veridical init`` with another tool's model: its knowledge, held against the data."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.error_reporting import UsageError, err, out
from veridical.cli.import_report import counted, note_line
from veridical.cli.init_schemas import choose_schemas
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.engines.registry import engine_of
from veridical.messages import message
from veridical.ontology.compile import compile_catalog, schema_of
from veridical.ontology.importers import Fidelity, Imported, ImportFailed, import_ontology
from veridical.ontology.model import OntologyDescriptor
from veridical.statement.errors import EngineError

if TYPE_CHECKING:
    from veridical.engines.database import Database
    from veridical.onboarding.look import Look
    from veridical.onboarding.project import Address, Written

_DIALECT = "postgres"
Looking = Callable[["Database"], "Look"]


def init_model(
    source: Path,
    database: str,
    folder: Path,
    asked: tuple[str, str, tuple[str, ...]],
    look: Looking,
    language: Language,
) -> "Written":
    """Writes the project of a model; with its database, everything is held against the data.

    ``asked`` are the feature's name, the role and the schemas, empty where nobody named any.
    """
    name, role, named_schemas = asked
    from veridical.onboarding.project import address_of

    try:
        imported = import_ontology([source], language=language)
    except ImportFailed as error:
        told = {"source": source, "reason": str(error).rstrip(".")}
        raise UsageError(message("onboarding.source_no_model", language, **told)) from error
    if name:
        named = imported.ontology.model_copy(update={"feature_code": name})
        imported = replace(imported, ontology=named)
    _tell_notes(imported, language)
    if not database:
        err.print(message("onboarding.no_database", language), style="yellow")
        dialect = imported.dialect or _DIALECT
        return _write(imported, schema_of(imported.ontology), dialect, None, folder, language)
    kind = engine_of(database)
    if kind is None:
        raise UsageError(message("onboarding.source_missing", language, source=database))
    address = replace(address_of(database, role=role), name=imported.ontology.feature_code)
    try:
        with closing(kind.open(database, role or None, schemas=named_schemas)) as opened:
            schemas = choose_schemas(opened, named_schemas, language)
            address = replace(address, schemas=schemas)
            schema = opened.reflect()
            if imported.bare:
                ontology = _from_data(imported.ontology, opened, schema, look)
                imported = replace(imported, ontology=ontology)
            return _write(imported, schema, opened.dialect, address, folder, language)
    except EngineError as error:
        raise kind.unreadable(database) from error


def _from_data(
    words: OntologyDescriptor, opened: "Database", schema: Schema, look: Looking
) -> OntologyDescriptor:
    """What the data itself shows, in the words of the model."""
    from veridical.onboarding.described import described
    from veridical.onboarding.project import drafted

    found = drafted(words.feature_code, look(opened), schema, opened.dialect)
    return described(found, words)


def _write(
    imported: Imported,
    schema: Schema,
    dialect: str,
    address: "Address | None",
    folder: Path,
    language: Language,
) -> "Written":
    from veridical.check.checker import Checker
    from veridical.onboarding.pairs import checked_pairs
    from veridical.onboarding.project import write_project

    checker = Checker(compile_catalog(schema, imported.ontology), dialect=dialect)
    found = checked_pairs(imported.pairs, checker, language)
    if imported.pairs:
        counts = {"taken": len(found.cases), "count": len(imported.pairs)}
        out.print(message("onboarding.pairs", language, **counts), highlight=False)
    for pair, reason in found.refused:
        told = message("onboarding.pair_refused", language, question=pair.question, reason=reason)
        err.print(told, style="yellow", highlight=False, markup=False, soft_wrap=True)
    return write_project(folder, address, imported.ontology, dialect, language, found.cases)


def _tell_notes(imported: Imported, language: Language) -> None:
    """What the ontology says more coarsely than the model, or not at all."""
    out.print(counted(imported.ontology, language), highlight=False)
    for note in imported.notes:
        if note.status is not Fidelity.KEPT:
            err.print(note_line(note), highlight=False, markup=False, soft_wrap=True)
