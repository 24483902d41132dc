"""The files that a caller may read: each is a small database of its own.

The host names the files; a model never names a path.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from veridical.check.checker import Checker
from veridical.engines import Engine, Limits
from veridical.ontology.compile import compile_catalog

_NOT_IN_A_NAME = re.compile(r"\W+")


class UnreadableFileError(ValueError):
    """A file that is gone, or that holds no tables."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as tables, with the check and the engine for them."""

    checker: Checker
    engine: Engine
    tables: tuple[str, ...]
    """The names of its tables."""


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """Files that were opened together: a query of one may join the tables of all."""

    files: Mapping[str, OpenFile]

    def open(self, name: str) -> OpenFile:
        """The file of this name."""
        return self.files[name]


@dataclass(frozen=True)
class FileShelf:
    """The files that a caller may read, by the names the model knows. Opened on first use."""

    files: Mapping[str, Path]
    limits: Limits = field(default_factory=Limits)
    _opened: dict[str, tuple[float, OpenFile]] = field(
        default_factory=dict[str, tuple[float, OpenFile]], repr=False
    )

    def open(self, name: str) -> OpenFile:
        """The file as tables; read again when it has changed. Raises ``UnreadableFileError``."""
        # Imported here because it is an extra: the names of the tools are known without it.
        import duckdb

        try:
            return self._current(name)
        except (OSError, ValueError, duckdb.Error) as error:
            raise UnreadableFileError(name) from error

    def _current(self, name: str) -> OpenFile:
        from veridical.engines.duckdb import open_files

        path = self.files[name]
        changed = path.stat().st_mtime
        known = self._opened.get(name)
        if known is None or known[0] != changed:
            table = _NOT_IN_A_NAME.sub("_", path.stem).strip("_") or "data"
            database = open_files({table: path})
            catalog = compile_catalog(database.reflect())
            engine = Engine(database, catalog, limits=self.limits, shared=("*",))
            known = changed, OpenFile(Checker(catalog, "duckdb"), engine, tuple(catalog.tables))
            if name in self._opened:
                self._opened[name][1].engine.database.close()
            self._opened[name] = known
        return known[1]

    def close(self) -> None:
        """Closes all files."""
        while self._opened:
            self._opened.popitem()[1][1].engine.database.close()
