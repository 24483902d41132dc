"""Loads gold sets: of a pack, a folder, or one file."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.question_list import as_gold_set
from veridical.ontology.errors import LoadError
from veridical.ontology.ontology_file import document_from, file_text
from veridical.ontology.pack import load_pack
from veridical.ontology.yaml_document import Document

_PACK = "pack:"


def load_gold(source: str) -> tuple[GoldSet, ...]:
    """The sets behind ``pack:NAME``, ``pack:NAME/SET``, a folder, or a file, by name.

    Raises ``LoadError`` that says where and why.
    """
    files = _of_pack(source.removeprefix(_PACK)) if source.startswith(_PACK) else _at(Path(source))
    sets = tuple(sorted((read_gold(file) for file in files), key=lambda each: each.name))
    _no_id_twice(sets)
    return sets


def read_gold(path: Path) -> GoldSet:
    """The set in this file, or the bare list of its cases."""
    document = document_from(file_text(path), str(path))
    is_list = isinstance(document.value, list)
    try:
        value = as_gold_set(document.value, path) if is_list else document.value
        return GoldSet.model_validate(value)
    except ValidationError as error:
        raise LoadError(f"{path}: {_mistakes(error, document, is_list=is_list)}") from error


def _of_pack(name: str) -> tuple[Path, ...]:
    pack_name, _, wanted = name.partition("/")
    folder = load_pack(pack_name).gold
    if folder is None:
        raise LoadError(f"the pack {pack_name!r} has no gold questions")
    return _at(folder / f"{wanted}.yaml" if wanted else folder)


def _at(path: Path) -> tuple[Path, ...]:
    if path.is_file():
        return (path,)
    found = tuple(sorted(path.glob("*.yaml")))
    if not found:
        raise LoadError(f"no gold questions at {path}")
    return found


def _no_id_twice(sets: tuple[GoldSet, ...]) -> None:
    home: dict[str, str] = {}
    for each in sets:
        for case in each.cases:
            other = home.setdefault(case.id, each.name)
            if other != each.name:
                raise LoadError(f"case {case.id!r} is in {other!r} and in {each.name!r}")


def _mistakes(error: ValidationError, document: Document, *, is_list: bool) -> str:
    places = ((each["loc"][1:] if is_list else each["loc"], each["msg"]) for each in error.errors())
    return "; ".join(
        f"{_place(place, document.value)}{text} (line {document.line(place)})"
        for place, text in places
    )


def _place(path: tuple[int | str, ...], value: Any) -> str:
    """The place in the file, with a case's id instead of its number."""
    words: list[str] = []
    for part in path:
        value = _at_part(value, part)
        known = value.get("id") if isinstance(value, dict) and isinstance(part, int) else None
        words.append(str(known or part))
    return f"{'.'.join(words)}: " if words else ""


def _at_part(value: Any, part: int | str) -> Any:
    if isinstance(value, dict):
        return value.get(part)
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return None
