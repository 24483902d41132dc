"""No function and no type gets past the allow-list, however it is written."""

import pytest

from benchmarks.walls import bypasses
from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import SqlCall
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog

COLUMNS = (Column("id", ValueType.INTEGER), Column("label", ValueType.TEXT))
CATALOG = compile_catalog(Schema.of([Table("Account", COLUMNS, keys=(("id",),))]))
IN_A_CTE = "SELECT 1, {f}((WITH a(b) AS (SELECT '/etc/passwd') SELECT b FROM a))"
CALLED = (
    *("pg_read_file", "set_config", "query_to_xml", "dblink_exec", "lo_export", "pg_sleep"),
    *("read_csv", "getenv", "load_extension", "system$wait", "xp_cmdshell", "external_query"),
)
LEAKED = (
    "SELECT pg_stat_get_live_tuples(g) FROM generate_series(1, 99) AS g",
    "SELECT g::regclass FROM generate_series(1, 99) AS g",
    "SELECT g::regrole::text FROM generate_series(1, 99) AS g",
    "SELECT regclass 'pg_class'",
    "SELECT CAST('<a/>' AS xml)",
    "SELECT current_user",
    "SELECT user FROM generate_series(1, 2) AS g",
    "SELECT g.pg_sleep FROM generate_series(1, 2) AS g",
    'SELECT "label" FROM "Account", f(\'x\') AS (a int)',
    'SELECT "label" FROM "Account" AS x, f(\'x\') AS (a int)',
    "SELECT 1 OPERATOR(pg_catalog.+) 2",
    "SELECT ('a').pg_sleep",
    'SELECT U&"\\0070g_sleep"(1)',
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("function", CALLED)
def test_e33_a_call_beside_a_cte_is_a_call(function: str, dialect: str) -> None:
    verdict = Checker(CATALOG, dialect).check(SqlCall(sql=IN_A_CTE.format(f=function)))
    assert isinstance(verdict, Refusal)
    # in some no name has a dollar sign, so that there is not even a call to speak of
    is_name = "$" not in function or dialect not in ("clickhouse", "spark")
    code = Code.FUNCTION_NOT_ALLOWED if is_name else Code.SYNTAX_ERROR
    assert code in {each.code for each in verdict.violations}


@pytest.mark.parametrize("sql", LEAKED)
def test_e33_what_tells_of_the_server_is_refused(sql: str) -> None:
    assert isinstance(Checker(CATALOG).check(SqlCall(sql=sql)), Refusal)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20261116])
def test_e33_no_hidden_call_passes_and_every_twin_does(seed: int) -> None:
    figures = bypasses.run(seed)
    assert figures["bypasses"] == 0, figures["examples"]
    assert figures["refused_twins"] == 0, figures["examples"]
    assert figures["statements"] >= 1500 * len(DIALECTS)
    assert figures["twins"] >= 1000 * len(DIALECTS)


def test_e33_statements_are_distinct_and_the_same_for_a_seed() -> None:
    found = bypasses.statements(3)
    assert len({(each.dialect, each.sql) for each in found}) == len(found)
    assert found == bypasses.statements(3)
    assert found != bypasses.statements(4)
