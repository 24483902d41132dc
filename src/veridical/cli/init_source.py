"""The source of ``veridical init``: an engine's data with its schemas, or another tool's model,
which is compared with the data."""

from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.error_reporting import UsageError, err, out
from veridical.cli.semantic_models import counted, note_line
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.engines.address import scheme_of
from veridical.engines.database import Database
from veridical.engines.kind import EngineKind
from veridical.engines.registry import DATA_FILES, engine_of
from veridical.messages import message
from veridical.onboarding.schemas import (
    SchemaChoice,
    choose_schemas,
    schema_options,
    with_counts,
)
from veridical.ontology.compile import compile_catalog, schema_of
from veridical.ontology.importers import Fidelity, Imported, ImportFailed, import_ontology
from veridical.ontology.importers.files import MODELS, is_training_data
from veridical.ontology.model import OntologyDescriptor
from veridical.statement.errors import EngineError

if TYPE_CHECKING:
    from veridical.onboarding.look import Look
    from veridical.onboarding.project import Address, Written


_READ = 4096
_DIALECT = "postgres"
Looking = Callable[[Database], "Look"]


def source_engine(source: str, language: Language) -> EngineKind | None:
    """The engine of a source; none for another tool's model, which may be a folder, too.

    Raises ``UsageError``, which says what to do, for what is neither.
    """
    if scheme_of(source) is not None:
        return engine_of(source)
    path = Path(source)
    if not path.exists():
        raise _useless("source_missing", source, language)
    if path.is_dir():
        return _folder_engine(path, source, language)
    if not path.stat().st_size:
        raise _useless("source_empty", source, language)
    if is_training_data(path):
        return None
    found = engine_of(source)
    if found is None and not _is_text(path):
        raise _useless("source_unknown", source, language)
    return found


def _folder_engine(path: Path, source: str, language: Language) -> EngineKind | None:
    if any(each.suffix.lower() in DATA_FILES for each in path.iterdir()):
        return engine_of(source)
    if not any(each.suffix.lower() in MODELS for each in path.rglob("*")):
        raise _useless("source_without_data", source, language)
    return None


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_READ)
    try:
        text = getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return "\0" not in text


def _useless(problem: str, source: str, language: Language) -> UsageError:
    return UsageError(message(f"onboarding.{problem}", language, source=source))


def report_schemas(choice: SchemaChoice, language: Language) -> tuple[str, ...]:
    """Prints what else holds tables; the schemas that the settings must name."""
    if choice.is_taken:
        _tell("schema_taken", language, read=with_counts(choice.read))
    elif choice.others and not choice.named:
        values = {"read": with_counts(choice.read), "others": with_counts(choice.others)}
        options = schema_options([*choice.read, *choice.others])
        _tell("other_schemas", language, **values, options=options)
    return choice.named


def _tell(key: str, language: Language, **values: str) -> None:
    err.print(message(f"onboarding.{key}", language, **values), style="yellow", soft_wrap=True)


def init_model(
    source: Path,
    database: str,
    folder: Path,
    options: tuple[str, str, tuple[str, ...]],
    look: Looking,
    language: Language,
) -> "Written":
    """Writes the project of a model; with its database, everything is compared with the data.

    ``options`` are the feature's name, the role and the schemas; each may be empty.
    """
    name, role, named_schemas = options
    from veridical.onboarding.project import address_of

    try:
        imported = import_ontology([source], language=language)
    except ImportFailed as error:
        values = {"source": source, "reason": str(error).rstrip(".")}
        raise UsageError(message("onboarding.source_no_model", language, **values)) from error
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
            schemas = report_schemas(choose_schemas(opened, named_schemas), language)
            address = replace(address, schemas=schemas)
            schema = opened.reflect()
            if imported.bare:
                ontology = _from_data(imported.ontology, opened, schema, look)
                imported = replace(imported, ontology=ontology)
            return _write(imported, schema, opened.dialect, address, folder, language)
    except EngineError as error:
        raise kind.unreadable(database) from error


def _from_data(
    words: OntologyDescriptor, opened: Database, schema: Schema, look: Looking
) -> OntologyDescriptor:
    """The ontology drafted from the data, described in the words of the model."""
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
        out.print(message("onboarding.pairs", language, **counts))
    for pair, reason in found.refused:
        text = message("onboarding.pair_refused", language, question=pair.question, reason=reason)
        err.print(text, style="yellow", soft_wrap=True)
    return write_project(folder, address, imported.ontology, dialect, language, found.cases)


def _tell_notes(imported: Imported, language: Language) -> None:
    """Print which parts of the model the ontology keeps only in part, or not at all."""
    out.print(counted(imported.ontology, language))
    for note in imported.notes:
        if note.status is not Fidelity.KEPT:
            err.print(note_line(note), soft_wrap=True)
