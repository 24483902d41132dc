"""The tools on files: each file is a small database of its own, checked by its own schema.

The host says which files there are and what they are called; a model never names a path.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import duckdb
from pydantic import Field

from veridical.check.arguments import read_arguments
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter, OrderBy, SqlCall
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.engines import Engine, Limits, open_files
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.compile import compile_catalog
from veridical.ontology.nearest import nearest
from veridical.tools.tables import run_checked

INSPECT_FILE = "inspectFile"
ANALYZE_DATAFRAME = "analyzeDataframe"
_SHOWN_ROWS = 5
_NOT_IN_A_NAME = re.compile(r"\W+")


class InspectArguments(Wire):
    """Which file to look at."""

    file_name: str
    table_name: str | None = None


class AnalyzeArguments(Wire):
    """What to find out from a file: an aggregate with filters, or SQL."""

    file_name: str
    table_name: str | None = None
    sql: str | None = None
    aggregate: str | None = None
    field: str | None = None
    filters: tuple[Filter, ...] = ()
    group_by: tuple[str, ...] = ()
    order_by: tuple[OrderBy, ...] = ()
    limit: Annotated[int, Field(ge=1)] = 100


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as tables, with the check and the engine for them."""

    checker: Checker
    engine: Engine

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables."""
        return tuple(self.checker.catalog.tables)


@dataclass(frozen=True)
class FileShelf:
    """The files that a caller may read, by the names the model knows. Opened when first asked."""

    files: Mapping[str, Path]
    limits: Limits = field(default_factory=Limits)
    _opened: dict[str, tuple[float, OpenFile]] = field(
        default_factory=dict[str, tuple[float, OpenFile]], repr=False
    )

    def open(self, name: str) -> OpenFile:
        """The file as tables; read again when it has changed. Raises for a file it can't read."""
        path = self.files[name]
        changed = path.stat().st_mtime
        known = self._opened.get(name)
        if known is None or known[0] != changed:
            table = _NOT_IN_A_NAME.sub("_", path.stem).strip("_") or "data"
            database = open_files({table: path})
            catalog = compile_catalog(database.reflect())
            engine = Engine(database, catalog, limits=self.limits, shared=("*",))
            known = changed, OpenFile(Checker(catalog, "duckdb"), engine)
            if name in self._opened:
                self._opened[name][1].engine.database.close()
            self._opened[name] = known
        return known[1]

    def close(self) -> None:
        """Lets go of all files."""
        while self._opened:
            self._opened.popitem()[1][1].engine.database.close()


def inspect_file(arguments: Arguments, shelf: FileShelf, caller: Caller) -> ToolResult:
    """The tables of a file: columns, number of rows, the first rows."""
    asked = read_arguments(InspectArguments, arguments, caller.language)
    if isinstance(asked, Refusal):
        return refused(asked)
    opened = _opened(asked.file_name, shelf, caller)
    if isinstance(opened, Refusal):
        return refused(opened)
    reader = _reader_of(caller)
    wanted = (asked.table_name,) if asked.table_name else opened.tables
    tables: list[dict[str, object]] = []
    result = ToolResult(success=True)
    for name in wanted:
        call = BrowseCall(table_name=name, limit=_SHOWN_ROWS)
        result = run_checked(call, opened.checker, opened.engine.run, reader)
        count = AggregateCall(table_name=name, aggregate="count")
        counted = run_checked(count, opened.checker, opened.engine.run, reader)
        if not (result.success and counted.success):
            return result
        tables.append(_described(opened, name, result, counted))
    return result.model_copy(update={"data": {"fileName": asked.file_name, "tables": tables}})


def analyze_dataframe(arguments: Arguments, shelf: FileShelf, caller: Caller) -> ToolResult:
    """An aggregate or a SQL statement over a file, checked like any other query."""
    asked = read_arguments(AnalyzeArguments, arguments, caller.language)
    if isinstance(asked, Refusal):
        return refused(asked)
    opened = _opened(asked.file_name, shelf, caller)
    if isinstance(opened, Refusal):
        return refused(opened)
    call = _call(asked, opened, caller)
    if isinstance(call, Refusal):
        return refused(call)
    result = run_checked(call, opened.checker, opened.engine.run, _reader_of(caller))
    return _in_own_words(result, asked)


def _in_own_words(result: ToolResult, asked: AnalyzeArguments) -> ToolResult:
    """A corrected call names the tool and the file that the model called."""
    details = result.error_details
    if not details or "correctedCall" not in details:
        return result
    corrected = {
        **details["correctedCall"],
        "tool": ANALYZE_DATAFRAME,
        "fileName": asked.file_name,
    }
    return result.model_copy(update={"error_details": {**details, "correctedCall": corrected}})


def _call(asked: AnalyzeArguments, opened: OpenFile, caller: Caller) -> Call | Refusal:
    if (asked.sql is None) == (asked.aggregate is None):
        return malformed("aggregate", message("tools.sql_or_aggregate", caller.language))
    if asked.sql is not None:
        return SqlCall(sql=asked.sql, limit=asked.limit)
    table = asked.table_name or (opened.tables[0] if len(opened.tables) == 1 else None)
    if table is None:
        told = hint("tools.several_tables", caller.language)
        return malformed("tableName", told, ", ".join(opened.tables))
    return AggregateCall(
        table_name=table,
        aggregate=asked.aggregate or "",
        field=asked.field,
        filters=asked.filters,
        group_by=asked.group_by,
        order_by=asked.order_by,
        limit=asked.limit,
    )


def _opened(name: str, shelf: FileShelf, caller: Caller) -> OpenFile | Refusal:
    if name not in shelf.files:
        told = hint("tools.no_such_file", caller.language, name=name)
        return malformed("fileName", told, nearest(name, shelf.files))
    try:
        return shelf.open(name)
    except (OSError, ValueError, duckdb.Error):
        told = hint("tools.unreadable", caller.language, name=name)
        return malformed("fileName", told)


def _reader_of(caller: Caller) -> Caller:
    """The host has given the whole file to this caller: no tenants, no hidden columns in it."""
    return replace(caller, scope=Scope(), permissions=Permissions())


def _described(
    opened: OpenFile, name: str, browsed: ToolResult, counted: ToolResult
) -> dict[str, object]:
    card = opened.checker.catalog.table(name)
    columns = card.columns.values() if card else ()
    return {
        "tableName": card.name if card else name,
        "rowCount": counted.data["rows"][0][0],
        "columns": [{"name": column.name, "type": column.type.value} for column in columns],
        "rows": browsed.data["rows"],
    }
