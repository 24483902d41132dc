"""The folder of a run: its setup, results, traces, recorded steps and truths.

A run counts once its line stands in ``results.jsonl``; what a killed process wrote before that is
written again.
"""

import datetime as dt
import json
import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from veridical.contracts.schema import Schema
from veridical.contracts.trace import AgentTrace
from veridical.evals.gold.oracle import CaseTruth, Truth
from veridical.evals.scoring.record import RunKey, RunRecord, ScoredRun
from veridical.evals.storage.setup import RunSetup
from veridical.ontology.errors import LoadError
from veridical.trace.jsonl import JsonLines

_BINARY = getattr(os, "O_BINARY", 0)


def write(path: Path, content: bytes, how: int) -> None:
    """Write with ``os.O_TRUNC`` or ``os.O_APPEND``: a run writes two such files, and a file object
    for each takes longer than the writing."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | how | _BINARY, 0o644)
    try:
        if os.write(handle, content) < len(content):
            raise OSError(f"no room for {path}")
    finally:
        os.close(handle)


class Results:
    """The results file of one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, record: RunRecord) -> None:
        """Write one run at once."""
        line = record.model_dump_json(by_alias=True).encode() + b"\n"
        write(self.path, line, os.O_APPEND)

    def drop_torn_line(self) -> None:
        """Take away what a killed process wrote of its last line: that run is made again."""
        if not self.path.exists():
            return
        with self.path.open("r+b") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                file.truncate(whole)
                os.fsync(file.fileno())

    def read(self) -> tuple[RunRecord, ...]:
        """The runs so far, as they ended. Raises ``LoadError`` for a line that is no run."""
        return tuple(self._records()) if self.path.exists() else ()

    def keys(self) -> frozenset[RunKey]:
        """The runs that need not be made again."""
        return frozenset(record.key for record in self.read())

    def _records(self) -> Iterator[RunRecord]:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                yield RunRecord.model_validate_json(line)
            except ValidationError as error:
                raise LoadError(f"{self.path}, line {number} is no run") from error


if sys.platform != "win32":
    import fcntl

_EVERY_TRACE = 10_000_000
_SCHEMA: TypeAdapter[Schema] = TypeAdapter(Schema)


class RunFolder:
    """The folder with the runs of one setup."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results = Results(path / "results.jsonl")
        self.traces = JsonLines(path / "traces")
        self._setup = path / "run.json"
        self._steps = path / "steps"
        self._truths = path / "truths.json"
        self._schema = path / "schema.json"
        self._dialect = path / "dialect.txt"

    @property
    def exists(self) -> bool:
        """True if runs were made here."""
        return self._setup.is_file()

    @contextmanager
    def locked(self) -> Generator[None]:
        """For one process at a time: two would make every run twice."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as lock:
            if sys.platform != "win32":
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    raise LoadError(f"another process runs in {self.path}") from error
            yield

    def begin(self, setup: RunSetup) -> RunSetup:
        """Start here, or go on: the setup must be that of the runs before, which are kept.

        Raises ``LoadError`` that names what differs.
        """
        if self.exists:
            before = self.setup()
            changed = setup.differences(before)
            if changed:
                raise LoadError(
                    f"{self.path} holds runs with other {', '.join(changed)}: take another folder"
                )
            header = setup.header
            most = max(header.repeats, before.header.repeats)
            cases = max(header.cases, before.header.cases)
            setup = setup.model_copy(
                update={
                    "header": header.model_copy(update={"repeats": most, "cases": cases}),
                    "cache_hits": before.cache_hits,
                    "cache_misses": before.cache_misses,
                }
            )
        self.results.drop_torn_line()
        self._steps.mkdir(parents=True, exist_ok=True)
        self.write_setup(setup)
        return setup

    def begin_anew(self, setup: RunSetup) -> None:
        """Start over with a replay; live runs are never thrown away for it."""
        if self._steps.exists():
            raise LoadError(f"{self.path} holds recorded runs: replay them into another folder")
        self.path.mkdir(parents=True, exist_ok=True)
        self.results.path.unlink(missing_ok=True)
        for day in self.traces.folder.glob("*.jsonl"):
            day.unlink()
        self.write_setup(setup)

    def write_setup(self, setup: RunSetup) -> None:
        """Write the setup of the runs."""
        text = json.dumps(
            setup.model_dump(mode="json", by_alias=True), ensure_ascii=False, indent=1
        )
        unfinished = self._setup.with_suffix(".new")
        unfinished.write_text(f"{text}\n", "utf-8", newline="\n")
        unfinished.replace(self._setup)

    def setup(self) -> RunSetup:
        """The setup of the runs. Raises ``LoadError`` where there are none."""
        try:
            return RunSetup.model_validate_json(self._setup.read_text("utf-8"))
        except OSError as error:
            raise LoadError(f"no runs in {self.path}: no {self._setup.name}") from error
        except ValidationError as error:
            raise LoadError(f"{self._setup} is from another version") from error

    def save(self, judged: ScoredRun, steps: bytes = b"") -> None:
        """Keep a run, with its recorded steps as JSON: its line last, which makes it count."""
        if steps:
            write(self._steps_of(judged.record.key), steps, os.O_TRUNC)
        self.traces.save(judged.trace, judged.texts)
        self.results.append(judged.record)

    def steps(self, key: RunKey) -> dict[str, Any]:
        """The recorded steps of a run."""
        path = self._steps_of(key)
        try:
            return json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise LoadError(f"no recorded run in {path}") from error

    def all_traces(self) -> dict[str, AgentTrace]:
        """Every trace by its id."""
        return {trace.trace_id: trace for trace in self.traces.recent(_EVERY_TRACE)}

    def write_ground(self, truths: Mapping[str, CaseTruth], schema: Schema, dialect: str) -> None:
        """Keep the truths and the tables: a replay has nothing else."""
        write_truths(self._truths, truths)
        self._schema.write_bytes(_SCHEMA.dump_json(schema, indent=1))
        self._dialect.write_text(dialect, "utf-8")

    def dialect(self) -> str:
        """The dialect of the database: PostgreSQL's in runs of earlier releases."""
        return self._dialect.read_text("utf-8") if self._dialect.is_file() else "postgres"

    def truths(self) -> dict[str, CaseTruth]:
        """The true results."""
        return read_truths(self._truths)

    def schema(self) -> Schema:
        """The tables as they were."""
        try:
            return _SCHEMA.validate_json(self._schema.read_bytes())
        except (OSError, ValidationError) as error:
            raise LoadError(f"{self._schema} holds no tables") from error

    def _steps_of(self, key: RunKey) -> Path:
        return self._steps / f"{quote(key.case, safe='')}.{key.mode}.{key.repeat}.json"


_PLAIN = (str, int, float, bool, type(None))
_TYPES: dict[str, tuple[type, Callable[[Any], str], Callable[[str], Any]]] = {
    "decimal": (Decimal, str, Decimal),
    "datetime": (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
}
"""A moment is a day too, so it stands first."""


def write_truths(path: Path, truths: Mapping[str, CaseTruth]) -> None:
    """Write the truths; the same ones give the same bytes."""
    stored = {
        case: {"truth": _stored(truth.truth), "wrong": _stored(truth.wrong)}
        for case, truth in sorted(truths.items())
    }
    path.write_text(json.dumps(stored, ensure_ascii=False, indent=1), "utf-8", newline="\n")


def read_truths(path: Path) -> dict[str, CaseTruth]:
    """The stored truths. Raises ``LoadError``."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        return {
            case: CaseTruth(_read(each["truth"]), _read(each["wrong"]))
            for case, each in stored.items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LoadError(f"{path} holds no truths: {error}") from error


def _stored(truth: Truth) -> dict[str, Any]:
    return {
        "columns": truth.columns,
        "rows": [[_stored_value(value) for value in row] for row in truth.rows],
    }


def _read(stored: dict[str, Any]) -> Truth:
    rows = tuple(tuple(_value_read(value) for value in row) for row in stored["rows"])
    return Truth(tuple(stored["columns"]), rows)


def _stored_value(value: Any) -> Any:
    for name, (kind, write, _) in _TYPES.items():
        if isinstance(value, kind):
            return {name: write(value)}
    if isinstance(value, _PLAIN):
        return value
    raise LoadError(f"a truth can't be a {type(value).__name__}: {value}")


def _value_read(value: Any) -> Any:
    if isinstance(value, dict):
        ((name, text),) = value.items()
        return _TYPES[name][2](text)
    return value
