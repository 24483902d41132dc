from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ontology.exporters.shop import shop
from veridical.ontology.exporters import TARGETS, ExportFailed, export_ontology
from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.load import load_ontology
from veridical.ontology.model import ConstraintRule


def written(target: str) -> dict[str, Any]:
    return yaml.safe_load(export_ontology(shop(), target).text)


def imported(text: str, folder: Path) -> Imported:
    file = folder / "model.yml"
    file.write_text(text, "utf-8")
    return import_ontology(file)


def noted(target: str) -> dict[str, Fidelity]:
    return {each.path: each.status for each in export_ontology(shop(), target).notes}


@pytest.mark.parametrize("source", ["pack:trustee", "shop"])
def test_everything_survives_ossie(source: str, tmp_path: Path) -> None:
    ontology = shop() if source == "shop" else load_ontology(source)
    back = imported(export_ontology(ontology, "ossie").text, tmp_path)
    assert back.ontology == ontology
    assert back.ontology.hash == ontology.hash


IMPORTED = Path(__file__).parents[1] / "importers" / "models"


@pytest.mark.parametrize(
    "model",
    ["cube.yml", "dbt_latest.yml", "metric_view.yml", "ossie.yml", "shop.lkml", "shop.tmdl"],
)
def test_an_imported_model_survives_ossie(model: str, tmp_path: Path) -> None:
    ontology = import_ontology(IMPORTED / model).ontology
    back = imported(export_ontology(ontology, "ossie").text, tmp_path)
    assert back.ontology == ontology
    assert back.ontology.hash == ontology.hash


def test_rules_survive_an_edit_of_the_ossie_file(tmp_path: Path) -> None:
    text = export_ontology(shop(), "ossie").text
    document = yaml.safe_load(text)
    (model,) = document["semantic_model"]
    model["metrics"].append(
        {
            "name": "orders",
            "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "COUNT(Order.id)"}]},
        }
    )
    model["datasets"][0]["fields"] = [
        each for each in model["datasets"][0]["fields"] if each["name"] != "status"
    ]
    stock = next(each for each in model["datasets"] if each["name"] == "Stock")
    stock["name"] = "Stocks"
    back = imported(yaml.safe_dump(document), tmp_path)
    rules = {(each.applies_to, each.rule) for each in back.ontology.constraints}
    assert rules == {
        ("Order", ConstraintRule.COUNTS_ONLY),
        ("Order.price", ConstraintRule.NEVER_SUM),
        ("Order.score", ConstraintRule.NEVER_AGGREGATE),
        ("*.amount", ConstraintRule.FAN_OUT),
    }
    assert "orders" in {each.name for each in back.ontology.metrics}
    lost = [each.text for each in back.notes if each.status is Fidelity.UNPROTECTED]
    assert len(lost) == 2
    assert "Stock" in lost[0]
    assert "Stock.onHand" in lost[1]


def test_a_reader_who_knows_no_extension_reads_a_plain_ossie_model() -> None:
    document = written("ossie")
    (model,) = document["semantic_model"]
    orders, customers, _, swiss = model["datasets"]
    assert (orders["source"], orders["primary_key"]) == ("fct_orders", ["id"])
    assert orders["description"] == "One order"
    assert customers["ai_context"] == {"synonyms": ["client"]}
    assert swiss["source"] == "SELECT * FROM dim_customers WHERE country = 'CH'"
    (relation,) = model["relationships"]
    assert (relation["from"], relation["from_columns"]) == ("Order", ["customer_id"])
    sql = {
        each["name"]: each["expression"]["dialects"][0]["expression"] for each in model["metrics"]
    }
    assert sql == {
        "paid": "SUM(CASE WHEN status = 'paid' THEN Order.amount END)",
        "buyers": "COUNT(DISTINCT Order.customerId)",
        "per_buyer": "paid / buyers",
    }
    status = next(each for each in orders["fields"] if each["name"] == "status")
    assert "ALLOWED_VALUES" in status["custom_extensions"][0]["data"]


def test_dbt_has_measures_with_the_filters_that_they_require(tmp_path: Path) -> None:
    document = written("dbt")
    orders, _, stock = document["semantic_models"]
    assert orders["model"] == "ref('fct_orders')"
    assert orders["entities"] == [
        {"name": "order", "type": "primary", "expr": "id"},
        {"name": "customer", "type": "foreign", "expr": "customer_id"},
    ]
    aggregates = {each["name"]: each["agg"] for each in orders["measures"]}
    assert aggregates == {
        "order_paid": "sum", "order_buyers": "count_distinct", "order_price": "average",
    }  # fmt: skip
    assert stock["measures"][0]["non_additive_dimension"] == {"name": "day", "window_choice": "max"}
    filters = {each["name"]: each.get("filter") for each in document["metrics"]}
    counted = (
        "{{ Dimension('order__status') }} <> 'void. never' AND {{ Dimension('order__id') }} > 0"
    )
    assert filters["order_price"] == counted
    assert filters["order_paid"] == f"{counted} AND {{{{ Dimension('order__status') }}}} = 'paid'"
    assert filters["stock_onhand"] is None
    back = imported(export_ontology(shop(), "dbt").text, tmp_path).ontology
    assert {each.name for each in back.metrics} == filters.keys()
    semi = [each for each in back.constraints if each.rule is ConstraintRule.SEMI_ADDITIVE_OVER]
    assert [(each.applies_to, each.fields) for each in semi] == [("stock.on_hand", ("day",))]


def test_cube_has_measures_with_the_filters_that_they_require(tmp_path: Path) -> None:
    document = written("cube")
    orders, _, stock = document["cubes"]
    assert orders["sql_table"] == "fct_orders"
    assert orders["joins"] == [
        {
            "name": "Customer",
            "relationship": "many_to_one",
            "sql": "{CUBE}.customer_id = {Customer}.id",
        }
    ]
    measures = {each["name"]: each for each in orders["measures"]}
    assert measures["price"]["type"] == "avg"
    assert measures["paid"]["filters"] == [
        {"sql": "{CUBE}.status <> 'void. never' AND {CUBE}.id > 0"},
        {"sql": "{CUBE}.status = 'paid'"},
    ]
    assert stock["measures"][0]["meta"] == {"veridical": {"notSummedOver": ["day"]}}
    back = imported(export_ontology(shop(), "cube").text, tmp_path).ontology
    assert {"Order.paid", "Order.buyers", "Stock.onHand"} <= {each.name for each in back.metrics}


def test_what_has_no_place_is_noted() -> None:
    assert noted("ossie")["Customer → Stock"] is Fidelity.DROPPED
    dbt, cube = noted("dbt"), noted("cube")
    assert dbt["Order.score"] is cube["Order.score"] is Fidelity.DROPPED
    assert dbt["canonicalPatterns"] is dbt["entities"] is Fidelity.DROPPED
    assert dbt["Order"] is Fidelity.APPROXIMATED
    assert cube["Stock.onHand"] is Fidelity.UNPROTECTED
    kept = [each for each in export_ontology(shop(), "cube").notes if each.path == "Order"]
    assert Fidelity.KEPT in {each.status for each in kept}


def test_an_unconfirmed_condition_filters_nothing() -> None:
    for target in ("dbt", "cube"):
        assert "on_hand > 0" not in export_ontology(shop(), target).text


def test_an_unknown_target_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ExportFailed, match=", ".join(TARGETS)):
        export_ontology(shop(), "xls")
