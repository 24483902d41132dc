"""The schema of an answer in facts names what there is, and lets measures be computed."""

from typing import Any

from jsonschema import Draft202012Validator

from veridical.evidence.read import read_tables
from veridical.facts.forms.registry import FORMS
from veridical.facts.schema import facts_schema

ROWS = [["North", 120], ["South", 80]]


def schema(rows: list[list[Any]]) -> dict[str, Any]:
    return facts_schema(read_tables({"tool": "t", "columns": ["depot", "stock"], "rows": rows}))


def accepts(fact: dict[str, Any], rows: list[list[Any]] = ROWS) -> bool:
    checked: Any = Draft202012Validator(schema(rows))
    return bool(checked.is_valid({"facts": {"a": fact}, "answer": "{a}"}))


def test_results_columns_and_rows_are_those_that_there_are() -> None:
    assert accepts({"say": "top", "from": "r1", "measure": "stock"})
    assert accepts({"say": "value", "row": "North", "measure": "stock"})
    assert not accepts({"say": "top", "from": "r2", "measure": "stock"})
    assert not accepts({"say": "value", "row": "East", "measure": "stock"})
    assert not accepts({"say": "total", "measure": "stock", "by": ["region"]})
    assert not accepts({"say": "sing"})
    assert not accepts({"say": "top", "colour": "red"})


def test_measures_and_conditions_are_free() -> None:
    assert accepts({"say": "top", "measure": "stock / 2 as half", "where": "stock > 90"})
    assert accepts({"say": "table", "columns": ["depot", "stock * 2 as twice"]})


def test_many_rows_and_times_are_named_freely() -> None:
    many = [[f"depot {at}", at] for at in range(60)]
    assert accepts({"say": "value", "row": "depot 59"}, many)
    assert accepts({"say": "value", "row": "March"}, [["2025-03", 1], ["2025-04", 2]])


def test_every_form_is_offered_and_without_results_too() -> None:
    found = facts_schema(())["properties"]["facts"]["additionalProperties"]["properties"]
    assert found["say"]["enum"] == list(FORMS)
    assert found["from"] == {"type": "string"}
