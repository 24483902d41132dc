"""A figure that a statement writes itself proves nothing, in any form and any dialect."""

from typing import Any

import pytest

from tests.defects.stock import stock, toolbox
from tests.gate.strictly import strictly
from veridical.answering.feature import Feature
from veridical.answering.grounds import exhibits_of
from veridical.contracts.answer import Source
from veridical.contracts.proof import Verdict
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt
from veridical.tools.toolbox import Toolbox

__all__ = ["stock", "toolbox"]

SAID = "The balance was 5,000,000."
LAUNDERED = (
    "(SELECT 5000000 AS balance)",
    "((SELECT 5000000 AS balance))",
    "SELECT 5000000 AS balance UNION SELECT 5000000",
    "SELECT 5e6 AS balance",
    "SELECT 5 * 1000000 AS balance",
    "SELECT CAST('5000000' AS INTEGER) AS balance",
    "WITH a AS (SELECT 5000000 AS balance) SELECT balance FROM a",
    "SELECT balance FROM (SELECT 5000000 AS balance) s",
    "SELECT balance FROM (VALUES (5000000)) v(balance)",
    "SELECT MAX(CASE WHEN balance > 0 THEN 5000000 ELSE balance END) AS balance FROM accounts",
    "SELECT COALESCE(NULL, 5000000) AS balance FROM accounts",
    "SELECT MAX(balance) * 0 + 5000000 AS balance FROM accounts",
    "SELECT COUNT(*) * 2500000 AS balance FROM accounts",
    "SELECT SUM(2500000) AS balance FROM accounts",
    "SELECT MAX(balance) AS balance FROM accounts UNION ALL SELECT 5000000",
    "SELECT GREATEST(MAX(balance), 5000000) AS balance FROM accounts",
    "SELECT l.balance FROM accounts CROSS JOIN LATERAL (SELECT 5000000 AS balance) l",
    "SELECT (SELECT 5000000) AS balance",
    "SELECT 5000000 AS b, b AS balance FROM accounts",
    "VALUES (5000000)",
    "SELECT g AS balance FROM generate_series(5000000, 5000000) t(g)",
)
PROVING = (
    ("SELECT SUM(balance) AS total FROM accounts", "The total is 1,500.75."),
    ("SELECT ROUND(SUM(balance), 2) AS total FROM accounts", "The total is 1,500.75."),
    ("SELECT SUM(pieces) / 1000.0 AS large FROM stock", "That is 3.419."),
    ("SELECT COUNT(*) AS accounts FROM accounts", "There are 2 accounts."),
    (
        "SELECT name, balance * 100.0 / SUM(balance) OVER () AS share FROM accounts",
        "Main has a share of 79.99 %.",
    ),
    (
        "SELECT SUM(CASE WHEN balance > 500 THEN balance ELSE 0 END) AS large FROM accounts",
        "The large ones have 1,200.50.",
    ),
    ("SELECT COALESCE(SUM(balance), 0) AS total FROM accounts", "The total is 1,500.75."),
    ("(SELECT SUM(balance) AS total FROM accounts)", "The total is 1,500.75."),
    (
        "WITH s AS (SELECT article, SUM(pieces) AS n FROM stock GROUP BY article)"
        " SELECT article, n FROM s ORDER BY n DESC",
        "Jackets had 1,721 pieces, Shoes 1,698.",
    ),
    (
        "SELECT 'Jackets' AS article, SUM(pieces) AS n FROM stock WHERE article = 'Jackets'"
        " UNION ALL SELECT 'Shoes', SUM(pieces) FROM stock WHERE article = 'Shoes'",
        "Jackets had 1,721 pieces, Shoes 1,698.",
    ),
)


def _shown(sql: str) -> dict[str, Any]:
    table = {"columns": ["balance"], "rows": [[5_000_000]]}
    return {"success": True, "tool": "runSql", "arguments": {"sql": sql}, "data": table}


@pytest.mark.parametrize("sql", LAUNDERED)
def test_a1_a_foreign_result_proves_no_literal(sql: str) -> None:
    width = 2 if " b, b " in sql else 1
    evidence = _shown(sql)
    evidence["data"] = {
        "columns": ["b", "balance"][-width:],
        "rows": [[5_000_000] * width],
    }
    assert strictly(SAID, evidence).verdict is Verdict.BLOCK


@pytest.mark.parametrize("sql", LAUNDERED)
def test_a1_what_our_toolbox_ran_proves_no_literal(sql: str, toolbox: Toolbox) -> None:
    result = toolbox.call("executeSqlSafe", {"sql": sql})
    assert strictly(SAID, result).verdict is Verdict.BLOCK
    told = result.model_dump(mode="json", by_alias=True)
    assert strictly(SAID, told).verdict is Verdict.BLOCK


@pytest.mark.parametrize("sql", LAUNDERED)
def test_a1_the_flow_rests_on_no_literal(sql: str, toolbox: Toolbox, stock: Feature) -> None:
    result = toolbox.call("executeSqlSafe", {"sql": sql})
    if not result.success or result.receipt is None:
        return
    source = Source(
        tool="executeSqlSafe",
        arguments={"sql": sql},
        columns=tuple(result.data["columns"]),
        rows=tuple(map(tuple, result.data["rows"])),
        receipt=result.receipt,
    )
    exhibits = exhibits_of([source], Question(text="What was the balance?"), stock.meaning)
    assert strictly(SAID, exhibits).verdict is Verdict.BLOCK
    older = source.model_copy(
        update={"receipt": result.receipt.model_copy(update={"lineage": None})}
    )
    exhibits = exhibits_of([older], Question(text="What was the balance?"), stock.meaning)
    assert strictly(SAID, exhibits).verdict is Verdict.BLOCK


@pytest.mark.parametrize(("sql", "answer"), PROVING)
def test_a1_what_was_read_still_proves(sql: str, answer: str, toolbox: Toolbox) -> None:
    result = toolbox.call("executeSqlSafe", {"sql": sql})
    assert result.success, result.error
    proof = strictly(answer, result)
    assert proof.verdict is Verdict.PASS, proof.findings


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("SELECT 'Huber Logistics' AS best_customer", "The best customer is Huber Logistics AG."),
        ("SELECT 7 AS complaints", "There were 7 complaints."),
        ("SELECT g FROM generate_series(1, 7) t(g)", "There were 7 complaints."),
        ("SELECT COUNT(*) FROM (SELECT 1 FROM stock LIMIT 3) s", "There were 3 complaints."),
        ("SELECT 'paid' AS status", "The invoice is paid."),
        ("SELECT DATE '2024-05-05' AS paid_on", "It was paid on 5 May 2024."),
        ("EXPLAIN ANALYZE accounts", "The balance was 5,000,000."),
        ("this is no SQL", "The balance was 5,000,000."),
    ],
)
def test_a1_names_counts_and_days_are_not_laundered_either(sql: str, answer: str) -> None:
    rows = [[each] for each in (7, 7, 7, 7, 7, 7, 7)] if "series" in sql else [[_cell(sql)]]
    evidence = {**_shown(sql), "data": {"columns": ["x"], "rows": rows}}
    assert strictly(answer, evidence).verdict is Verdict.BLOCK


def _cell(sql: str) -> Any:
    for sign, value in (("Huber", "Huber Logistics AG"), ("7", 7), ("LIMIT 3", 3)):
        if sign in sql:
            return value
    return "paid" if "paid'" in sql else "2024-05-05" if "DATE" in sql else 5_000_000


def test_a1_a_number_that_the_user_named_may_be_mixed_in(stock: Feature) -> None:
    sql = "SELECT SUM(balance) * 1.19 AS gross FROM accounts"
    receipt = Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql=sql, row_count=1, truncated=False,
        elapsed_ms=1.0,
    )  # fmt: skip
    source = Source(
        tool="executeSqlSafe", arguments={"sql": sql}, columns=("gross",), rows=((1785.89,),),
        receipt=receipt,
    )  # fmt: skip
    said = "The total with VAT is 1,785.89."
    asked = Question(text="What is the total with 19 % VAT?")
    assert strictly(said, exhibits_of([source], asked, stock.meaning)).verdict is Verdict.PASS
    unasked = Question(text="What is the total?")
    assert strictly(said, exhibits_of([source], unasked, stock.meaning)).verdict is Verdict.BLOCK
