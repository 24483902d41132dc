"""The check takes SQL as text and calls as JSON, refuses the rest, and never raises."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from veridical import Checker, Refusal, SqlCall, check, compile_catalog
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Code
from veridical.ontology.ddl import schema_from_ddl

CHECKER = Checker(compile_catalog(schema_from_ddl("CREATE TABLE t (id int, name text);")))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "call",
    [
        "SELECT 1",
        "SELECT id FROM t",
        {"sql": "SELECT id FROM t"},
        {"tool": "executeSqlSafe", "sql": "SELECT id FROM t", "limit": 5},
        {"tool": "queryTable", "tableName": "t", "fields": ["id"]},
        {"tableName": "t"},
        {"tableName": "t", "aggregate": "count"},
        {"tool": "browseTable", "tableName": "t"},
        SqlCall("SELECT id FROM t"),
        SqlCall(sql="SELECT id FROM t"),
        SqlCall("SELECT id FROM t", limit=3),
    ],
)
def test_c19_text_and_objects_are_calls(call: Any) -> None:
    verdict = CHECKER.check(call)
    assert isinstance(verdict, CheckedQuery), verdict
    assert verdict.ok
    assert bool(verdict)


@pytest.mark.parametrize(
    "call",
    [
        None, 5, 1.5, True, b"SELECT 1", [], ["SELECT 1"], object(), SqlCall,
        {}, {"tool": "nonsense"}, {"tool": None}, {"tool": ["queryTable"]}, {1: 2}, {"sql": None},
        {"sql": 5}, {"tableName": "t", "limit": 0}, {"tableName": "t", "filters": "id = 1"}, "",
        "no sql at all", "SELECT id FROM", "SELECT nothing FROM t", "DROP TABLE t",
    ],
)  # fmt: skip
def test_c19_anything_else_is_refused(call: Any) -> None:
    for language in Language:
        verdict = CHECKER.check(call, Caller(language=language))
        assert isinstance(verdict, Refusal)
        assert not verdict.ok
        assert not verdict
        assert 0 < len(verdict.primary.hint) <= 80


def test_c19_an_unknown_tool_is_told_by_its_name() -> None:
    verdict = CHECKER.check({"tool": "querryTable", "tableName": "t"})
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.SYNTAX_ERROR
    assert verdict.primary.suggestion == "queryTable"


@given(ANYTHING)
def test_c19_never_raises(call: Any) -> None:
    assert isinstance(CHECKER.check(call), CheckedQuery | Refusal)


def test_c19_sql_calls_are_public() -> None:
    assert veridical.SqlCall is SqlCall
    assert "SqlCall" in check.__all__
    assert (
        SqlCall("SELECT 1")
        == SqlCall(sql="SELECT 1")
        == SqlCall.model_validate({"sql": "SELECT 1"})
    )
