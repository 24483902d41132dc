import pytest

from veridical.contracts.result import Receipt
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import ToolPattern
from veridical.evals.judging.compliance import forbidden_used, is_compliant

SQL = (
    'SELECT "accountNumber", "closingBalance" FROM "TrusteeDataAccountBalance" '
    'WHERE "periodYear" = 2025 AND "periodMonth" IN (0, 12) AND "accountNumber" LIKE \'102%\''
)


def trace(*tools: str, sql: str = SQL, success: bool = True) -> AgentTrace:
    receipt = Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql=sql, row_count=1, truncated=False,
        elapsed_ms=1.0,
    )  # fmt: skip
    return AgentTrace(
        trace_id="t",
        events=tuple(
            ToolCalled(at=0.0, round=1, tool=tool, arguments={}, success=success, receipt=receipt)
            for tool in tools
        ),
    )


def pattern(*filters: str, tool: str = "queryTable|executeSqlSafe") -> ToolPattern:
    return ToolPattern(tool=tool, table_name="TrusteeDataAccountBalance", required_filters=filters)


@pytest.mark.parametrize(
    "condition",
    ["periodYear=2025", "periodMonth=0", "periodMonth = 12", "accountNumber like 102%"],
)
def test_conditions_are_looked_for_in_what_was_run(condition: str) -> None:
    assert is_compliant(pattern(condition), trace("queryTable")) is True


@pytest.mark.parametrize(
    "condition", ["periodYear=2024", "periodMonth=1", "accountNumber like 10%", "nonsense"]
)
def test_another_condition_is_not_the_one(condition: str) -> None:
    assert is_compliant(pattern(condition), trace("queryTable")) is False


def test_a_prefix_may_be_asked_for_by_its_codes() -> None:
    sql = "SELECT 1 FROM TrusteeDataAccountBalance WHERE accountNumber IN ('1020', '1021')"
    assert is_compliant(pattern("accountNumber like 102%"), trace("queryTable", sql=sql)) is True


def test_tool_and_table_count() -> None:
    assert is_compliant(pattern(), trace("executeSqlSafe")) is True
    assert is_compliant(pattern(), trace("aggregateTable")) is False
    other = trace("queryTable", sql='SELECT 1 FROM "TrusteeDataContact"')
    assert is_compliant(pattern(), other) is False
    assert is_compliant(pattern(), trace("queryTable", success=False)) is False


def test_without_an_expected_call_nothing_is_said() -> None:
    assert is_compliant(None, trace("queryTable")) is None


def test_forbidden_tools_count_when_they_succeed() -> None:
    used = trace("queryTable", "aggregateTable", "aggregateTable")
    assert forbidden_used(("aggregateTable", "browseTable"), used) == ("aggregateTable",)
    assert forbidden_used(("aggregateTable",), trace("aggregateTable", success=False)) == ()
