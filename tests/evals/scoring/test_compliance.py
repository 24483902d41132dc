import pytest

from veridical.check.checker import Checker
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import ToolPattern
from veridical.evals.scoring.compliance import forbidden_used, is_compliant
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack

TABLE = "TrusteeDataAccountBalance"
PACK = load_pack("trustee")
CHECKER = Checker(compile_catalog(PACK.schema, PACK.ontology))
ARGUMENTS = {
    "tableName": TABLE,
    "filters": [
        {"field": "periodYear", "op": "=", "value": 2025},
        {"field": "periodMonth", "op": "=", "value": 0},
        {"field": "accountNumber", "op": "like", "value": "102%"},
    ],
}
SQL = (
    f'SELECT "accountNumber", "closingBalance" FROM "{TABLE}" '
    'WHERE "periodYear" = 2025 AND "periodMonth" = 0 AND "accountNumber" LIKE \'102%\''
)


def trace(*tools: str, sql: str = SQL, success: bool = True) -> AgentTrace:
    return AgentTrace(
        trace_id="t",
        events=tuple(
            ToolCalled(
                at=0.0,
                round=1,
                tool=tool,
                arguments={"sql": sql} if tool == "executeSqlSafe" else ARGUMENTS,
                success=success,
            )
            for tool in tools
        ),
    )


def pattern(*filters: str, tool: str = "queryTable|executeSqlSafe") -> ToolPattern:
    return ToolPattern(tool=tool, table_name=TABLE, required_filters=filters)


@pytest.mark.parametrize("tool", ["queryTable", "executeSqlSafe"])
@pytest.mark.parametrize(
    "condition", ["periodYear=2025", "periodMonth = 0", "accountNumber like 102%"]
)
def test_conditions_are_looked_for_in_what_was_asked(condition: str, tool: str) -> None:
    assert is_compliant(pattern(condition), trace(tool), CHECKER) is True


@pytest.mark.parametrize("tool", ["queryTable", "executeSqlSafe"])
@pytest.mark.parametrize(
    "condition", ["periodYear=2024", "periodMonth=1", "accountNumber like 10%"]
)
def test_another_condition_is_not_the_one(condition: str, tool: str) -> None:
    assert is_compliant(pattern(condition), trace(tool), CHECKER) is False


def test_a_prefix_may_be_asked_for_by_its_codes() -> None:
    sql = "SELECT 1 FROM TrusteeDataAccountBalance WHERE accountNumber IN ('1020', '1021')"
    asked = trace("executeSqlSafe", sql=sql)
    assert is_compliant(pattern("accountNumber like 102%"), asked, CHECKER) is True


def test_tool_and_table_count() -> None:
    assert is_compliant(pattern(), trace("executeSqlSafe"), CHECKER) is True
    assert is_compliant(pattern(tool="aggregateTable"), trace("queryTable"), CHECKER) is False
    other = trace("executeSqlSafe", sql='SELECT 1 FROM "TrusteeDataContact"')
    assert is_compliant(pattern(), other, CHECKER) is False
    assert is_compliant(pattern(), trace("queryTable", success=False), CHECKER) is False


def test_without_an_expected_call_nothing_is_said() -> None:
    assert is_compliant(None, trace("queryTable"), CHECKER) is None


def test_forbidden_tools_count_when_they_succeed() -> None:
    used = trace("queryTable", "aggregateTable", "aggregateTable")
    assert forbidden_used(("aggregateTable", "browseTable"), used) == ("aggregateTable",)
    assert forbidden_used(("aggregateTable",), trace("aggregateTable", success=False)) == ()
