"""The budget through the tools: a call that would read too much names a cheaper one."""

import json
from dataclasses import replace

import pytest

from veridical.contracts.caller import Caller
from veridical.contracts.cost import CostSettings
from veridical.contracts.language import Language
from veridical.engines import Engine
from veridical.tools.toolbox import Toolbox

ALL_SALES = {"tableName": "ShopSale", "aggregate": "SUM", "field": "amount"}
ALL_SALES_IN_SQL = {"sql": 'SELECT SUM(s."amount") AS total FROM "ShopSale" s'}


@pytest.fixture
def thrifty(toolbox: Toolbox) -> Toolbox:
    assert isinstance(toolbox.engine, Engine)
    return replace(toolbox, engine=toolbox.engine.under(CostSettings(most_rows_read=1)))


@pytest.mark.parametrize(
    ("tool", "arguments"), [("aggregateTable", ALL_SALES), ("executeSqlSafe", ALL_SALES_IN_SQL)]
)
def test_a_call_over_the_budget_is_refused_with_a_cheaper_question(
    thrifty: Toolbox, tool: str, arguments: dict[str, str]
) -> None:
    result = thrifty.call(tool, arguments)
    assert not result.success
    assert result.receipt is None
    assert result.error_details == {
        "code": "OVER_COST_BUDGET",
        "field": None,
        "suggestion": None,
        "hint": "Not run: it would read about 2 rows; the budget is 1 row."
        " Choose a period of ShopSale.soldAt.",
        "actor": "model",
    }


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.DE, "Sie läse etwa 2 Zeilen; die Grenze liegt bei 1 Zeile. Wählen Sie einen Zei"),
        (Language.EN, "about 2 rows; the budget is 1 row. Choose a period of ShopSale.soldAt."),
        (Language.ZH, "预计读取 2 行，预算为 1 行。 请为 ShopSale.soldAt 选择一个时间段。"),
    ],
)
def test_the_refusal_is_in_the_callers_language(
    thrifty: Toolbox, language: Language, words: str
) -> None:
    result = replace(thrifty, caller=Caller(language=language)).call("aggregateTable", ALL_SALES)
    assert result.error is not None
    assert words in result.error


def test_what_the_budget_allows_is_run_and_recorded(toolbox: Toolbox) -> None:
    assert isinstance(toolbox.engine, Engine)
    engine = toolbox.engine.under(CostSettings(most_rows_read=100))
    result = replace(toolbox, engine=engine).call("aggregateTable", ALL_SALES)
    assert result.success
    assert result.receipt is not None
    assert result.receipt.cost is not None
    assert result.receipt.cost.rows_estimated == 2
    assert "cost" in json.loads(result.model_dump_json(by_alias=True))["receipt"]


def test_a_refused_statement_is_never_explained(
    thrifty: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert thrifty.engine is not None
    explained: list[str] = []
    kind = type(thrifty.engine.database)

    def explain(*given: object) -> None:
        explained.append(str(given))

    monkeypatch.setattr(kind, "estimate", explain)
    for sql in (
        'DELETE FROM "ShopSale"',
        'SELECT 1; DROP TABLE "ShopSale"',
        "SELECT * FROM read_csv('/etc/passwd')",
        'EXPLAIN ANALYZE SELECT "amount" FROM "ShopSale"',
        'SELECT "nothing" FROM "ShopSale"',
    ):
        assert not thrifty.call("executeSqlSafe", {"sql": sql}).success
    assert explained == []
