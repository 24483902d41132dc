"""ClickHouse in this process (``chdb``): its own read-only mode, and one SELECT by its own parser.

A connection is opened for each time limit and scope and then made read-only for good: its limits
and its filters, which keep the tenant's rows of every table, can never be changed. No database
of the data is chosen, so that only full names reach the tables.
"""

import json
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

import chdb

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Column, Schema, Table, value_type_of
from veridical.contracts.statement import Bound, Statement
from veridical.engines.address import path_in
from veridical.engines.error_mapping import mapped
from veridical.engines.estimate import CostEstimate, clickhouse_estimate, ended_by_limit
from veridical.engines.limits import CHUNK, Fetched, Limits, collect
from veridical.engines.step_statements import named, statement_name, stoppable
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.statement.driver import marked
from veridical.statement.errors import EngineError, Problem

_FORMAT = "JSONCompactEachRowWithNamesAndTypes"
_ROWS = "JSONCompactEachRow"
_NO_ROWS = "SELECT * FROM ({query}) LIMIT 0"
_HEADING = 2
"""Lines before the rows."""
_KEPT_TEXTS = 1024
_PARSING_MS = 2_000
_PARSE = "SELECT formatQuerySingleLine({q:String})"
_ELSEWHERE = "information_schema"
"""The database of unqualified names: it has none of the data."""
_MEMORY = 512 * 1024 * 1024
_MOST_THREADS = 4
_MOST_IDLE = 16
Kind = tuple[int, str]
"""A connection's time limit and its filters."""
_STARTS = ("SELECT ", "WITH ", "(")
_TEXTS = re.compile(r"'(?:[^'\\]|\\.)*'")
_CLAUSES = r"\bINTO OUTFILE\b|\bsystem\s*\.|\bSETTINGS\b|\bFORMAT\b(?!\s*\()"
"""Statements that write files, inspect the process itself, or change its limits."""
_SOURCES = "SELECT name FROM system.table_functions"
"""Those that open something before their permission is checked."""
_HARMLESS = frozenset(
    {"numbers", "numbers_mt", "zeros", "zeros_mt", "values", "generateSeries", "generate_series"}
    | {"format"}
)
"""Sources that make rows out of their arguments, and a name that is a plain function as well."""
_TYPES: dict[type, str] = {bool: "Bool", int: "Int64", float: "Float64", str: "String"}
_FLOAT = re.compile(r"(?:Nullable\()?Float(?:32|64)\)?")
_CODE = re.compile(r"Code: (\d+)\.")
_PROBLEMS: tuple[tuple[Problem, tuple[int, ...]], ...] = (
    (Problem.TIMEOUT, (159, 160, 394)),
    (Problem.NOT_PERMITTED, (164, 291, 497)),
    (Problem.DIVISION_BY_ZERO, (153,)),
    (Problem.BAD_VALUE, (6, 26, 27, 32, 38, 41, 53, 69, 70, 72, 321, 407, 457)),
    (Problem.TOO_LARGE, (158, 191, 241, 307, 396)),
    (Problem.UNAVAILABLE, (76, 107, 210, 243, 592)),
)
_BEFORE_ROWS = frozenset({10, 35, 36, 42, 43, 44, 46, 47, 48, 62, 80, 99, 179, 184, 206, 207, 215})
"""Errors while a statement is parsed: names, grouping, syntax, arguments of functions."""
_BEHIND = re.compile(
    r"(?i)[.:,]?\s*(?:in scope|while processing|in query|maybe you meant|expected one of"
    r"|failed at position|\(?required columns|: ?select )"
)
_BY_CODE = {code: problem for problem, codes in _PROBLEMS for code in codes}
_COLUMNS = """
    SELECT table, name, type FROM system.columns WHERE database = {p1:String}
    ORDER BY table, position
    """
_COUNTED = """
    SELECT database, count() FROM system.tables
    WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')
    GROUP BY database ORDER BY database
    """


class ClickHouse:
    """A folder of ClickHouse data that can only be read."""

    dialect = "clickhouse"

    def __init__(self, path: Path, database: str = "default") -> None:
        """Takes the data folder of a ClickHouse or chdb."""
        self.schemas: tuple[str, ...] = (database,)
        self._path = path
        self._lock = Lock()
        self._idle: dict[Kind, list[Any]] = {}
        self._closed = False
        self._keeper = chdb.connect(str(path))
        """Stays open: without a connection the process would release the data."""
        self._forbidden = _forbidden(self._keeper)
        self._threads = _threads(self._keeper)
        self._only = lru_cache(_KEPT_TEXTS)(self._parsed)

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        return mapped(
            lambda: self._fetch(statement, scope, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        values = {f"p{number}": value for number, value in enumerate(statement.parameters, 1)}
        name, only = statement_name(), self._only(self._marked(statement))
        with (
            self._lent((limits.statement_ms, self._filters(scope))) as connection,
            stoppable(lambda: self._kill(name)),
        ):
            only = named(only, name)
            params = _written(values) or None
            stream = connection.send_query(only, _FORMAT, params=params)
            try:
                read: Counter[str] = Counter()
                lines = _lines(stream, read)
                heading = list(islice(lines, _HEADING))
                if heading:
                    names, types = map(json.loads, heading)
                    found = collect(names, _chunks(lines, types), rows, limits.bytes)
                    return replace(found, rows_read=read["rows"], bytes_read=read["bytes"])
            finally:
                stream.cancel()
            # Without rows nothing is streamed, not even the names.
            names_only = connection.query(_NO_ROWS.format(query=only), _FORMAT, params)
            return Fetched(tuple(json.loads(str(names_only).splitlines()[0])), (), truncated=False)

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate | None:
        """What a statement would read: the parts of each table that its key leaves."""
        return mapped(lambda: self._estimate(statement, scope, limits), _problem)

    def _estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate:
        values = {f"p{number}": value for number, value in enumerate(statement.parameters, 1)}
        only = self._only(self._marked(statement))
        with self._lent((limits.probe_ms, self._filters(scope))) as connection:
            text = connection.query(f"EXPLAIN ESTIMATE {only}", _ROWS, _written(values) or None)
            found = clickhouse_estimate([json.loads(line) for line in str(text).splitlines()])
            return ended_by_limit(found, statement.sql, self.dialect)

    def _kill(self, name: str) -> None:
        """Ends what runs under this name."""
        self._keeper.query(f"KILL QUERY WHERE startsWith(query, {_text(named('', name))}) ASYNC")

    def _marked(self, statement: Statement) -> str:
        values = statement.parameters
        return marked(statement.sql, self.dialect, lambda each: _mark(each, values[each - 1]))

    def _parsed(self, sql: str) -> str:
        with self._lent((_PARSING_MS, "")) as connection:
            return _only_select(connection, sql, self._forbidden)

    def _filters(self, scope: Scope) -> str:
        """The rows of each table that ClickHouse itself lets this scope read."""
        if not scope.allowed:
            return ""
        parts: list[str] = []
        for table in self._schema.tables.values():
            conditions = [
                f"toString({_quoted(column.name)}) IN ({', '.join(map(_text, map(str, values)))})"
                if (values := scope.allowed[column.name])
                else "0"
                for column in table.columns
                if column.name in scope.allowed
            ]
            if conditions:
                name = ".".join(table.place(self.namespace))
                parts.append(f"{_text(name)}: {_text(' AND '.join(conditions))}")
        return f"{{{', '.join(parts)}}}"

    @cached_property
    def _schema(self) -> Schema:
        return self._reflect()

    def reflect(self) -> Schema:
        """The tables and columns of the database. A primary key is an order here: rows repeat."""
        return mapped(self._reflect, _problem)

    @property
    def namespace(self) -> tuple[str, ...]:
        """The first database of those that are read."""
        return self.schemas[:1]

    def seen_schemas(self) -> dict[str, int]:
        """The non-empty databases, with the number of tables."""
        text = mapped(lambda: self._keeper.query(_COUNTED, _ROWS), _problem)
        return {name: int(count) for name, count in map(json.loads, str(text).splitlines())}

    def _reflect(self) -> Schema:
        return Schema.of_schemas(each for name in self.schemas for each in self._tables(name))

    def _tables(self, database: str) -> list[Table]:
        text = self._keeper.query(_COLUMNS, _ROWS, {"p1": database})
        columns: dict[str, list[Column]] = {}
        for table, name, declared in map(json.loads, str(text).splitlines()):
            nullable = declared.startswith(("Nullable(", "LowCardinality(Nullable("))
            columns.setdefault(table, []).append(Column(name, value_type_of(declared), nullable))
        return [Table(name, tuple(found), schema=database) for name, found in columns.items()]

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            idle = [each for pool in self._idle.values() for each in pool]
            self._idle.clear()
        for connection in (*idle, self._keeper):
            connection.close()

    @contextmanager
    def _lent(self, kind: Kind) -> Generator[Any]:
        """A connection of this kind; one that failed is not used again."""
        with self._lock:
            if self._closed:
                raise EngineError(Problem.UNAVAILABLE)
            pool = self._idle.pop(kind, [])
            connection = pool.pop() if pool else None
            if pool:
                self._idle[kind] = pool
        connection = connection or self._opened(*kind)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        for surplus in self._kept(kind, connection):
            surplus.close()

    def _kept(self, kind: Kind, connection: Any) -> list[Any]:
        """Keeps a connection for the next statement of its kind. Returns those to be closed."""
        with self._lock:
            if self._closed:
                return [connection]
            self._idle.setdefault(kind, []).append(connection)
            if sum(map(len, self._idle.values())) <= _MOST_IDLE:
                return []
            oldest = next(iter(self._idle))
            return self._idle.pop(oldest)

    def _opened(self, statement_ms: int, filters: str) -> Any:
        connection = chdb.connect(str(self._path))
        if filters:
            connection.query(f"SET additional_table_filters = {filters}")
        for setting in (
            f"USE {_ELSEWHERE}",
            f"SET max_execution_time = {statement_ms / 1000}, timeout_overflow_mode = 'throw'",
            f"SET max_memory_usage = {_MEMORY}, max_threads = {self._threads}",
            "SET join_use_nulls = 1, output_format_json_quote_64bit_integers = 0",
            "SET readonly = 1",
        ):
            connection.query(setting)
        return connection


def connect(address: str, role: str | None, connections: int) -> ClickHouse:
    """The folder in ``clickhouse:///PATH?database=NAME``."""
    del role, connections
    where, _, options = address.partition("?")
    path = path_in(where)
    if not path.is_dir():
        raise SourceError(SourceProblem.NO_FILE, source=path)
    database = parse_qs(options).get("database", ["default"])[0]
    return mapped(lambda: ClickHouse(path, database), _problem)


def _forbidden(connection: Any) -> re.Pattern[str]:
    """The pattern of forbidden clauses and of all sources of rows other than tables."""
    listed = str(connection.query(_SOURCES, "TabSeparated")).split()
    names = "|".join(re.escape(name) for name in listed if name not in _HARMLESS)
    return re.compile(rf"{_CLAUSES}|\b(?:{names})\s*\(", re.IGNORECASE)


def _threads(connection: Any) -> int:
    """The threads of one statement: one per processor, up to a limit."""
    usual = str(connection.query("SELECT getSetting('max_threads')", "TabSeparated"))
    return max(1, min(_MOST_THREADS, int(usual)))


def _only_select(connection: Any, sql: str, forbidden: re.Pattern[str]) -> str:
    """The one query of the text by ClickHouse's own parser. Raises ``EngineError``."""
    text = connection.query(_PARSE, _ROWS, {"q": sql})
    written: str = json.loads(str(text))[0]
    if not written.startswith(_STARTS) or forbidden.search(_TEXTS.sub("''", written)):
        raise EngineError(Problem.NOT_PERMITTED)
    return written


def _text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def _mark(number: int, value: Bound) -> str:
    if isinstance(value, Decimal):
        places = max(0, -int(value.as_tuple().exponent)) if value.is_finite() else 0
        return f"{{p{number}:Decimal(38, {min(places, 37)})}}"
    return f"{{p{number}:{_TYPES[type(value)]}}}"


def _written(values: dict[str, Bound]) -> dict[str, Any]:
    exact = {name: str(value) for name, value in values.items() if isinstance(value, Decimal)}
    return {**values, **exact}


def _lines(stream: Any, read: Counter[str]) -> Iterator[str]:
    """The lines of a streamed result: the names, the types, then rows.

    Each piece is written as if it were the whole result, so all but the first begin with names and
    types once more. What was read of the data for it is counted in ``read``.
    """
    for number, piece in enumerate(stream):
        read.update(rows=piece.storage_rows_read(), bytes=piece.storage_bytes_read())
        lines = piece.bytes().split(b"\n")
        rows = lines[_HEADING:] if number else lines
        yield from (line.decode("utf-8", "replace") for line in rows if line)


def _chunks(lines: Iterator[str], types: Sequence[str]) -> Generator[Sequence[Any]]:
    moments = [index for index, each in enumerate(types) if "DateTime" in each]
    floats = [index for index, each in enumerate(types) if _FLOAT.fullmatch(each)]
    chunk: list[Any] = []
    for line in lines:
        row = json.loads(line, parse_float=Decimal)
        for index in moments:
            if isinstance(row[index], str):
                row[index] = row[index].replace(" ", "T", 1)
        for index in floats:
            if isinstance(row[index], Decimal):
                row[index] = float(row[index])
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _reason(error: Exception) -> str:
    """The start of ClickHouse's error; after it stand the whole statement and similar names."""
    found = _CODE.search(str(error))
    if found is None or int(found.group(1)) not in _BEFORE_ROWS:
        return ""
    text = str(error)[found.end() :].removeprefix(" DB::Exception:")
    return _BEHIND.split(text, maxsplit=1)[0]


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, chdb.ChdbError | RuntimeError):
        found = _CODE.search(str(error))
        return _BY_CODE.get(int(found.group(1)), Problem.FAILED) if found else Problem.FAILED
    if isinstance(error, StopIteration | OSError):
        return Problem.FAILED
    return None
