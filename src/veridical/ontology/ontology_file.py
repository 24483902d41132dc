"""An ontology as a file of its own: JSON or YAML, read with the line of every mistake."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.file_errors import FileMistake, FileMistakesError, FileProblem
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.nearest import nearest
from veridical.ontology.yaml_document import Document, DocumentError, read_document
from veridical.ontology.yaml_text import ontology_yaml

FORMATS = frozenset({".json", ".yaml", ".yml"})
"""The endings of the files."""
MARK: Final = ("featureCode", "feature_code")
"""The key that identifies our files."""


def ontology_text(ontology: OntologyDescriptor, ending: str) -> str:
    """The ontology as the text of a file with this ending."""
    if ending != ".json":
        return ontology_yaml(ontology)
    data = ontology.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def read_ontology(path: Path) -> OntologyDescriptor:
    """The ontology of a YAML or JSON file. Raises ``LoadError``: a ``FileMistakesError`` names
    every mistake with its line."""
    return ontology_from(file_text(path), str(path))


def ontology_from(text: str, source: str) -> OntologyDescriptor:
    """The ontology of this text; ``source`` names it in mistakes. Raises ``FileMistakesError``."""
    document = document_from(text, source)
    return checked_ontology(document, source)


def questions_path(path: Path) -> Path:
    """The file beside an ontology with its known questions: ``ontology.questions.yaml``."""
    return path.with_name(f"{path.stem}.questions{path.suffix}")


def with_questions(ontology: OntologyDescriptor, path: Path) -> OntologyDescriptor:
    """The ontology of a file, with the known questions of the file beside it. An intent of its own
    is the one that counts. Raises ``FileMistakesError``."""
    beside = questions_path(path)
    if not beside.is_file():
        return ontology
    own = {each.intent for each in ontology.canonical_patterns}
    more = (each for each in read_ontology(beside).canonical_patterns if each.intent not in own)
    return ontology.model_copy(update={"canonical_patterns": (*ontology.canonical_patterns, *more)})


def document_from(text: str, source: str) -> Document:
    """The value of the text as YAML or JSON. Raises ``FileMistakesError``."""
    meant = _as_json(text)
    try:
        document = read_document(text)
    except DocumentError as error:
        if meant is None or error.mistake.problem is not FileProblem.SYNTAX:
            raise FileMistakesError(source, (error.mistake,)) from error
        return Document(meant, {})
    # A few characters are line ends in YAML and text in JSON.
    return document if meant is None or document.value == meant else Document(meant, {})


def _as_json(text: str) -> Any:
    if text.lstrip()[:1] != "{":
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(text)


def checked_ontology(document: Document, source: str) -> OntologyDescriptor:
    """The ontology that a document describes. Raises ``FileMistakesError``."""
    if not isinstance(document.value, dict):
        raise FileMistakesError(source, (FileMistake(FileProblem.NO_MAPPING, 1, {}),))
    try:
        return OntologyDescriptor.model_validate(document.value)
    except ValidationError as error:
        found = [
            mistake
            for each in error.errors(include_url=False)
            for mistake in _mistakes(each, document)
        ]
        raise FileMistakesError(source, tuple(dict.fromkeys(found))) from error


def file_text(path: Path) -> str:
    """The text of a file. Raises ``SourceError`` if it is empty or no text."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(SourceProblem.NOT_TEXT, source=path) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=path, reason=reason) from error
    if not text.strip():
        raise SourceError(SourceProblem.EMPTY, source=path)
    return text


def _mistakes(error: ErrorDetails, document: Document) -> Iterator[FileMistake]:
    """The mistake behind one error of the model, for the author of the file."""
    place = error["loc"]
    line = document.line(place)
    name = str(place[-1]) if place else ""
    if error["type"] == "extra_forbidden":
        known = _keys(_model_at(place[:-1]))
        like = nearest(name, known)
        yield FileMistake(FileProblem.UNKNOWN_KEY, line, {"entry": name}, like)
    elif error["type"] == "missing":
        yield FileMistake(FileProblem.MISSING_KEY, line, {"entry": name})
    elif error["type"] == "enum":
        given = str(error["input"])[:60]
        expected = error.get("ctx", {}).get("expected", "")
        like = nearest(given, expected.replace("'", "").replace(" or ", ", ").split(", "))
        values = {"entry": _last_key(place), "value": given, "expected": expected}
        yield FileMistake(FileProblem.NOT_ONE_OF, line, values, like)
    elif not place:
        unknown = tuple(unknown_entities(document))
        yield from unknown or (_other(error, line, ""),)
    else:
        yield _other(error, line, _last_key(place))


def _other(error: ErrorDetails, line: int, key: str) -> FileMistake:
    reason = error["msg"].removeprefix("Value error, ")
    return FileMistake(FileProblem.WRONG_VALUE, line, {"entry": key, "reason": reason})


def unknown_entities(document: Document) -> Iterator[FileMistake]:
    """Duplicate entities, and relations or sub-classes of unknown ones."""
    entities = _items(document.value, "entities")
    names = [str(each.get("name", "")) for each in entities]
    for position, name in enumerate(names):
        if name in names[:position]:
            line = document.line(("entities", position, "name"))
            yield FileMistake(FileProblem.DOUBLED_ENTITY, line, {"name": name})
    naming = (("entities", ("parentEntity", "parent_entity")),)
    naming += tuple(
        ("relations", keys) for keys in (("fromEntity", "from_entity"), ("toEntity", "to_entity"))
    )
    for part, keys in naming:
        for position, item in enumerate(_items(document.value, part)):
            key = next((key for key in keys if item.get(key)), "")
            if key and str(item[key]) not in names:
                line = document.line((part, position, key))
                values = {"name": str(item[key])[:60]}
                yield FileMistake(
                    FileProblem.UNKNOWN_ENTITY, line, values, nearest(str(item[key]), names)
                )


def _items(value: Any, key: str) -> list[Mapping[str, Any]]:
    found = value.get(key) or [] if isinstance(value, dict) else []
    return [each if isinstance(each, dict) else {} for each in found]


def _last_key(place: Iterable[str | int]) -> str:
    """The key of an error: after it there are positions and names of types."""
    known = [part for part in place if isinstance(part, str) and part in _ALL_KEYS]
    return known[-1] if known else ""


def _model_at(place: Iterable[str | int]) -> type[BaseModel]:
    """The model at this place of the document."""
    model: type[BaseModel] = OntologyDescriptor
    for part in place:
        model = _below(model).get(str(part), model)
    return model


def _below(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The models of the values, by key."""
    found: dict[str, type[BaseModel]] = {}
    for name, field in model.model_fields.items():
        inner = _inner_model(field.annotation)
        if inner is not None:
            found[name] = found[field.alias or name] = inner
    return found


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    parts = getattr(annotation, "__args__", ())
    return next((found for part in parts if (found := _inner_model(part))), None)


def _keys(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _all_keys(model: type[BaseModel]) -> set[str]:
    below = set(_below(model).values())
    return {*_keys(model), *model.model_fields}.union(*map(_all_keys, below))


_ALL_KEYS: Final = frozenset(_all_keys(OntologyDescriptor))
