import pytest
from hypothesis import given

from tests.trace.runs import NOON, called, model_called, repaired_run, traces
from veridical.contracts.trace import AgentTrace, BudgetSpent, ToolCalled
from veridical.trace.counters import Counters, call_outcomes, counters, summary_of
from veridical.trace.timestamps import moment


def counted(*calls: ToolCalled) -> tuple[int, int, int, int]:
    """Failures, repair attempts, successes after repair, deflections."""
    found = counters(AgentTrace(trace_id="t", events=calls))
    assert found.tool_calls == len(calls)
    return (
        found.validation_failures,
        found.repair_attempts,
        found.success_after_repair,
        found.deflections,
    )


def test_an_empty_trace_is_all_zeros() -> None:
    assert counters(AgentTrace(trace_id="t")) == Counters()


def test_a_clean_run() -> None:
    assert counted(called(1), called(2), called(3, "calculate", None)) == (0, 0, 0, 0)


def test_a_failure_without_repair() -> None:
    assert counted(called(1, code="FAN_OUT")) == (1, 0, 0, 0)


def test_a_repair_that_succeeds() -> None:
    assert counted(called(1, code="FAN_OUT"), called(2)) == (1, 1, 1, 0)


def test_a_repair_that_fails_again_and_then_succeeds() -> None:
    refused = called(1, code="FAN_OUT"), called(2, code="MIXED_UNITS")
    assert counted(*refused) == (2, 1, 0, 0)
    assert counted(*refused, called(3)) == (2, 2, 1, 0)


def test_siblings_of_one_round_repair_nothing() -> None:
    assert counted(called(1, code="FAN_OUT"), called(1)) == (1, 0, 0, 0)


def test_siblings_refused_together_are_repaired_together() -> None:
    refused = called(1, code="FAN_OUT"), called(1, code="FAN_OUT")
    assert counted(*refused, called(2), called(2)) == (2, 2, 2, 0)


def test_more_siblings_than_refusals_ask_something_new() -> None:
    assert counted(called(1, code="FAN_OUT"), called(2), called(2)) == (1, 1, 1, 0)


def test_tools_are_independent_of_each_other() -> None:
    refused = called(1, code="FAN_OUT")
    other = called(1, "aggregateTable")
    assert counted(refused, other, called(2, "aggregateTable")) == (1, 0, 0, 1)


def test_several_tools_mixed() -> None:
    calls = (
        called(1, code="FAN_OUT"),
        called(1, "aggregateTable", code="MIXED_UNITS"),
        called(2),
        called(3, "aggregateTable"),
        called(4, "executeSqlSafe", None, code="SYNTAX_ERROR"),
        called(5, "executeSqlSafe", None),
    )
    assert counted(*calls) == (3, 3, 3, 0)


def test_a_deflection_to_another_tool() -> None:
    refused = called(1, "aggregateTable", code="INVALID_AGGREGATE_TARGET")
    assert counted(refused, called(2)) == (1, 0, 0, 1)


def test_a_deflection_to_another_table() -> None:
    assert counted(called(1, code="FAN_OUT"), called(2, table="Journal")) == (1, 0, 0, 1)


def test_who_comes_back_after_a_deflection_repairs() -> None:
    calls = called(1, code="FAN_OUT"), called(2, table="Journal"), called(3)
    assert counted(*calls) == (1, 1, 1, 1)


def test_a_clean_call_after_a_repair_is_no_repair() -> None:
    assert counted(called(1, code="FAN_OUT"), called(2), called(3)) == (1, 1, 1, 0)


def test_who_follows_the_suggested_table_repairs() -> None:
    refused = called(1, table="Balanc", code="TABLE_NOT_FOUND", suggestion="Balance")
    assert counted(refused, called(2, table="balance")) == (1, 1, 1, 0)
    assert counted(refused, called(2, table="Journal")) == (1, 0, 0, 1)


def test_a_repair_that_passes_the_check_and_then_breaks_is_no_success() -> None:
    assert counted(called(1, code="FAN_OUT"), called(2, success=False)) == (1, 1, 0, 0)


def test_files_are_told_apart() -> None:
    def of_file(number: int, name: str, code: str | None = None) -> ToolCalled:
        call = called(number, "analyzeDataframe", code=code)
        return call.model_copy(update={"arguments": {"fileName": name}})

    refused = of_file(1, "a.csv", "FAN_OUT")
    assert counted(refused, of_file(2, "a.csv")) == (1, 1, 1, 0)
    assert counted(refused, of_file(2, "b.csv")) == (1, 0, 0, 1)


def test_tokens_cost_and_time_add_up() -> None:
    found = counters(repaired_run())
    assert (found.model_calls, found.input_tokens, found.output_tokens) == (2, 2000, 100)
    assert found.cost == pytest.approx(0.004)
    assert found.elapsed_ms == 3000.0


def test_time_runs_to_the_end_of_the_last_call() -> None:
    late = model_called(NOON + 1, 1)
    assert counters(AgentTrace(trace_id="t", events=(late,))).elapsed_ms == pytest.approx(800)


def test_a_price_that_nobody_knows_makes_the_cost_unknown() -> None:
    priced = model_called(NOON, 1)
    free = priced.model_copy(update={"cost": None})
    refused = free.model_copy(update={"input_tokens": 0, "output_tokens": 0, "error": "timeout"})
    assert counters(AgentTrace(trace_id="t", events=(priced, free))).cost is None
    assert counters(AgentTrace(trace_id="t", events=(priced, refused))).cost == 0.002


def test_the_wire_speaks_camel_case() -> None:
    assert counters(repaired_run()).model_dump(by_alias=True) == {
        "validationFailures": 1,
        "repairAttempts": 1,
        "successAfterRepair": 1,
        "deflections": 0,
        "answersBlocked": 0,
        "toolCalls": 2,
        "modelCalls": 2,
        "inputTokens": 2000,
        "outputTokens": 100,
        "cost": 0.004,
        "elapsedMs": 3000.0,
    }


@given(traces)
def test_no_counter_exceeds_what_it_is_part_of(trace: AgentTrace) -> None:
    found = counters(trace)
    assert found.success_after_repair <= found.repair_attempts <= found.tool_calls
    assert found.repair_attempts <= found.validation_failures <= found.tool_calls
    assert found.deflections <= found.validation_failures
    assert [fate.call for fate in call_outcomes(trace)] == [
        event for event in trace.events if isinstance(event, ToolCalled)
    ]


def test_each_call_is_told_with_its_fate() -> None:
    calls = (
        called(1, code="FAN_OUT"),
        called(1, table="Journal"),
        called(2, table="Account"),
        called(3, code="FAN_OUT"),
        called(4),
    )
    other = BudgetSpent(at=NOON, limit="rounds", value=4)
    found = call_outcomes(AgentTrace(trace_id="t", events=(*calls, other)))
    assert tuple(fate.call for fate in found) == calls
    assert [fate.is_failure for fate in found] == [True, False, False, True, False]
    assert [fate.is_deflected for fate in found] == [True, False, False, False, False]
    assert [fate.is_repair for fate in found] == [False, False, False, True, True]
    assert [fate.is_success_after_repair for fate in found] == [False, False, False, False, True]


def test_of_several_siblings_the_one_that_worked_is_the_repair() -> None:
    calls = called(1, code="FAN_OUT"), called(2, code="FAN_OUT"), called(2)
    found = call_outcomes(AgentTrace(trace_id="t", events=calls))
    assert [fate.is_repair for fate in found] == [False, False, True]


def test_while_one_failure_is_mended_the_others_wait() -> None:
    refused = called(1, code="FAN_OUT"), called(1, table="Journal", code="FAN_OUT")
    waiting = call_outcomes(AgentTrace(trace_id="t", events=(*refused, called(2))))
    assert not any(fate.is_deflected for fate in waiting)
    turned = (*refused, called(2), called(3, "calculate", None))
    abandoned = call_outcomes(AgentTrace(trace_id="t", events=turned))
    assert [fate.is_deflected for fate in abandoned] == [False, True, False, False]


def test_a_run_in_a_few_words() -> None:
    run = repaired_run("run-1", tenant="acme")
    told = summary_of(run)
    assert (told.trace_id, told.tenant, told.started_at) == ("run-1", "acme", moment(NOON))
    assert told.outcome == "agent"
    assert told.counters == counters(run)


def test_what_has_not_happened_is_not_told() -> None:
    told = summary_of(AgentTrace(trace_id="run-1"))
    assert (told.question, told.started_at, told.outcome) == (None, None, None)
