import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis import strategies as st

from tests.effort import examples
from tests.ontology.small import ONTOLOGY, large_ontology
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.caller import Caller, Permissions
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import Arguments
from veridical.engines import Outcome
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Constraint, ConstraintRule, Purpose
from veridical.ontology.slice import index_ontology
from veridical.tools.known_question import KNOWN_QUESTION, worked_examples
from veridical.tools.toolbox import Toolbox, names_of_call

pytestmark = pytest.mark.slow

DECEMBER = [{"field": "month", "op": "=", "value": 12}]


def rows(result: ToolResult) -> list[list[Any]]:
    assert result.success, result.error
    return result.data["rows"]


def test_browse(toolbox: Toolbox) -> None:
    result = toolbox.call("browseTable", {"tableName": "ShopArticle"})
    assert result.data["columns"] == ["code", "supplierName"]
    assert sorted(rows(result)) == [["F1", "Farm"], ["G1", "Glassworks"]]


def test_query(toolbox: Toolbox) -> None:
    arguments = {"tableName": "ShopStock", "fields": ["article"], "filters": DECEMBER}
    ordered = {**arguments, "orderBy": [{"field": "article", "direction": "desc"}], "limit": 1}
    result = toolbox.call("queryTable", ordered)
    assert rows(result) == [["G1"]]
    assert result.receipt is not None
    assert result.receipt.truncated
    assert result.receipt.ontology_hash == ONTOLOGY.hash


def test_aggregate(toolbox: Toolbox) -> None:
    arguments = {
        "tableName": "ShopStock",
        "aggregate": "sum",
        "field": "closingBalance",
        "filters": DECEMBER,
    }
    assert [float(row[0]) for row in rows(toolbox.call("aggregateTable", arguments))] == [12]


def test_sql(toolbox: Toolbox) -> None:
    sql = 'SELECT a."supplierName" FROM "ShopArticle" a WHERE a."code" = \'F1\''
    assert rows(toolbox.call("executeSqlSafe", {"sql": sql})) == [["Farm"]]


def test_arguments_may_come_as_the_text_that_the_model_wrote(toolbox: Toolbox) -> None:
    assert len(rows(toolbox.call("browseTable", '{"tableName": "ShopSale"}'))) == 2


def test_a_refused_call_says_why_and_what_would_do(toolbox: Toolbox) -> None:
    arguments = {"tableName": "ShopStok", "filters": DECEMBER}
    result = toolbox.call("queryTable", arguments)
    assert not result.success
    assert result.receipt is None
    assert result.error_details is not None
    assert result.error_details["code"] == "TABLE_NOT_FOUND"
    assert result.error_details["suggestion"] == "ShopStock"
    corrected = result.error_details["correctedCall"]
    assert toolbox.call(corrected.pop("tool"), corrected).success


def test_the_question_reaches_the_check(toolbox: Toolbox) -> None:
    purposed = ONTOLOGY.model_copy(
        update={
            "purposes": (
                Purpose(name="stock", keywords={"en": ("stock",)}),
                Purpose(name="sales", keywords={"en": ("sold",)}),
            ),
            "constraints": (
                Constraint(
                    applies_to="Sale", rule=ConstraintRule.ONLY_FOR_PURPOSE, purposes=("sales",)
                ),
            ),
        }
    )
    checker = Checker(compile_catalog(None, purposed), "duckdb")
    purposeful = replace(toolbox, checker=checker)
    arguments = {"tableName": "ShopSale", "aggregate": "count"}
    assert purposeful.call("aggregateTable", arguments, "how many were sold?").success
    refused = purposeful.call("aggregateTable", arguments, "how much stock is there?")
    assert refused.error_details is not None
    assert refused.error_details["code"] == "WRONG_TABLE_FOR_PURPOSE"


def test_an_engine_problem_is_told_in_the_callers_language(toolbox: Toolbox) -> None:
    german = replace(toolbox, caller=Caller(language=Language.DE))
    sql = 'SELECT CAST("supplierName" AS INTEGER) AS n FROM "ShopArticle"'
    result = german.call("executeSqlSafe", {"sql": sql})
    assert not result.success
    assert result.error_details is not None
    assert result.error_details["actor"] == "model"
    assert "Farm" not in result.model_dump_json()


@pytest.mark.parametrize(
    ("name", "arguments", "field", "suggestion"),
    [
        ("queryTable", {}, "tableName", None),
        ("queryTable", {"tablename": "x", "tableName": "ShopSale"}, "tablename", "tableName"),
        ("queryTable", {"tableName": "ShopSale", "fields": "id"}, "fields", None),
        ("queryTable", {"tableName": "ShopSale", "limit": 0}, "limit", None),
        ("queryTable", {"tableName": "ShopSale", "limit": "many"}, "limit", None),
        ("queryTable", {"tableName": ["ShopSale"]}, "tableName", None),
        (
            "queryTable",
            {"tableName": "ShopSale", "orderBy": [{"field": "id", "direction": "descending"}]},
            "orderBy.0.direction",
            "desc",
        ),
        ("aggregateTable", {"tableName": "ShopSale", "agg": "sum"}, "aggregate", None),
        ("executeSqlSafe", {"query": "SELECT 1"}, "sql", None),
        ("executeSqlSafe", "SELECT 1", None, None),
        ("executeSqlSafe", [1], None, None),
        ("queryTabel", {"tableName": "ShopSale"}, "name", "queryTable"),
        ("inspectFile", {"fileName": "x.csv"}, "name", None),
        ("queryMetrics", {"metrics": ["revenue"]}, "name", None),
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_malformed_calls_come_back_as_error_details(
    toolbox: Toolbox,
    name: str,
    arguments: Any,
    field: str | None,
    suggestion: str | None,
    language: Language,
) -> None:
    spoken = replace(toolbox, caller=Caller(language=language))
    details = spoken.call(name, arguments).error_details
    assert details is not None
    assert details["code"] == "SYNTAX_ERROR"
    assert details["field"] == field
    assert details["suggestion"] == suggestion
    assert 0 < len(details["hint"]) <= 80


def test_all_mistakes_come_at_once(toolbox: Toolbox) -> None:
    details = toolbox.call("queryTable", {"limit": 0, "filter": []}).error_details
    assert details is not None
    others = [each["field"] for each in details["others"]]
    assert sorted([details["field"], *others]) == ["filter", "limit", "tableName"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["queryTable", "aggregateTable", "executeSqlSafe", "calculate", "x"])
KEYS = st.sampled_from(["tableName", "aggregate", "field", "filters", "sql", "limit", "expression"])


@given(NAMES, JSON | st.dictionaries(KEYS, JSON | st.just("ShopSale")))
@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_nothing_a_model_writes_raises(toolbox: Toolbox, name: str, arguments: Any) -> None:
    result = toolbox.call(name, arguments)
    assert result.success or result.error_details is not None
    json.dumps(result.model_dump(mode="json", by_alias=True))


def test_an_observer_sees_every_call(toolbox: Toolbox) -> None:
    seen: list[tuple[str, bool]] = []

    def observe(name: str, _: Arguments, result: ToolResult) -> None:
        seen.append((name, result.success))

    watched = replace(toolbox, observer=observe)
    watched.call("calculate", {"expression": "1 + 1"})
    watched.call("queryTable", {})
    assert seen == [("calculate", True), ("queryTable", False)]


def test_metrics_run_where_a_semantic_layer_does(toolbox: Toolbox) -> None:
    receipt = toolbox.call("browseTable", {"tableName": "ShopSale"}).receipt
    assert receipt is not None
    asked: list[CheckedQuery] = []

    def layer(checked: CheckedQuery) -> Outcome:
        asked.append(checked)
        return Outcome(("revenue",), ((29,),), receipt)

    metric = replace(toolbox, semantic_layer=layer)
    assert rows(metric.call("queryMetrics", {"metrics": ["revenue"]})) == [[29]]
    refused = metric.call("queryMetrics", {"metrics": ["revenu"]})
    assert refused.error_details is not None
    assert refused.error_details["code"] == "METRIC_NOT_FOUND"
    assert len(asked) == 1


def test_the_lists_show_only_what_the_caller_may_see(toolbox: Toolbox) -> None:
    limited = Caller(permissions=Permissions(deny=("ShopSale", "*.unitPrice")))
    text = json.dumps(replace(toolbox, caller=limited).schemas())
    assert "ShopSale" not in text
    assert "unitPrice" not in text
    assert "ShopStock" in text


def test_of_very_many_tables_the_question_picks_the_list() -> None:
    ontology = large_ontology(1_000)
    toolbox = Toolbox(Checker(compile_catalog(None, ontology)), index=index_ontology(ontology))
    tables = toolbox.enums("how many payroll payments by branch?").tables
    assert "t_PayrollPaymentBranch" in tables
    assert len(tables) < 100
    assert toolbox.enums().tables == ()


__all__ = ["trustee"]

COUNT = {"tableName": "ShopSale", "aggregate": "count"}
JOINED = (
    'WITH big AS (SELECT * FROM "ShopSale" WHERE "amount" > 10) '
    'SELECT a."supplierName" FROM "ShopArticle" a JOIN big b ON b."article" = a."code"'
)


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("aggregateTable", COUNT, {"aggregateTable", "ShopSale"}),
        ("browseTable", {"tableName": "shopsale"}, {"browseTable", "ShopSale"}),
        ("executeSqlSafe", {"sql": JOINED}, {"executeSqlSafe", "ShopSale", "ShopArticle"}),
        ("calculate", {"expression": "1 + 1"}, {"calculate"}),
    ],
)
def test_the_tool_and_every_table_is_named(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any], names: set[str]
) -> None:
    found = names_of_call(toolbox, tool, arguments)
    assert toolbox.call(tool, arguments).success
    assert set(found or ()) == names


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("dropTable", {"tableName": "ShopSale"}),
        ("browseTable", {"tableName": "Nowhere"}),
        ("executeSqlSafe", {"sql": 'DELETE FROM "ShopSale"'}),
        (KNOWN_QUESTION, {"question": "REVENUE"}),
    ],
)
def test_a_call_that_is_refused_reads_nothing(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any]
) -> None:
    assert names_of_call(toolbox, tool, arguments) is None
    assert not toolbox.call(tool, arguments).success


CALLS = some.fixed_dictionaries(
    {},
    optional={
        "tableName": some.sampled_from(["ShopSale", "shopstock", "ShopArticle", "Nowhere", 3]),
        "aggregate": some.sampled_from(["count", "sum", "median"]),
        "field": some.sampled_from(["amount", "closingBalance", "nothing"]),
        "sql": some.sampled_from([JOINED, 'SELECT count(*) FROM "ShopStock"', "SELECT 1", "SELEC"]),
        "limit": some.sampled_from([1, 0, "many"]),
    },
)
TOOLS = some.sampled_from(
    ["browseTable", "queryTable", "aggregateTable", "executeSqlSafe", "calculate", "other"]
)


@given(TOOLS, CALLS)
@settings(max_examples=examples(60), deadline=None)
def test_nothing_runs_that_was_not_named(
    toolbox: Toolbox, tool: str, arguments: dict[str, Any]
) -> None:
    found = names_of_call(toolbox, tool, arguments)
    ran = toolbox.call(tool, arguments)
    assert found is not None or not ran.success
    if ran.success and ran.receipt is not None:
        assert found is not None
        named = {table for table in toolbox.checker.catalog.tables if table in ran.receipt.sql}
        assert named == {each for each in found if each != tool}


@pytest.mark.postgres
def test_a_known_question_is_named_by_the_call_behind_it(trustee: Feature) -> None:
    toolbox = trustee.toolbox(ACCOUNTANT, known_questions=True)
    assert toolbox.known is not None
    for text, tool, arguments in worked_examples(toolbox.known, ACCOUNTANT.language):
        found = names_of_call(toolbox, tool, arguments, text)
        ran = toolbox.call(tool, arguments, text)
        assert found is not None
        assert ran.ran_as is not None
        assert ran.receipt is not None
        assert found[:2] == (KNOWN_QUESTION, ran.ran_as.tool)
        assert found[2:]
        assert all(table in ran.receipt.sql for table in found[2:])
    assert names_of_call(toolbox, KNOWN_QUESTION, {"question": "NOTHING"}) is None
