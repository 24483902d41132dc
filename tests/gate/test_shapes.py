import json
from typing import Any

import pytest

from veridical.contracts.result import Emptiness, Receipt, ToolResult
from veridical.evidence.exhibit import Exhibit
from veridical.gate.shapes import read_material

TABLE = {"columns": ["city", "sales"], "rows": [["Bern", 1200.5], ["Basel", 900]]}
DICTS = [{"city": "Bern", "sales": 1200.5}, {"city": "Basel", "sales": 900}]
RECEIPT = Receipt(
    call_id="c",
    query_hash="q",
    ontology_hash="o",
    sql="",
    row_count=2,
    truncated=False,
    elapsed_ms=1.0,
)


@pytest.mark.parametrize(
    "told",
    [
        TABLE,
        DICTS,
        json.dumps(TABLE),
        json.dumps(DICTS),
        ToolResult(success=True, data=TABLE, receipt=RECEIPT),
        ToolResult(success=True, data=DICTS),
        {"success": True, "data": TABLE, "receipt": {"rowCount": 2, "truncated": False}},
        {"columns": ["city", "sales"], "rows": DICTS},
        {
            "columns": [{"name": "city"}, {"name": "sales"}],
            "rows": [["Bern", 1200.5], ["Basel", 900]],
        },
        {"sources": [{"tool": "queryTable", **TABLE}]},
        [TABLE],
        (Exhibit(columns=("city", "sales"), rows=(("Bern", 1200.5), ("Basel", 900))),),
    ],
    ids=str,
)
def test_the_same_rows_in_every_shape(told: Any) -> None:
    (exhibit,) = read_material(told).exhibits
    assert exhibit.columns == ("city", "sales")
    assert exhibit.rows == (("Bern", 1200.5), ("Basel", 900))


def test_several_results_stay_apart() -> None:
    material = read_material([TABLE, {"success": True, "data": DICTS}, {"success": False}])
    assert len(material.exhibits) == 2
    assert [run.success for run in material.runs] == [True, False]


def test_a_receipt_says_what_is_missing() -> None:
    cut = {"success": True, "data": TABLE, "receipt": {"rowCount": 2, "truncated": True}}
    (exhibit,) = read_material(cut).exhibits
    assert exhibit.truncated
    assert exhibit.row_count is None
    (nothing,) = read_material({"columns": ["a"], "rows": []}).exhibits
    assert nothing.emptiness is Emptiness.NO_MATCH
    assert read_material([]).exhibits[0].emptiness is Emptiness.NO_MATCH


def test_a_failed_call_brings_nothing_but_its_reason() -> None:
    told = {
        "success": False,
        "error": "x",
        "errorDetails": {"code": "NOT_PERMITTED"},
        "data": TABLE,
    }
    material = read_material(told)
    assert [each.emptiness for each in material.exhibits] == [Emptiness.NOT_PERMITTED]
    assert material.runs[0].error == "NOT_PERMITTED"
    assert read_material({"success": False, "error": "timeout"}).exhibits == ()


def test_records_texts_and_calculations() -> None:
    assert read_material({"name": "Rot", "hours": {"mon": "9-17"}}).exhibits[0].record
    assert read_material("Revenue was 12.5 million.").exhibits[0].text
    calculation = (
        read_material({"expression": "2 * 3", "result": "6", "inputs": ["2", "3"]})
        .exhibits[0]
        .calculation
    )
    assert calculation is not None
    assert calculation.value == 6.0
    assert read_material(None).exhibits == ()
    assert read_material("").exhibits == ()
    assert read_material(()).exhibits == ()


def test_uneven_rows_are_evened_out() -> None:
    (exhibit,) = read_material(
        {"columns": ["a", "b"], "rows": [[1], [1, 2, 3], "x", {"b": 4}]}
    ).exhibits
    assert exhibit.rows == ((1, None), (1, 2), ("x", None), (None, 4))
