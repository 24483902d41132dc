"""Which SQL is spoken is said everywhere, and a refused function names what this dialect has."""

from collections.abc import Iterator

import pytest
from mcp import Client

from tests.defects.mcp_orders import OWNER, open_orders, resource, talk, text_of
from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl

pytestmark = pytest.mark.slow

CATALOG = compile_catalog(schema_from_ddl("CREATE TABLE t (d date, a text, n integer)"))


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


def _refused(expression: str, dialect: str) -> Refusal:
    verdict = Checker(CATALOG, dialect).check(f"SELECT {expression} AS x FROM t")
    assert isinstance(verdict, Refusal)
    return verdict


def test_f5_prompt_resource_tool_and_description_say_the_dialect(orders: Feature) -> None:
    assert "SQLite" in orders.context(OWNER, "", 400)

    async def read(client: Client) -> list[str]:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        described = await client.call_tool("describe", {"topic": "orders_2025"})
        return [
            await resource(client),
            text_of(described),
            tools["executeSqlSafe"].description or "",
        ]

    assert all("SQLite" in told for told in talk(orders, read))
    schemas = orders.toolbox(OWNER).schemas()
    (sql,) = [each["function"] for each in schemas if each["function"]["name"] == "executeSqlSafe"]
    assert "SQLite" in sql["description"]


@pytest.mark.parametrize(
    ("dialect", "title", "expression", "instead"),
    [
        ("sqlite", "SQLite", "to_char(d, 'YYYY-MM')", "STRFTIME('%Y-%m', d)"),
        ("sqlite", "SQLite", "strpos(a, 'b')", "INSTR(a, 'b')"),
        ("sqlite", "SQLite", "string_agg(a, ',')", "GROUP_CONCAT(a, ',')"),
        ("postgres", "PostgreSQL", "group_concat(a)", "STRING_AGG(a, ',')"),
        ("postgres", "PostgreSQL", "nvl(n, 0)", "COALESCE(n, 0)"),
        ("mysql", "MySQL", "iff(n > 1, 1, 0)", "IF(n > 1, 1, 0)"),
        ("bigquery", "BigQuery", "nvl(n, coalesce(n, 1))", "COALESCE(n, COALESCE(n, 1))"),
    ],
)
def test_f5_a_call_of_another_dialect_is_told_in_this_one(
    dialect: str, title: str, expression: str, instead: str
) -> None:
    refusal = _refused(expression, dialect)
    assert refusal.primary.code is Code.FUNCTION_NOT_ALLOWED
    assert refusal.primary.suggestion == instead
    assert title in refusal.primary.hint
    assert isinstance(refusal.corrected_call, SqlCall)
    assert instead in refusal.corrected_call.sql
    assert Checker(CATALOG, dialect).check(refusal.corrected_call)


@pytest.mark.parametrize("expression", ["date_trunc('month', d)", "year(d)", "pg_sleep(5)"])
def test_f5_what_the_dialect_has_nothing_for_is_not_likened_to_something_else(
    expression: str,
) -> None:
    refusal = _refused(expression, "sqlite")
    assert refusal.primary.suggestion is None
    assert "SQLite" in refusal.primary.hint


def test_f5_a_slip_of_the_pen_is_still_recognised() -> None:
    assert _refused("lenght(a)", "sqlite").primary.suggestion == "length"


@pytest.mark.parametrize("sql", ["SELECT d FROM t WHERE", "SELECT d FROM t QUALIFY 1 = 1"])
def test_f5_what_cannot_be_read_says_as_what(sql: str) -> None:
    verdict = Checker(CATALOG, "sqlite").check(sql)
    assert isinstance(verdict, Refusal)
    assert "SQLite" in verdict.primary.hint


def test_f5_the_functions_that_there_are_can_be_asked_for(orders: Feature) -> None:
    refused = orders.toolbox(OWNER).call(
        "executeSqlSafe", {"sql": "SELECT date_trunc('month', placed) FROM orders_2025"}
    )
    assert refused.error_details is not None
    assert "describe" in refused.error_details["hint"]
    told = orders.toolbox(OWNER).call("describe", {}).about or ""
    assert "strftime" in told
    assert "date_trunc" not in told
