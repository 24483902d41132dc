"""Changes that people make to an ontology file: checked, written, and kept so that each can be
undone."""

from datetime import UTC, datetime
from pathlib import Path

from veridical.contracts.schema import Schema
from veridical.contracts.wire import Wire
from veridical.onboarding.record import append_edit, read_edits
from veridical.ontology.editable import Part, Values, values_of, with_values
from veridical.ontology.lint import Drift, lint
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import (
    FORMATS,
    MARK,
    document_from,
    file_text,
    ontology_from,
    with_questions,
)
from veridical.ontology.yaml_change import changed_text


class Edit(Wire):
    """One change to a part; without values before it was added, without values after removed."""

    number: int
    at: str
    by: str
    file: str
    part: Part
    before: Values | None
    after: Values | None
    undoes: int | None = None
    """The number of the change that it takes back."""


class OutdatedEditError(Exception):
    """Somebody else has changed the same part in between."""


class UnfitEditError(Exception):
    """The changed ontology would not fit the data, or itself."""

    def __init__(self, drift: tuple[Drift, ...]) -> None:
        super().__init__(", ".join(f"{each.kind} {each.path}" for each in drift))
        self.drift = drift


def is_editable(path: Path) -> bool:
    """True for a file in our own format."""
    if path.suffix.lower() not in FORMATS or not path.is_file():
        return False
    value = document_from(file_text(path), str(path)).value
    return isinstance(value, dict) and any(mark in value for mark in MARK)


def edits_of(path: Path) -> list[Edit]:
    """The changes to this file, the last one first."""
    return [each for each in reversed(_recorded(path)) if each.file == path.name]


def changed_ontology(
    path: Path, part: Part, seen: Values | None, values: Values | None
) -> tuple[OntologyDescriptor, OntologyDescriptor]:
    """The ontology of a file before and after a change. Raises ``OutdatedEditError`` where the part
    is not as it was seen, ``LoadError``, and ``pydantic.ValidationError``."""
    before = ontology_from(file_text(path), str(path))
    if values_of(before, part) != seen:
        raise OutdatedEditError
    return before, with_values(before, part, values)


def require_fit(
    path: Path,
    before: OntologyDescriptor,
    after: OntologyDescriptor,
    schema: Schema,
    dialect: str,
) -> None:
    """Raises ``UnfitEditError`` where the change brings a mistake that was not there."""
    known, found = (lint(with_questions(each, path), schema, dialect) for each in (before, after))
    if new := tuple(each for each in found if not each.kind.is_note and each not in known):
        raise UnfitEditError(new)


def write_change(path: Path, before: OntologyDescriptor, after: OntologyDescriptor) -> str:
    """Writes the changed ontology; returns the text that was there. Raises ``LoadError``."""
    text = file_text(path)
    replace_text(path, changed_text(text, before, after, path))
    return text


def record_edit(
    path: Path,
    before: OntologyDescriptor,
    after: OntologyDescriptor,
    part: Part,
    by: str,
    undoes: int | None = None,
) -> Edit:
    """Keeps a change that was written, so that it can be undone."""
    edit = Edit(
        number=len(_recorded(path)) + 1,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        by=by,
        file=path.name,
        part=part,
        before=values_of(before, part),
        after=values_of(after, part),
        undoes=undoes,
    )
    append_edit(path.parent, edit)
    return edit


def replace_text(path: Path, text: str) -> None:
    """Writes a file at once: no reader ever sees a half of it."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, "utf-8")
    fresh.chmod(path.stat().st_mode)
    fresh.replace(path)


def _recorded(path: Path) -> list[Edit]:
    return list(read_edits(path.parent, Edit))
