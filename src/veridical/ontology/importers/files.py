"""The documents in the files and folders of an import."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.importers.cube_javascript import JavascriptError, parse_cubes
from veridical.ontology.importers.imported import Draft, ImportFailed
from veridical.ontology.importers.lookml_text import LookmlError, parse_lookml
from veridical.ontology.importers.tmdl_text import TmdlError, parse_tmdl

MODELS: Final = frozenset({".yml", ".yaml", ".lkml", ".tmdl", ".js"})
"""The endings of files that a folder is read for."""
LIST: Final = "[]"
"""The key under which the items of a document that is a list are found."""
_GENERATED: Final = frozenset({"target", "dbt_packages", "node_modules"})

Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True, slots=True)
class Document:
    """One mapping of a YAML, JSON or CSV file, or one parsed file of LookML or TMDL, and the file
    it stands in."""

    file: Path
    content: dict[str, Any]


def read_documents(paths: Paths, draft: Draft) -> list[Document]:
    """All mappings in these files; a folder stands for the model files in it.

    A file of a folder that can't be read is noted, a file that was named raises.
    """
    documents: list[Document] = []
    for path in _listed(paths):
        if path.is_dir():
            for file in _model_files(path):
                try:
                    documents += _documents(file, draft.language)
                except ImportFailed as error:
                    draft.dropped(str(file.relative_to(path)), "file_unreadable", reason=str(error))
        else:
            documents += _documents(path, draft.language)
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


def _model_files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder).parts
        skipped = any(part in _GENERATED or part.startswith(".") for part in inner)
        if file.suffix in MODELS and not skipped:
            yield file


def _documents(file: Path, language: Language) -> list[Document]:
    try:
        text = file.read_text("utf-8")
        if file.suffix == ".json":
            found = [json.loads(text)]
        elif file.suffix == ".lkml":
            found = [{"lookml": parse_lookml(text.removeprefix("\ufeff"))}]
        elif file.suffix == ".tmdl":
            found = [{"tmdl": parse_tmdl(text)}]
        elif file.suffix == ".js":
            found = [parse_cubes(text)]
        elif file.suffix == ".csv":
            found = [list(csv.DictReader(text.splitlines(keepends=True)))]
        else:
            found = list(yaml.load_all(text, Loader=_LOADER))
    except (LookmlError, TmdlError, JavascriptError) as error:
        values = {"file": file.name, "line": error.line, "text": error.text}
        key = "line_unreadable" if error.text else "file_ends"
        raise ImportFailed(message(f"import.{key}", language, **values)) from error
    except (OSError, UnicodeDecodeError, ValueError, csv.Error, yaml.YAMLError) as error:
        raise ImportFailed(f"{file.name}: {' '.join(str(error).split())}") from error
    named = [{LIST: content} if isinstance(content, list) else content for content in found]
    return [Document(file, content) for content in named if isinstance(content, dict)]


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
