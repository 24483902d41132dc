"""The tools on tables: check, run, record. A refused call never reaches the engine."""

from collections.abc import Callable, Mapping

from veridical.check.arguments import as_object, read_arguments
from veridical.check.checker import Checker
from veridical.contracts.call import (
    AggregateCall,
    BrowseCall,
    Call,
    MetricCall,
    QueryCall,
    SqlCall,
)
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments
from veridical.contracts.violation import Refusal
from veridical.engines import EngineError, Outcome

Run = Callable[[CheckedQuery], Outcome]
"""Runs what has passed the check: an engine's ``run``, or a semantic layer's for metrics."""

TABLE_TOOLS: Mapping[str, type[BrowseCall | QueryCall | AggregateCall | SqlCall]] = {
    "browseTable": BrowseCall,
    "queryTable": QueryCall,
    "aggregateTable": AggregateCall,
    "executeSqlSafe": SqlCall,
}
METRIC_TOOL = "queryMetrics"
_MODELS: Mapping[str, type[Call]] = {**TABLE_TOOLS, METRIC_TOOL: MetricCall}


def call_table(
    name: str,
    arguments: Arguments,
    checker: Checker,
    run: Run,
    caller: Caller,
    question: str = "",
) -> ToolResult:
    """One call of a table tool with a model's arguments."""
    call = _read(name, arguments, caller)
    if isinstance(call, Refusal):
        return refused(call)
    return run_checked(call, checker, run, caller, question)


def would_pass(
    name: str, arguments: Arguments, checker: Checker, caller: Caller, question: str = ""
) -> bool:
    """True when the check would let the call through."""
    return would_read(name, arguments, checker, caller, question) is not None


def would_read(
    name: str, arguments: Arguments, checker: Checker, caller: Caller, question: str = ""
) -> tuple[str, ...] | None:
    """The tables or metrics that a call would read; none when the check would refuse it."""
    call = _read(name, arguments, caller)
    if isinstance(call, Refusal):
        return None
    verdict = checker.check(call, caller, question)
    if isinstance(verdict, Refusal):
        return None
    return call.metrics if isinstance(call, MetricCall) else tuple(verdict.columns)


def _read(name: str, arguments: Arguments, caller: Caller) -> Call | Refusal:
    given = as_object(arguments)
    named = arguments if given is None else {**given, "tool": name}
    return read_arguments(_MODELS[name], named, caller.language)


def run_checked(
    call: Call, checker: Checker, run: Run, caller: Caller, question: str = ""
) -> ToolResult:
    """The result of a call that passes the check; else what to change."""
    verdict = checker.check(call, caller, question)
    if isinstance(verdict, Refusal):
        return refused(verdict)
    try:
        outcome = run(verdict)
    except EngineError as error:
        return not_run(error, caller)
    return ToolResult(
        success=True,
        data={"columns": list(outcome.columns), "rows": [list(row) for row in outcome.rows]},
        warnings=verdict.warnings,
        receipt=outcome.receipt,
    )


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
