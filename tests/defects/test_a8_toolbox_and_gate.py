"""What a call of the toolbox asked for is part of its evidence: the day, the warehouse."""

from typing import Any

import pytest

from tests.defects.stock import stock, toolbox
from tests.gate.strictly import strictly
from veridical.contracts.proof import Verdict
from veridical.contracts.result import ToolResult
from veridical.tools.toolbox import Toolbox

__all__ = ["stock", "toolbox"]

ON_THE_DAY: dict[str, Any] = {
    "tableName": "stock",
    "aggregate": "sum",
    "field": "pieces",
    "filters": [{"field": "day", "op": "=", "value": "2026-01-05"}],
}
SQL = {"sql": "SELECT SUM(pieces) AS pieces FROM stock WHERE day = DATE '2026-01-05'"}
RANGE = {
    "sql": "SELECT SUM(pieces) AS pieces FROM stock"
    " WHERE day >= DATE '2026-01-05' AND day < DATE '2026-01-06'"
}

RIGHT = (
    "There were 1,919 pieces in stock on 5 January 2026",
    "There were 1,919 pieces in stock on January 5, 2026.",
    "On 2026-01-05 there were 1,919 pieces in stock.",
    "Am 5. Januar 2026 waren 1'919 Stück an Lager.",
    "Am 05.01.2026 waren 1'919 Stück an Lager.",
    "2026年1月5日的库存为1,919件。",
)
WRONG = (
    "There were 1,919 pieces in stock on 4 January 2026",
    "There were 1,919 pieces in stock on 6 January 2026",
    "There were 1,919 pieces in stock on 5 January 2025",
    "Am 4. Januar 2026 waren 1'919 Stück an Lager.",
    "Am 05.02.2026 waren 1'919 Stück an Lager.",
    "2026年1月6日的库存为1,919件。",
)


def _result(toolbox: Toolbox, tool: str, arguments: dict[str, Any]) -> ToolResult:
    result = toolbox.call(tool, arguments)
    assert result.success, result.error
    return result


@pytest.mark.parametrize("answer", RIGHT)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("aggregateTable", ON_THE_DAY), ("executeSqlSafe", SQL), ("executeSqlSafe", RANGE)],
    ids=["structured", "sql", "range"],
)
def test_a8_the_day_that_was_asked_for_passes(
    tool: str, arguments: dict[str, Any], answer: str, toolbox: Toolbox
) -> None:
    result = _result(toolbox, tool, arguments)
    proof = strictly(answer, result)
    assert proof.verdict is Verdict.PASS, proof.findings
    as_json = strictly(answer, result.model_dump(mode="json", by_alias=True))
    assert as_json.verdict is Verdict.PASS


@pytest.mark.parametrize("answer", WRONG)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("aggregateTable", ON_THE_DAY), ("executeSqlSafe", SQL), ("executeSqlSafe", RANGE)],
    ids=["structured", "sql", "range"],
)
def test_a8_another_day_is_held_back(
    tool: str, arguments: dict[str, Any], answer: str, toolbox: Toolbox
) -> None:
    proof = strictly(answer, _result(toolbox, tool, arguments))
    assert proof.verdict is Verdict.BLOCK


def test_a8_a_filter_on_what_is_measured_proves_nothing(toolbox: Toolbox) -> None:
    call = {"sql": "SELECT name FROM accounts WHERE balance = 1200.5"}
    result = _result(toolbox, "executeSqlSafe", call)
    assert not strictly("Main is the account.", result).findings
    assert strictly("The other balance is 5,000,000.", result).verdict is Verdict.BLOCK


def test_a8_a_day_kept_as_seconds_is_a_day(toolbox: Toolbox) -> None:
    call = {
        "sql": "SELECT name, balance FROM accounts"
        " WHERE seen_at >= 1767571200 AND seen_at < 1767657600"
    }
    result = _result(toolbox, "executeSqlSafe", call)
    assert result.receipt is not None
    assert result.receipt.lineage is not None


def test_a8_what_was_filtered_for_names_the_row(toolbox: Toolbox) -> None:
    call = {
        "tableName": "stock",
        "aggregate": "sum",
        "field": "pieces",
        "filters": [
            {"field": "day", "op": "=", "value": "2026-01-05"},
            {"field": "warehouse", "op": "=", "value": "Bern"},
        ],
    }
    result = _result(toolbox, "aggregateTable", call)
    right = strictly("Bern had 921 pieces on 5 January 2026.", result)
    assert right.verdict is Verdict.PASS, right.findings
    assert result.receipt is not None
    assert result.receipt.held == {"day": "2026-01-05", "warehouse": "Bern"}
