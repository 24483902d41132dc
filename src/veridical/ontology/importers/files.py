"""The documents in the files and folders of an import."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from veridical.ontology.importers.imported import Draft, ImportFailed

_YAML: Final = frozenset({".yml", ".yaml"})
LIST: Final = "[]"
"""The key under which the items of a document that is a list are found."""
_GENERATED: Final = frozenset({"target", "dbt_packages", "node_modules"})

Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True, slots=True)
class Document:
    """One mapping of a YAML, JSON or CSV file, and the file it stands in."""

    file: Path
    content: dict[str, Any]


def read_documents(paths: Paths, draft: Draft) -> list[Document]:
    """All mappings in these files; a folder stands for the YAML files in it.

    A file of a folder that can't be read is noted, a file that was named raises.
    """
    documents: list[Document] = []
    for path in _listed(paths):
        if path.is_dir():
            for file in _yaml_files(path):
                try:
                    documents += _documents(file)
                except ImportFailed as error:
                    draft.dropped(str(file.relative_to(path)), "file_unreadable", reason=str(error))
        else:
            documents += _documents(path)
    return documents


def feature_code(paths: Paths) -> str:
    """A name for the import, from the first path."""
    return next(iter(_listed(paths))).resolve().stem


def is_training_data(path: Path) -> bool:
    """True if a CSV file is an export of Vanna's training data."""
    if path.suffix.lower() != ".csv" or not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        return {"training_data_type", "content"} <= set(next(csv.reader(file), ()))


def _listed(paths: Paths) -> list[Path]:
    if isinstance(paths, str | Path):
        return [Path(paths)]
    return [Path(path) for path in paths]


def _yaml_files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder).parts
        skipped = any(part in _GENERATED or part.startswith(".") for part in inner)
        if file.suffix in _YAML and not skipped:
            yield file


def _documents(file: Path) -> list[Document]:
    try:
        text = file.read_text("utf-8")
        if file.suffix == ".json":
            found = [json.loads(text)]
        elif file.suffix == ".csv":
            found = [list(csv.DictReader(text.splitlines(keepends=True)))]
        else:
            found = list(yaml.load_all(text, Loader=_LOADER))
    except (OSError, UnicodeDecodeError, ValueError, csv.Error, yaml.YAMLError) as error:
        raise ImportFailed(f"{file.name}: {' '.join(str(error).split())}") from error
    named = [{LIST: content} if isinstance(content, list) else content for content in found]
    return [Document(file, content) for content in named if isinstance(content, dict)]


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
