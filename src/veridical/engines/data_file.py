"""A file of rows from anybody: parsed in a process of its own, kept as tables in Parquet."""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.engines.database import Database
from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import LARGEST_FILE, BrokenWorkError, LimitError, limits_for
from veridical.messages import message

FORMATS = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".parquet")
"""The endings of the files that can be parsed."""
_WORK = "veridical.engines.file_parsing:parse_request duckdb openpyxl"
_SECONDS = 2.0
_RESERVED_MEGABYTES = 600
"""Addresses that DuckDB reserves for its buffers before it reads anything."""
_NOT_IN_A_NAME = re.compile(r"\W+")
_log = logging.getLogger("veridical.engines")


class DataFileError(ValueError):
    """A file that has no tables; ``reason`` is the name of the message."""

    def __init__(self, name: str, reason: str, limit: LimitError | None = None) -> None:
        self.name = name
        self.reason = reason
        self._limit = limit
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """What is wrong with the file, and what to do."""
        if self._limit is not None:
            return f"{self.name}: {self._limit.message(language)}"
        formats = ", ".join(FORMATS)
        return message(f"data_file.{self.reason}", language, name=self.name, formats=formats)


class FileTable(Wire):
    """One table of a file, as its parser found it."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Names and types."""
    row_count: int


class FileTables(Wire):
    """The tables of a file."""

    tables: tuple[FileTable, ...]
    encoding: str = ""
    """The encoding that a text was read in; empty for other formats."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file as tables: one Parquet file for each."""

    name: str
    about: FileTables
    parts: tuple[bytes, ...]


def parse_data_file(name: str, content: bytes) -> DataFile:
    """The tables of a file. Raises ``DataFileError``."""
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        raise DataFileError(name, "format")
    if not content.strip():
        raise DataFileError(name, "empty")
    if len(content) > LARGEST_FILE:
        raise DataFileError(name, "too_large")
    request = json.dumps({"ending": ending}).encode() + b"\n" + content
    try:
        limits = limits_for(len(content), _SECONDS)
        limits = replace(limits, megabytes=limits.megabytes + _RESERVED_MEGABYTES)
        answer = run_limited(_WORK, request, limits)
    except LimitError as error:
        if isinstance(error, BrokenWorkError):
            _log.warning("the parser of a %s file broke: %s", ending, error.details)
            raise DataFileError(name, "unreadable") from error
        raise DataFileError(name, "limit", error) from error
    problem = json.loads(answer.partition(b"\n")[0]).get("problem")
    if problem:
        raise DataFileError(name, problem)
    return _parsed(name, answer)


def read_data_file(path: Path) -> DataFile:
    """The tables of a file on this machine. Raises ``DataFileError``."""
    try:
        if not path.is_file():
            raise DataFileError(str(path), "missing")
        if path.stat().st_size > LARGEST_FILE:
            raise DataFileError(path.name, "too_large")
        return parse_data_file(path.name, path.read_bytes())
    except OSError as error:
        raise DataFileError(str(path), "missing") from error


def _parsed(name: str, content: bytes) -> DataFile:
    """The file of a parser's answer."""
    head, _, rest = content.partition(b"\n")
    known = json.loads(head)
    parts: list[bytes] = []
    for size in known["sizes"]:
        parts.append(rest[:size])
        rest = rest[size:]
    return DataFile(name, FileTables.model_validate(known["about"]), tuple(parts))


def table_names(files: Iterable[DataFile]) -> dict[str, tuple[str, ...]]:
    """The names of all tables when these files are opened together, by file: the file's name, with
    that of the sheet where it has several."""
    taken: set[str] = set()
    return {each.name: tuple(_names(each, taken)) for each in files}


def open_data_files(
    files: Mapping[str, DataFile], names: Mapping[str, tuple[str, ...]]
) -> Database:
    """A database of all these tables, by these names."""
    # Imported here because it is an extra: the names of the formats are known without it.
    from veridical.engines.duckdb import open_files

    with TemporaryDirectory(prefix="veridical-files-") as folder:
        paths: dict[str, Path] = {}
        for file, each in files.items():
            for table, part in zip(names[file], each.parts, strict=True):
                paths[table] = Path(folder) / f"{len(paths)}.parquet"
                paths[table].write_bytes(part)
        return open_files(paths)


def _names(file: DataFile, taken: set[str]) -> Iterator[str]:
    stem = _plain(Path(file.name).stem) or "data"
    for table in file.about.tables:
        whole = stem if len(file.about.tables) == 1 else f"{stem}_{_plain(table.name)}"
        name, number = whole, 2
        while name.casefold() in taken:
            name, number = f"{whole}_{number}", number + 1
        taken.add(name.casefold())
        yield name


def _plain(name: str) -> str:
    return _NOT_IN_A_NAME.sub("_", name).strip("_")
