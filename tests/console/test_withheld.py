"""Files that leave the house: ids of the tenant stand nowhere that the answer doesn't say them."""

import json
from typing import Any

import pytest

from veridical.console.answer_view import AnswerView, answer_view
from veridical.console.withheld import Withheld, withheld
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt

SCOPE = {"mandateId": ("m-001", "m-002"), "shard": (7,)}
QUESTION = "What was the balance of account 1020?"


def _view(text: str = "CHF 7.00", **given: Any) -> AnswerView:
    recorded: dict[str, Any] = {"sql": "", **given.pop("receipt", {})}
    receipt = Receipt(
        call_id="c", query_hash="h", ontology_hash="", row_count=1, truncated=False, elapsed_ms=1,
        **recorded,
    )  # fmt: skip
    made: dict[str, Any] = {"tool": "t", "arguments": {}, "receipt": receipt, **given}
    source = Source(**made)
    return answer_view(
        Answer(
            kind=AnswerKind.AGENT,
            text=text,
            language=Language.EN,
            trace_id="t",
            sources=(source,),
        )
    )


def _left_out(question: str = QUESTION, text: str = "CHF 7.00") -> Withheld:
    return withheld(_view(text), question, "acme", SCOPE)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "clickhouse", "sqlite", "mysql"])
@pytest.mark.parametrize(
    "condition",
    [
        "mandateId = 'm-001' AND shard = 7 AND month = 7",
        "mandateId IN ('m-001', 'm-002') AND shard IN (7) AND month = 7",
        "shard = 7 AND label LIKE 'm-001' AND month = 7",
        "mandateId <> 'm-999' AND t.shard BETWEEN 7 AND 7 AND month = 7",
    ],
)
def test_what_limits_a_query_to_the_tenant_is_left_out(dialect: str, condition: str) -> None:
    found = _left_out().sql(f"SELECT a FROM t WHERE {condition}", dialect)
    assert "m-0" not in found
    assert "m-9" not in found
    assert "[tenant]" in found
    assert found.count("7") == 1  # the month
    assert "month = 7" in found


def test_a_query_without_ids_stays_as_it_was_written() -> None:
    sql = "select  a from t  where b = 'x' -- so"
    assert _left_out().sql(sql, "postgres") == sql


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT (( mandateId = 'm-001'", "SELECT (( mandateId = '[tenant]'"),
        ("r1: balance[m-001 1020] = 7", "r1: balance[[tenant] 1020] = 7"),
        ("r1: shard[1020] = 7", "r1: shard[1020] = [tenant]"),
        ('{"shard": 7, "month": 7}', '{"shard": [tenant], "month": 7}'),
        ("m-0011, xm-001, m-001-b", "m-0011, xm-001, m-001-b"),
        ("7 accounts", "7 accounts"),
    ],
)
def test_ids_are_left_out_of_any_text(text: str, expected: str) -> None:
    assert _left_out().text(text) == expected
    assert _left_out().sql(text, "a dialect that nobody has") == expected


def test_a_call_and_its_receipt_say_all_but_the_ids() -> None:
    arguments = {
        "tableName": "t",
        "filters": [
            {"field": "t.mandateId", "op": "in", "values": ["m-001"]},
            {"field": "shard", "op": "=", "value": 7},
            {"field": "month", "op": "=", "value": 7},
        ],
        "sql": "SELECT a FROM t WHERE shard = 7",
    }
    view = _view(
        arguments=arguments,
        receipt={
            "sql": "SELECT a FROM t WHERE shard = $1",
            "parameters": (7,),
            "held": {"shard": 7, "month": 7},
        },
    )
    (source,) = view.answer.sources
    found = _left_out().call(arguments, "postgres")
    assert [each.get("value", each.get("values")) for each in found["filters"]] == [
        ["[tenant]"], "[tenant]", 7,
    ]  # fmt: skip
    assert " ".join(found["sql"].split()) == "SELECT a FROM t WHERE shard = [tenant]"
    receipt = _left_out().receipt(source, "postgres")
    assert receipt["held"] == {"shard": "[tenant]", "month": 7}
    assert "parameters" not in receipt


def test_the_digest_of_a_call_is_there_only_where_nothing_of_it_was_left_out() -> None:
    """An id of five signs would be found by trying all."""
    for arguments, is_there in (({"mandateId": "m-001"}, False), ({"year": 2024}, True)):
        (source,) = _view(arguments=arguments).answer.sources
        assert ("queryHash" in _left_out().receipt(source, "postgres")) is is_there


def test_the_column_of_a_tenant_has_no_ids_under_any_name() -> None:
    (source,) = _view(
        columns=("mandateId", "part", "note", "n"),
        rows=(("m-001", 7, "of m-001", 7), (None, None, None, 0)),
        receipt={"sql": "SELECT mandateId, shard AS part, note, COUNT(shard) AS n FROM t"},
    ).answer.sources
    assert _left_out().rows(source, "postgres") == [
        ["[tenant]", "[tenant]", "of [tenant]", 7],
        [None, None, None, 0],
    ]


def test_what_the_answer_says_itself_stays() -> None:
    """With several clients, their ids are what tells the rows apart."""
    text = "m-001: CHF 5.00"
    found = _left_out("By client?", text)
    sql = found.sql("SELECT a FROM t WHERE mandateId IN ('m-001', 'm-002')", "postgres")
    assert "('m-001', [tenant])" in " ".join(sql.split())
    assert found.text("m-001, m-002") == "m-001, [tenant]"
    assert _left_out("What of m-002?").text("m-001, m-002") == "[tenant], m-002"


def test_without_tenants_everything_stays() -> None:
    found = withheld(_view(), QUESTION, "", {})
    arguments = {"field": "mandateId", "value": "m-001", "sql": "SELECT 1 WHERE mandateId = 7"}
    assert found.call(arguments, "postgres") == arguments
    assert json.dumps(arguments) == found.text(json.dumps(arguments))
