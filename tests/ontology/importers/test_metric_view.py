from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.model import Cardinality, ConstraintRule, MetricKind

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "metric_view.yml")


def test_the_source_and_its_joins_become_entities(shop: Imported) -> None:
    tables = {each.name: each.table for each in shop.ontology.entities}
    assert tables == {"orders": "orders", "customer": "customer", "nation": None}
    orders, customer, _ = shop.ontology.entities
    fields = {each.name: (each.column, each.expr) for each in orders.fields}
    assert fields["Order Date"] == ("ordered_on", None)
    assert fields["Month"] == (None, "DATE_TRUNC('MONTH', ordered_on)")
    assert [(each.name, each.column) for each in customer.fields] == [("Segment", "segment")]
    assert orders.description == "Orders and who placed them."


def test_joins_lead_to_one_row(shop: Imported) -> None:
    ends = {(each.from_entity, each.to_entity): each for each in shop.ontology.relations}
    assert ends["orders", "customer"].via == ("customer_id=id",)
    assert ends["customer", "nation"].via == ("nation_id=id",)
    assert {each.cardinality for each in ends.values()} == {Cardinality.MANY_TO_ONE}


def test_measures_know_whether_they_add_up(shop: Imported) -> None:
    metrics = {each.name: each for each in shop.ontology.metrics}
    assert {name: each.additive for name, each in metrics.items()} == {
        "orders.Revenue": True,
        "orders.Prices": True,
        "orders.Buyers": False,
        "orders.Trailing": False,
    }
    assert metrics["orders.Trailing"].kind is MetricKind.CUMULATIVE
    assert metrics["orders.Buyers"].label == "Number of buyers"
    rules = {(each.applies_to, each.rule, each.warns) for each in shop.ontology.constraints}
    assert rules == {
        ("orders.amount", ConstraintRule.FAN_OUT, False),
        ("orders.unit_price", ConstraintRule.FAN_OUT, False),
        ("orders.unit_price", ConstraintRule.NEVER_SUM, True),
        ("orders", ConstraintRule.COUNTS_ONLY, False),
    }


def test_what_is_lost_is_noted(shop: Imported) -> None:
    lost = {each.path: each.text for each in shop.notes if each.status is Fidelity.DROPPED}
    assert "CHF" in lost["orders.formats"]
    assert "at_most_one_match" in lost["orders.joins.customer.rely"]
    unprotected = [each.path for each in shop.notes if each.status is Fidelity.UNPROTECTED]
    assert unprotected == ["orders.measures.Prices"]
    approximated = {each.path for each in shop.notes if each.status is Fidelity.APPROXIMATED}
    assert "nation.source" in approximated
