"""The tools on files: each file is checked by its own schema, like a small database."""

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from veridical.check.arguments import read_arguments
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter, OrderBy, SqlCall
from veridical.contracts.caller import WHOLE, Permissions, Scope
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
    """The file to look at."""

    file_name: str
    table_name: str | None = None


class AnalyzeArguments(Wire):
    """The query of a file: an aggregate with filters, or SQL."""

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
    """An existing file, and its tables to show."""

    request: InspectArguments
    opened: OpenFile


@dataclass(frozen=True, slots=True)
class Analysis:
    """A checked query on a file."""

    request: AnalyzeArguments
    call: CheckedTableCall


def check_inspection(arguments: Arguments, context: DataContext) -> Inspection | ToolResult:
    """The file to show; a refusal if it can't be read."""
    request = read_arguments(InspectArguments, arguments, context.language)
    if isinstance(request, Refusal):
        return refused(request)
    opened = _opened(request.file_name, context)
    return refused(opened) if isinstance(opened, Refusal) else Inspection(request, opened)


def inspect_file(checked: Inspection, context: DataContext) -> ToolResult:
    """The tables of a file: columns, number of rows, the first rows. Without a receipt: a look at
    some rows is no evidence of any figure."""
    request, opened = checked.request, checked.opened
    reader = _reader_of(context)
    wanted = (request.table_name,) if request.table_name else opened.tables
    tables: list[dict[str, object]] = []
    for name in wanted:
        result = _ran(BrowseCall(table_name=name, limit=_SHOWN_ROWS), opened, reader)
        counted = _ran(AggregateCall(table_name=name, aggregate="count"), opened, reader)
        for each in (result, counted):
            if not each.success:
                return each
        tables.append(_described(opened, name, result, counted))
    return ToolResult(success=True, data={"fileName": request.file_name, "tables": tables})


def check_analysis(arguments: Arguments, context: DataContext) -> Analysis | ToolResult:
    """An aggregate or a SQL statement over a file, checked like any other query."""
    request = read_arguments(AnalyzeArguments, arguments, context.language)
    if isinstance(request, Refusal):
        return refused(request)
    opened = _opened(request.file_name, context)
    if isinstance(opened, Refusal):
        return refused(opened)
    call = _call(request, opened, context)
    if isinstance(call, Refusal):
        return refused(call)
    checked = checked_call(call, opened.checker, opened.engine.run, _reader_of(context))
    if isinstance(checked, ToolResult):
        return _in_own_words(checked, request)
    return Analysis(request, checked)


def analyze_dataframe(checked: Analysis, context: DataContext) -> ToolResult:
    """The result of a query of a file."""
    return run_table_call(checked.call, context)


def _ran(call: Call, opened: OpenFile, context: DataContext) -> ToolResult:
    checked = checked_call(call, opened.checker, opened.engine.run, context)
    return checked if isinstance(checked, ToolResult) else run_table_call(checked, context)


def _in_own_words(result: ToolResult, request: AnalyzeArguments) -> ToolResult:
    """A corrected call names the tool and the file that the model called."""
    details = result.error_details
    if not details or "correctedCall" not in details:
        return result
    corrected = {
        **details["correctedCall"],
        "tool": ANALYZE_DATAFRAME,
        "fileName": request.file_name,
    }
    return result.model_copy(update={"error_details": {**details, "correctedCall": corrected}})


def _call(request: AnalyzeArguments, opened: OpenFile, context: DataContext) -> Call | Refusal:
    if (request.sql is None) == (request.aggregate is None):
        return malformed("aggregate", message("tools.sql_or_aggregate", context.language))
    if request.sql is not None:
        return SqlCall(sql=request.sql, limit=request.limit)
    table = request.table_name or (opened.tables[0] if len(opened.tables) == 1 else None)
    if table is None:
        text = hint("tools.several_tables", context.language)
        return malformed("tableName", text, ", ".join(opened.tables))
    return AggregateCall(
        table_name=table,
        aggregate=request.aggregate or "",
        field=request.field,
        filters=request.filters,
        group_by=request.group_by,
        order_by=request.order_by,
        limit=request.limit,
    )


def _opened(name: str, context: DataContext) -> OpenFile | Refusal:
    shelf = context.files
    if shelf is None or name not in shelf.files:
        text = hint("tools.no_such_file", context.language, name=name)
        return malformed("fileName", text, nearest(name, shelf.files if shelf else ()))
    try:
        return shelf.open(name)
    except UnreadableFileError:
        text = hint("tools.unreadable", context.language, name=name)
        return malformed("fileName", text)


def _reader_of(context: DataContext) -> DataContext:
    """The context for a file, which the host gives whole: no tenants, no hidden columns."""
    reader = replace(context.caller, scope=Scope(shared=WHOLE), permissions=Permissions())
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
    reads=lambda checked: (checked.request.file_name,),
    available=_has_files,
)
ANALYZE: BuiltIn[Analysis] = Tool(
    name=ANALYZE_DATAFRAME,
    texts=built_in_texts(ANALYZE_DATAFRAME),
    schema=_analyze_schema,
    check=check_analysis,
    run=analyze_dataframe,
    reads=lambda checked: (checked.request.file_name,),
    available=_has_files,
)
