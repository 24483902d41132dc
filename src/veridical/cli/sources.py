"""Reads command arguments: references to ontologies, schemas and calls."""

import json
import os
import sys
from pathlib import Path

from pydantic import ValidationError

from veridical.cli.error_reporting import UsageError
from veridical.contracts.call import Call, SqlCall, parse_call
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.engines.schema_source import load_schema
from veridical.messages import message
from veridical.ontology.context import ontology_disabled

STANDARD_INPUT = "-"
_PACK = "pack:"


def disabled() -> bool:
    """Whether this process runs a comparison without the ontology."""
    return ontology_disabled(os.environ)


def schema_for(
    schema: str | None, ontology: str | None, dialect: str = "postgres"
) -> Schema | None:
    """The schema that was named, or else the one of the ontology's pack."""
    if schema is not None:
        return load_schema(schema, dialect)
    if ontology is not None and ontology.startswith(_PACK):
        return load_schema(ontology)
    return None


def read_call(source: str, language: Language) -> Call:
    """The call in a file or on standard input: JSON, or else SQL."""
    text = _text(source, language).strip()
    if not text.startswith("{"):
        return SqlCall(sql=text)
    try:
        return parse_call(json.loads(text))
    except ValueError as error:
        raise UsageError(
            message("cli.not_a_call", language, source=source, reason=_reason(error))
        ) from error


def _reason(error: ValueError) -> str:
    """The first thing that is wrong, with the argument's name where there is one."""
    if not isinstance(error, ValidationError):
        return str(error).splitlines()[0]
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return f"{place}: {first['msg']}" if place else first["msg"]


def _text(source: str, language: Language) -> str:
    if source == STANDARD_INPUT:
        return sys.stdin.read()
    path = Path(source)
    if not path.is_file():
        raise UsageError(message("cli.no_file", language, source=source))
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(message("cli.not_text", language, source=source)) from error
