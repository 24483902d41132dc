"""The expected call is judged by what it asks for, whichever way it is made."""

from datetime import date
from typing import Any

import pytest

from veridical.check.checker import Checker
from veridical.contracts.result import RanAs, Receipt
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import Case, GoldSet, ToolPattern
from veridical.evals.gold.load import load_gold
from veridical.evals.scoring.compliance import forbidden_used, is_compliant
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack
from veridical.route.pattern_index import index_patterns
from veridical.route.patterns import PatternMatch, match_pattern

pytestmark = pytest.mark.slow

PACK = load_pack("trustee")
CHECKER = Checker(compile_catalog(PACK.schema, PACK.ontology))
(CORE,) = load_gold("pack:trustee/core")
ALL = [(case, gold) for gold in load_gold("pack:trustee") for case in gold.cases]
PATTERNS = index_patterns(PACK.ontology)
BALANCES = "TrusteeDataAccountBalance"
BANK = ToolPattern(
    tool="queryTable|executeSqlSafe",
    table_name=BALANCES,
    required_filters=("periodYear=2025", "periodMonth=0", "accountNumber like 102%"),
)
TWO_YEARS = ToolPattern(
    tool="aggregateTable|executeSqlSafe",
    table_name=BALANCES,
    required_filters=("periodYear=2024|2025", "periodMonth=0", "accountNumber like 3%"),
)


def called(tool: str, arguments: dict[str, Any], **more: Any) -> ToolCalled:
    """A call whose receipt has the statement as it was run: with placeholders."""
    sql = f'SELECT "closingBalance" FROM "{BALANCES}" WHERE "periodYear" = $1'
    receipt = Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql=sql, row_count=1, truncated=False,
        elapsed_ms=1.0,
    )  # fmt: skip
    told: dict[str, Any] = {"success": True, "receipt": receipt} | more
    return ToolCalled(at=0.0, round=1, tool=tool, arguments=arguments, **told)


def compliant(pattern: ToolPattern, *calls: ToolCalled) -> bool | None:
    return is_compliant(pattern, AgentTrace(trace_id="t", events=calls), CHECKER)


def filters(*each: tuple[str, str, Any]) -> list[dict[str, Any]]:
    return [{"field": field, "op": op, "value": value} for field, op, value in each]


def query(*each: tuple[str, str, Any], table: str = BALANCES) -> ToolCalled:
    return called("queryTable", {"tableName": table, "filters": filters(*each)})


def sql(where: str, table: str = BALANCES) -> ToolCalled:
    text = f'SELECT "accountNumber", "closingBalance" FROM "{table}" WHERE {where}'
    return called("executeSqlSafe", {"sql": text})


YEAR, ANNUAL = ("periodYear", "=", 2025), ("periodMonth", "=", 0)


def test_b10_every_core_question_has_an_expected_call() -> None:
    assert len(CORE.cases) == 19
    for case in CORE.cases:
        pattern = case.expected_tool_pattern
        assert pattern is not None, case.id
        assert pattern.tool, case.id
        assert pattern.table_name in PACK.schema.tables, case.id
        assert pattern.required_filters, case.id


def _canonical(case: Case, gold: GoldSet) -> ToolCalled | None:
    today = date.fromisoformat(gold.today)
    match = match_pattern(case.question, PATTERNS, case.language, today)
    if case.thread or not isinstance(match, PatternMatch):
        return None
    return called(match.tool, match.arguments)


@pytest.mark.parametrize(("case", "gold"), ALL, ids=[case.id for case, _ in ALL])
def test_b10_the_call_of_a_known_question_is_the_expected_one(case: Case, gold: GoldSet) -> None:
    call = _canonical(case, gold)
    if case.expected_tool_pattern is None or call is None:
        return
    assert compliant(case.expected_tool_pattern, call) is True
    by_name = called(
        "knownQuestion",
        {"ask": {"question": case.intent}},
        ran_as=RanAs(tool=call.tool, arguments=call.arguments),
    )
    assert compliant(case.expected_tool_pattern, by_name) is True


def test_b10_most_core_questions_are_known_ones() -> None:
    """So that the test above is not about nothing."""
    assert sum(_canonical(case, CORE) is not None for case in CORE.cases) >= 12


@pytest.mark.parametrize(
    "call",
    [
        query(YEAR, ANNUAL, ("accountNumber", "like", "102%")),
        query(YEAR, ("periodMonth", "eq", 0), ("accountNumber", "ilike", "102%")),
        query(YEAR, ANNUAL, ("accountNumber", "between", ["1020", "1029"])),
        query(YEAR, ANNUAL, ("accountNumber", ">=", "1020"), ("accountNumber", "<", "1030")),
        query(YEAR, ANNUAL, ("accountNumber", "in", ["1020", "1021", "1022"])),
        query(("periodYear", "in", [2025]), ANNUAL, ("accountNumber", "like", "102%")),
        sql("\"periodYear\" = 2025 AND \"periodMonth\" = 0 AND \"accountNumber\" LIKE '102%'"),
        sql("'102' || '%' <> '' AND 2025 = periodYear AND periodMonth IN (0) "
            "AND accountNumber BETWEEN '1020' AND '1029'"),
        called("executeSqlSafe", {"sql":
            f"WITH b AS (SELECT * FROM {BALANCES} WHERE periodYear = 2025 AND periodMonth = 0) "
            "SELECT x.accountNumber, x.closingBalance FROM b AS x "
            "WHERE x.accountNumber LIKE '102%'"}),
    ],
)  # fmt: skip
def test_b10_the_same_call_however_it_is_made(call: ToolCalled) -> None:
    assert compliant(BANK, call) is True


@pytest.mark.parametrize(
    "call",
    [
        query(("periodYear", "=", 2024), ANNUAL, ("accountNumber", "like", "102%")),
        query(YEAR, ("periodMonth", "=", 12), ("accountNumber", "like", "102%")),
        query(YEAR, ("periodMonth", "in", [0, 12]), ("accountNumber", "like", "102%")),
        query(YEAR, ("accountNumber", "like", "102%")),
        query(YEAR, ANNUAL),
        query(YEAR, ANNUAL, ("accountNumber", "like", "10%")),
        query(YEAR, ANNUAL, ("accountNumber", "=", "1020")),
        query(YEAR, ANNUAL, ("accountNumber", "in", ["1020", "1100"])),
        query(YEAR, ANNUAL, ("accountNumber", "between", ["1000", "1029"])),
        sql("periodYear = 2025 OR periodMonth = 0 OR accountNumber LIKE '102%'"),
        sql("periodYear <> 2025 AND periodMonth = 0 AND accountNumber LIKE '102%'"),
        sql("periodYear >= 2025 AND periodMonth = 0 AND accountNumber LIKE '102%'"),
        # The words are there, the condition is not.
        called("executeSqlSafe", {"sql":
            f"SELECT 'periodYear=2025 periodMonth=0 accountNumber like 102%' FROM {BALANCES}"}),
        called("executeSqlSafe", {"sql":
            f"SELECT closingBalance FROM {BALANCES} WHERE periodYear = 2025 AND periodMonth = 0 "
            "AND accountNumber LIKE '102%' "
            f"UNION ALL SELECT closingBalance FROM {BALANCES}"}),
        called("queryTable", {"tableName": "TrusteeDataContact", "filters": []}),
        called("calculate", {"expression": "1+1"}),
        called("aggregateTable", {"tableName": BALANCES, "aggregate": "sum",
            "field": "closingBalance",
            "filters": filters(YEAR, ANNUAL, ("accountNumber", "like", "102%"))}),
        called("queryTable", {"tableName": BALANCES,
            "filters": filters(YEAR, ANNUAL, ("accountNumber", "like", "102%"))}, success=False),
        called("executeSqlSafe", {"sql": "not SQL at all"}),
    ],
)  # fmt: skip
def test_b10_another_call_is_not_the_expected_one(call: ToolCalled) -> None:
    assert compliant(BANK, call) is False


def total(year: int) -> ToolCalled:
    return called(
        "aggregateTable",
        {
            "tableName": BALANCES,
            "aggregate": "sum",
            "field": "closingBalance",
            "filters": filters(("periodYear", "=", year), ANNUAL, ("accountNumber", "like", "3%")),
        },
    )


def test_b10_two_years_may_take_two_calls() -> None:
    assert compliant(TWO_YEARS, total(2024), total(2025)) is True
    assert compliant(TWO_YEARS, total(2025)) is False
    assert compliant(TWO_YEARS, total(2025), total(2023)) is False
    assert compliant(TWO_YEARS, sql("periodYear IN (2024, 2025) AND periodMonth = 0 "
                                    "AND accountNumber LIKE '3%'")) is True  # fmt: skip
    assert compliant(TWO_YEARS, sql("periodYear BETWEEN 2024 AND 2025 AND periodMonth = 0 "
                                    "AND accountNumber LIKE '3%'")) is True  # fmt: skip
    each_year = (
        "SELECT SUM(CASE WHEN periodYear = 2025 THEN closingBalance END) - "
        "SUM(CASE WHEN periodYear = 2024 THEN closingBalance END) "
        f"FROM {BALANCES} WHERE periodMonth = 0 AND accountNumber LIKE '3%'"
    )
    assert compliant(TWO_YEARS, called("executeSqlSafe", {"sql": each_year})) is True


def test_b10_an_alternative_counts_and_another_table_does_not() -> None:
    (rent,) = (case for case in CORE.cases if case.id == "q03")
    assert rent.expected_tool_pattern is not None
    bookings = called("executeSqlSafe", {"sql": (
        'SELECT SUM(l."debitAmount") - SUM(l."creditAmount") FROM "TrusteeDataJournalLine" l '
        'JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId" '
        "WHERE e.\"periodYear\" = 2025 AND l.\"accountNumber\" = '6000'"
    )})  # fmt: skip
    assert compliant(rent.expected_tool_pattern, bookings) is True
    only = rent.expected_tool_pattern.model_copy(update={"alternatives": ()})
    assert compliant(only, bookings) is False


def test_b10_a_known_question_counts_as_what_was_run_for_it() -> None:
    ran = RanAs(tool="aggregateTable", arguments={"tableName": BALANCES, "aggregate": "sum"})
    call = called("knownQuestion", {"ask": {"question": "X"}}, ran_as=ran)
    assert compliant(BANK, call) is False
    trace = AgentTrace(trace_id="t", events=(call,))
    assert forbidden_used(("aggregateTable",), trace) == ("aggregateTable",)


@pytest.mark.parametrize("text", ["nonsense", "periodYear", "=2025", "accountNumber like", "a<1|2"])
def test_b10_a_filter_that_nobody_can_read_is_no_pattern(text: str) -> None:
    """It would never be met, and every run would be judged false."""
    with pytest.raises(ValueError, match="no condition"):
        ToolPattern(tool="queryTable", table_name=BALANCES, required_filters=(text,))


def test_b10_without_an_expected_call_nothing_is_said() -> None:
    assert is_compliant(None, AgentTrace(trace_id="t"), CHECKER) is None
