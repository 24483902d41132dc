"""Loads gold sets: of a pack, a folder, one file, or a bare list of questions."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from veridical.contracts.language import Language
from veridical.evals.gold.case import GoldSet
from veridical.host.settings import read_runtime_settings
from veridical.ontology.compile import schema_of
from veridical.ontology.errors import LoadError
from veridical.ontology.ontology_file import document_from, file_text
from veridical.ontology.pack import PackNotFoundError, load_pack, pack_names
from veridical.ontology.yaml_document import Document
from veridical.reading.language import language_of

_PACK = "pack:"
_OF_THE_SET = ("today", "tenant", "tenantNames")


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


def as_gold_set(cases: Sequence[Any], path: Path) -> dict[str, Any]:
    """The set of a bare list of cases. Raises ``LoadError`` where its feature is not clear.

    The feature is the one of ``veridical.toml``, else the pack with the tables of the expected
    calls; the day and the tenant are those of the pack's own gold sets.
    """
    feature = _feature(cases, path)
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
    return {
        "name": path.stem,
        "feature": feature,
        "today": written,
        **_usual(feature),
        "cases": [_with_language(each) for each in cases],
    }


def _with_language(case: Any) -> Any:
    if not isinstance(case, dict) or "language" in case:
        return case
    return {**case, "language": language_of(str(case.get("question", "")), Language.EN)}


def _feature(cases: Sequence[Any], path: Path) -> str:
    configured = [each.name for each in read_runtime_settings().features]
    tables = set(_tables(cases))
    having = _smallest(name for name in pack_names() if tables and tables <= _tables_of(name))
    fitting = configured if len(configured) == 1 else having
    if len(fitting) != 1:
        known = ", ".join(fitting or configured or pack_names())
        raise LoadError(f"{path}: a list of questions needs one feature, and there are {known}")
    return fitting[0]


def _tables(cases: Sequence[Any]) -> Iterator[str]:
    for case in cases:
        pattern = case.get("expectedToolPattern") if isinstance(case, dict) else None
        table = pattern.get("tableName") if isinstance(pattern, dict) else None
        if isinstance(table, str) and table:
            yield table


def _tables_of(pack: str) -> set[str]:
    loaded = load_pack(pack)
    return {*loaded.schema.tables, *schema_of(loaded.ontology).tables}


def _smallest(packs: Iterable[str]) -> list[str]:
    """Of packs with the same tables the one that the others add to."""
    found: dict[frozenset[str], str] = {}
    for name in sorted(packs, key=lambda each: len(load_pack(each).ontology.model_dump_json())):
        found.setdefault(frozenset(_tables_of(name)), name)
    return list(found.values())


def _usual(feature: str) -> dict[str, Any]:
    """The day and the tenant of the pack's own gold sets, where it has any."""
    try:
        folder = load_pack(feature).gold
    except PackNotFoundError:
        return {}
    first = next(iter(sorted(folder.glob("*.yaml"))), None) if folder else None
    if first is None:
        return {}
    known = document_from(file_text(first), str(first)).value
    return {key: known[key] for key in _OF_THE_SET if key in known}
