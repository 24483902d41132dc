"""Loads an ontology or a schema from a pack, Python, a file, or a database."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlglot.errors import SqlglotError

from veridical.contracts.schema import Schema
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.errors import LoadError, SourceError, SourceProblem
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import (
    FORMATS,
    MARK,
    checked_ontology,
    document_from,
    file_text,
    with_questions,
)
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack
from veridical.ontology.schema_file import SchemaFile

_PACK = "pack:"
_PYTHON_PATH = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_SCHEMA_SOURCES = (
    "pack:NAME, postgresql://…, a .json, .sql or .ddl file, a DuckDB or SQLite file, "
    "or CSV, Excel or Parquet files"
)


def load_ontology(ref: str) -> OntologyDescriptor:
    """The ontology behind ``pack:NAME``, ``module:attribute``, or a path: our own descriptor as
    JSON or YAML, or a format of the importers. Raises ``LoadError``."""
    if ref.startswith(_PACK):
        return _pack(ref).ontology
    path = Path(ref)
    if path.exists():
        return _ontology_file(path)
    if _PYTHON_PATH.fullmatch(ref):
        return _ontology_attribute(ref)
    expected = "pack:NAME, module:attribute, or an existing file or folder"
    raise SourceError(SourceProblem.NO_SOURCE, source=repr(ref), expected=expected)


def load_schema(ref: str, dialect: str = "postgres") -> Schema:
    """The schema behind ``pack:NAME``, a JSON file, or a ``.sql`` or ``.ddl`` file of ``CREATE
    TABLE`` statements; ``veridical.load_schema`` reads databases too. Raises ``LoadError``."""
    if ref.startswith(_PACK):
        return _pack(ref).schema
    path = Path(ref)
    if not path.is_file():
        raise SourceError(SourceProblem.NO_SOURCE, source=repr(ref), expected=_SCHEMA_SOURCES)
    text = file_text(path)
    try:
        if path.suffix.lower() in (".sql", ".ddl"):
            found = schema_from_ddl(text, dialect)
        else:
            found = SchemaFile.model_validate_json(text).schema_value()
    except (SqlglotError, ValidationError) as error:
        reason = _first_sentence(error)
        raise SourceError(SourceProblem.NO_SCHEMA, source=ref, reason=reason) from error
    if not found.tables:
        raise SourceError(SourceProblem.NO_TABLES, source=ref)
    return found


def _pack(ref: str) -> Pack:
    try:
        return load_pack(ref.removeprefix(_PACK))
    except PackNotFoundError as error:
        raise LoadError(str(error)) from error


def _ontology_file(path: Path) -> OntologyDescriptor:
    if path.is_file() and path.suffix.lower() in FORMATS:
        document = document_from(file_text(path), str(path))
        if isinstance(document.value, dict) and any(mark in document.value for mark in MARK):
            return with_questions(checked_ontology(document, str(path)), path)
    # Late: the seven foreign formats take longer to load than a question of our own takes.
    from veridical.ontology.importers import ImportFailed, import_ontology

    try:
        return import_ontology(path).ontology
    except ImportFailed as error:
        raise LoadError(str(error)) from error


def _ontology_attribute(ref: str) -> OntologyDescriptor:
    module, _, attribute = ref.partition(":")
    try:
        found: Any = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise LoadError(f"{ref} can't be imported: {error}") from error
    if callable(found) and not isinstance(found, type):
        found = found()
    if isinstance(found, Pack):
        return found.ontology
    if not isinstance(found, OntologyDescriptor):
        raise LoadError(f"{ref} is no ontology but {type(found).__name__}")
    return found


def _first_sentence(error: Exception) -> str:
    """The error, without the page of source that parsers show with it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
