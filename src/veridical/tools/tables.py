"""The tools on tables and metrics: check, run, record. A refused call never reaches the engine."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from veridical.check.arguments import as_object, read_arguments
from veridical.check.checker import Checker
from veridical.check.contested import Contested, contested, doubted
from veridical.contracts.call import CALL_MODELS, METRIC_TOOL, BrowseCall, Call, MetricCall
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool, failure_note
from veridical.contracts.violation import Refusal
from veridical.engines import EngineError
from veridical.messages import message
from veridical.ontology.describe import described_columns
from veridical.ontology.slice import visible_index
from veridical.tools.argument_schemas import (
    ArgumentSchemas,
    Properties,
    built_in_texts,
    one_object,
)
from veridical.tools.contested_call import (
    ContestedCall,
    run_contested,
    without_settled_doubts,
)
from veridical.tools.context import BuiltIn, DataContext, Run

Describe = Callable[[ArgumentSchemas], Properties]
RunChecked = Callable[["CheckedTableCall | ContestedCall", DataContext], ToolResult]


@dataclass(frozen=True, slots=True)
class CheckedTableCall:
    """A checked call, with the function that runs it."""

    call: Call
    query: CheckedQuery
    run: Run
    doubted: Contested | None = None
    """Its correction, where rows may settle what is doubted."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables or metrics that it reads."""
        if self.doubted is not None:
            return self.doubted.reads
        return self.call.metrics if isinstance(self.call, MetricCall) else tuple(self.query.columns)


def check_table_call(
    name: str, arguments: Arguments, context: DataContext
) -> CheckedTableCall | ToolResult:
    """A call of a table tool, checked; otherwise the result with the needed changes."""
    call = _read(name, arguments, context)
    if isinstance(call, Refusal):
        return refused(call)
    return checked_call(call, context.checker, _run_of(name, context), context)


def _check_or_contest(
    name: str, arguments: Arguments, context: DataContext
) -> CheckedTableCall | ContestedCall | ToolResult:
    """The same for a call of a model, which its rows may settle."""
    call = _read(name, arguments, context)
    if isinstance(call, Refusal):
        return refused(call)
    verdict = context.checker.check(call, context.caller, context.question)
    engine = context.engine if context.settles else None
    if isinstance(verdict, CheckedQuery):
        doubts = doubted(context.checker, verdict, context.question) if engine else None
        return CheckedTableCall(call, verdict, _run_of(name, context), doubts)
    if engine is None:
        return refused(verdict)
    found = contested(context.checker, verdict, call, context.caller, context.question)
    return refused(verdict) if found is None else ContestedCall(found, engine)


def _read(name: str, arguments: Arguments, context: DataContext) -> Call | Refusal:
    given = as_object(arguments)
    named = arguments if given is None else {**given, "tool": name}
    return read_arguments(CALL_MODELS[name], named, context.language)


def checked_call(
    call: Call, checker: Checker, run: Run, context: DataContext
) -> CheckedTableCall | ToolResult:
    """A parsed call, checked against the caller's permissions."""
    verdict = checker.check(call, context.caller, context.question)
    if isinstance(verdict, Refusal):
        return refused(verdict)
    return CheckedTableCall(call, verdict, run)


def run_table_call(checked: CheckedTableCall, context: DataContext) -> ToolResult:
    """The rows of a checked call, with the engine's receipt."""
    try:
        outcome = checked.run(checked.query)
    except EngineError as error:
        return not_run(error, context.caller)
    result = ToolResult(
        success=True,
        data={"columns": list(outcome.columns), "rows": [list(row) for row in outcome.rows]},
        warnings=checked.query.warnings,
        receipt=outcome.receipt,
    )
    if checked.doubted is None or context.engine is None:
        return result
    return without_settled_doubts(result, outcome, checked.doubted, context.engine)


def _run(checked: CheckedTableCall | ContestedCall, context: DataContext) -> ToolResult:
    if isinstance(checked, ContestedCall):
        return run_contested(checked, context.language)
    return run_table_call(checked, context)


def _browse(checked: CheckedTableCall | ContestedCall, context: DataContext) -> ToolResult:
    """The rows of a table with its owner's description of it and of these columns."""
    result = _run(checked, context)
    call = checked.query.call if isinstance(checked, CheckedTableCall) else None
    if not result.success or context.index is None or not isinstance(call, BrowseCall):
        return result
    index = visible_index(context.index, context.caller.permissions)
    table, columns = call.table_name, result.data["columns"]
    about = described_columns(index, context.language, table, columns)
    return result.model_copy(update={"about": about})


def not_run(error: EngineError, caller: Caller) -> ToolResult:
    """The result of a call that the engine gave up."""
    hint = error.message(caller.language)
    return ToolResult(
        success=False,
        error=f"{error.problem}: {hint}",
        error_details={
            "code": error.problem.value,
            "field": None,
            "suggestion": None,
            "hint": hint,
            "actor": error.actor.value,
        },
    )


def _run_of(name: str, context: DataContext) -> Run:
    run = context.semantic_layer if name == METRIC_TOOL else context.engine and context.engine.run
    if run is None:
        raise LookupError(f"nothing runs {name}")
    return run


def _with_dialect(view: SchemaView, context: DataContext) -> str:
    """The SQL dialect to write, then the note on failed calls."""
    title = context.checker.dialect_title if context.engine else ""
    dialect = message("tools.sql_dialect", context.language, dialect=title) if title else ""
    return dialect + failure_note(view, context)


def _table_tool(
    name: str,
    describe: Describe,
    *required: str,
    run: RunChecked = _run,
    note: Callable[[SchemaView, DataContext], str] = failure_note,
) -> BuiltIn[CheckedTableCall | ContestedCall]:
    def schema(view: SchemaView, context: DataContext) -> JsonSchema:
        return one_object(describe(ArgumentSchemas(view, context.language)), *required)

    def available(context: DataContext) -> bool:
        there = context.semantic_layer if name == METRIC_TOOL else context.engine
        return there is not None

    return Tool(
        name=name,
        texts=built_in_texts(name),
        schema=schema,
        check=partial(_check_or_contest, name),
        run=run,
        reads=lambda checked: checked.reads,
        available=available,
        note=note,
    )


TOOLS: tuple[BuiltIn[CheckedTableCall | ContestedCall], ...] = (
    _table_tool(
        "browseTable",
        lambda each: each.table() | each.fields() | each.limit(),
        "tableName",
        run=_browse,
    ),
    _table_tool(
        "queryTable",
        lambda each: (
            each.table()
            | each.fields()
            | each.filters(each.known_fields)
            | each.order_by()
            | each.limit()
        ),
        "tableName",
    ),
    _table_tool(
        "aggregateTable",
        lambda each: each.table() | each.aggregation(each.known_fields) | each.limit(),
        "tableName",
        "aggregate",
    ),
    _table_tool(
        "executeSqlSafe", lambda each: each.sql() | each.limit(), "sql", note=_with_dialect
    ),
    _table_tool(METRIC_TOOL, ArgumentSchemas.metrics, "metrics"),
)
