"""The tools on files: each file is checked by its own schema, like a small database."""

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from veridical.check.arguments import read_arguments
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter, OrderBy, SqlCall
from veridical.contracts.caller import Permissions, Scope
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest
from veridical.tools.argument_schemas import ArgumentSchemas, built_in_texts, one_object
from veridical.tools.context import BuiltIn, DataContext
from veridical.tools.file_shelf import OpenFile, UnreadableFileError
from veridical.tools.tables import CheckedTableCall, checked_call, run_table_call

INSPECT_FILE = "inspectFile"
ANALYZE_DATAFRAME = "analyzeDataframe"
_SHOWN_ROWS = 5


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
class Inspection:
    """A file that is there, and which of its tables to show."""

    asked: InspectArguments
    opened: OpenFile


@dataclass(frozen=True, slots=True)
class Analysis:
    """A checked query on a file."""

    asked: AnalyzeArguments
    call: CheckedTableCall


def check_inspection(arguments: Arguments, context: DataContext) -> Inspection | ToolResult:
    """Which file to show; a refusal where it can't be read."""
    asked = read_arguments(InspectArguments, arguments, context.language)
    if isinstance(asked, Refusal):
        return refused(asked)
    opened = _opened(asked.file_name, context)
    return refused(opened) if isinstance(opened, Refusal) else Inspection(asked, opened)


def inspect_file(checked: Inspection, context: DataContext) -> ToolResult:
    """The tables of a file: columns, number of rows, the first rows."""
    asked, opened = checked.asked, checked.opened
    reader = _reader_of(context)
    wanted = (asked.table_name,) if asked.table_name else opened.tables
    tables: list[dict[str, object]] = []
    result = ToolResult(success=True)
    for name in wanted:
        result = _ran(BrowseCall(table_name=name, limit=_SHOWN_ROWS), opened, reader)
        counted = _ran(AggregateCall(table_name=name, aggregate="count"), opened, reader)
        if not (result.success and counted.success):
            return result
        tables.append(_described(opened, name, result, counted))
    return result.model_copy(update={"data": {"fileName": asked.file_name, "tables": tables}})


def check_analysis(arguments: Arguments, context: DataContext) -> Analysis | ToolResult:
    """An aggregate or a SQL statement over a file, checked like any other query."""
    asked = read_arguments(AnalyzeArguments, arguments, context.language)
    if isinstance(asked, Refusal):
        return refused(asked)
    opened = _opened(asked.file_name, context)
    if isinstance(opened, Refusal):
        return refused(opened)
    call = _call(asked, opened, context)
    if isinstance(call, Refusal):
        return refused(call)
    checked = checked_call(call, opened.checker, opened.engine.run, _reader_of(context))
    if isinstance(checked, ToolResult):
        return _in_own_words(checked, asked)
    return Analysis(asked, checked)


def analyze_dataframe(checked: Analysis, context: DataContext) -> ToolResult:
    """What the query finds in the file."""
    return run_table_call(checked.call, context)


def _ran(call: Call, opened: OpenFile, context: DataContext) -> ToolResult:
    checked = checked_call(call, opened.checker, opened.engine.run, context)
    return checked if isinstance(checked, ToolResult) else run_table_call(checked, context)


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


def _call(asked: AnalyzeArguments, opened: OpenFile, context: DataContext) -> Call | Refusal:
    if (asked.sql is None) == (asked.aggregate is None):
        return malformed("aggregate", message("tools.sql_or_aggregate", context.language))
    if asked.sql is not None:
        return SqlCall(sql=asked.sql, limit=asked.limit)
    table = asked.table_name or (opened.tables[0] if len(opened.tables) == 1 else None)
    if table is None:
        told = hint("tools.several_tables", context.language)
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


def _opened(name: str, context: DataContext) -> OpenFile | Refusal:
    shelf = context.files
    if shelf is None or name not in shelf.files:
        told = hint("tools.no_such_file", context.language, name=name)
        return malformed("fileName", told, nearest(name, shelf.files if shelf else ()))
    try:
        return shelf.open(name)
    except UnreadableFileError:
        told = hint("tools.unreadable", context.language, name=name)
        return malformed("fileName", told)


def _reader_of(context: DataContext) -> DataContext:
    """The host has given the whole file to this caller: no tenants, no hidden columns in it."""
    reader = replace(context.caller, scope=Scope(), permissions=Permissions())
    return replace(context, caller=reader, question="")


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


def _inspect_schema(view: SchemaView, context: DataContext) -> JsonSchema:
    return one_object(ArgumentSchemas(view, context.language).file(_names(context)), "fileName")


def _analyze_schema(view: SchemaView, context: DataContext) -> JsonSchema:
    each = ArgumentSchemas(view, context.language)
    properties = each.file(_names(context)) | each.sql() | each.aggregation(()) | each.limit()
    return one_object(properties, "fileName")


def _names(context: DataContext) -> tuple[str, ...]:
    return tuple(context.files.files) if context.files else ()


def _has_files(context: DataContext) -> bool:
    return context.files is not None


INSPECT: BuiltIn[Inspection] = Tool(
    name=INSPECT_FILE,
    texts=built_in_texts(INSPECT_FILE),
    schema=_inspect_schema,
    check=check_inspection,
    run=inspect_file,
    reads=lambda checked: (checked.asked.file_name,),
    available=_has_files,
)
ANALYZE: BuiltIn[Analysis] = Tool(
    name=ANALYZE_DATAFRAME,
    texts=built_in_texts(ANALYZE_DATAFRAME),
    schema=_analyze_schema,
    check=check_analysis,
    run=analyze_dataframe,
    reads=lambda checked: (checked.asked.file_name,),
    available=_has_files,
)
