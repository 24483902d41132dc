import json
from typing import Any

import pytest

from tests.agent.scripted_tools import receipt
from veridical.agent.results import MOST_CHARACTERS, MOST_ROWS, as_prompt, as_source
from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, RanAs, ToolResult, refused
from veridical.contracts.violation import Code, Mode, Refusal, Violation

WARNING = Violation(code=Code.UNDECLARED_JOIN, hint="No such join is declared.", mode=Mode.WARN)


def told(result: ToolResult, language: Language = Language.EN) -> dict[str, Any]:
    return json.loads(as_prompt(result, language))


def rows(count: int, cell: str = "x") -> ToolResult:
    data = {"columns": ["n", "text"], "rows": [[number, cell] for number in range(count)]}
    return ToolResult(success=True, data=data, receipt=receipt(count), warnings=(WARNING,))


def test_few_rows_go_back_whole_with_warnings_and_receipt() -> None:
    assert told(rows(2)) == {
        "success": True,
        "warnings": [{"code": "UNDECLARED_JOIN", "hint": "No such join is declared."}],
        "receipt": {"rowCount": 2, "truncated": False, "timeRange": []},
        "data": {"columns": ["n", "text"], "rows": [[0, "x"], [1, "x"]]},
    }


@pytest.mark.parametrize("language", list(Language))
def test_many_rows_are_cut_and_that_is_said(language: Language) -> None:
    result = told(rows(137), language)
    assert len(result["data"]["rows"]) == MOST_ROWS
    assert "137" in result["data"]["note"]
    assert str(MOST_ROWS) in result["data"]["note"]
    assert result["receipt"]["rowCount"] == 137


def test_long_rows_are_cut_earlier_but_one_is_always_shown() -> None:
    shown = told(rows(40, "y" * 1000))["data"]["rows"]
    assert 1 < len(shown) < 13
    assert len(told(rows(3, "y" * 2 * MOST_CHARACTERS))["data"]["rows"]) == 1


def test_emptiness_is_told_by_its_kind() -> None:
    empty = receipt(0).model_copy(update={"emptiness": Emptiness.NOT_PERMITTED})
    result = ToolResult(success=True, data={"columns": [], "rows": []}, receipt=empty)
    assert told(result)["receipt"]["emptiness"] == "NOT_PERMITTED"


def test_a_refusal_keeps_all_its_details() -> None:
    first = Violation(code=Code.FIELD_NOT_FOUND, field="x", suggestion="y", hint="No field x.")
    result = told(refused(Refusal(violations=(first, first))))
    assert result["success"] is False
    assert result["error"] == "FIELD_NOT_FOUND: No field x."
    assert result["errorDetails"]["suggestion"] == "y"
    assert len(result["errorDetails"]["others"]) == 1
    assert "data" not in result


def test_a_source_is_what_was_recorded_not_what_was_shown() -> None:
    source = as_source("lookUp", {"a": 1}, rows(137))
    assert source
    assert len(source.rows) == 137


def test_plain_values_are_one_row() -> None:
    data = {"expression": "1+1", "result": "2", "inputs": ["1", "1"]}
    source = as_source("calculate", {}, ToolResult(success=True, data=data, receipt=receipt(1)))
    assert source
    assert (source.columns, source.rows) == (("expression", "result"), (("1+1", "2"),))


def test_no_source_without_success_and_receipt() -> None:
    assert as_source("t", {}, ToolResult(success=False, receipt=receipt(0))) is None
    assert as_source("t", {}, ToolResult(success=True, data={})) is None


def test_a_source_is_the_call_that_ran_for_another() -> None:
    ran = RanAs(tool="queryTable", arguments={"tableName": "T"})
    result = rows(1).model_copy(update={"ran_as": ran})
    source = as_source("knownQuestion", {"question": "Q"}, result)
    assert source is not None
    assert (source.tool, source.arguments) == ("queryTable", {"tableName": "T"})
    assert "ranAs" not in told(result)
