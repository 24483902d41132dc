from tests.trace.runs import NOON, called
from veridical.contracts.trace import AgentTrace, BudgetSpent
from veridical.trace.call_outcomes import call_outcomes


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
