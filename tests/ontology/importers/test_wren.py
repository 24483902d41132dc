import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from veridical.contracts.schema import ValueType
from veridical.ontology.importers import Fidelity, Imported, QuestionSql, import_ontology
from veridical.ontology.importers.wren_spec import snake_keys
from veridical.ontology.model import Cardinality, ConstraintRule, MetricKind, Role

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "wren.json")


def noted(shop: Imported, path: str) -> set[Fidelity]:
    return {note.status for note in shop.notes if note.path == path}


def test_models_become_entities_over_their_tables(shop: Imported) -> None:
    orders, customers, recent = shop.ontology.entities
    assert (orders.table, orders.keys, orders.description) == (
        "fct_orders", (("id",),), "what was bought",
    )  # fmt: skip
    assert customers.table == "customers"
    assert recent.table is None
    assert noted(shop, "recent.refSql") == {Fidelity.APPROXIMATED}


def test_columns_keep_name_type_and_words(shop: Imported) -> None:
    fields = {field.name: field for field in shop.ontology.entities[0].fields}
    assert list(fields) == ["id", "customer_id", "placed", "status", "amount", "with_tax"]
    assert (fields["id"].column, fields["id"].role) == ("order_id", Role.KEY)
    assert (fields["placed"].role, fields["placed"].type) == (Role.TIME, ValueType.TIMESTAMP)
    assert (fields["amount"].description, fields["amount"].synonyms) == (
        "without tax",
        ("Revenue",),
    )
    assert fields["with_tax"].expr == "amount * 1.081"


def test_what_reaches_into_another_model_is_a_metric_that_nobody_adds_up(shop: Imported) -> None:
    metrics = {each.name: each for each in shop.ontology.metrics}
    assert metrics["customers.spent"].kind is MetricKind.DERIVED
    assert not metrics["customers.spent"].additive
    assert noted(shop, "orders.country") == {Fidelity.DROPPED}
    assert "orders.country" not in metrics


def test_measures_guard_what_they_sum(shop: Imported) -> None:
    metrics = {each.name: each for each in shop.ontology.metrics}
    assert (metrics["sales.revenue"].field, metrics["sales.revenue"].additive) == ("amount", True)
    assert not metrics["sales.mean"].additive
    assert metrics["sales.per_customer"].kind is MetricKind.DERIVED
    assert metrics["buyers.count"].aggregate == "count_distinct"
    guarded = [
        each.applies_to for each in shop.ontology.constraints if each.rule is ConstraintRule.FAN_OUT
    ]
    assert guarded == ["orders.amount"]


def test_a_list_of_values_is_closed(shop: Imported) -> None:
    (closed,) = (
        each for each in shop.ontology.constraints if each.rule is ConstraintRule.ALLOWED_VALUES
    )
    assert (closed.applies_to, closed.values) == ("orders.status", ("open", "paid"))


def test_relationships_keep_their_cardinality(shop: Imported) -> None:
    first, odd = shop.ontology.relations
    assert first.cardinality is Cardinality.MANY_TO_ONE
    assert first.via == ("customer_id=id",)
    assert odd.via == ()
    assert noted(shop, "relationships.odd") == {Fidelity.APPROXIMATED}
    assert noted(shop, "relationships.lost") == {Fidelity.DROPPED}


def test_a_saved_question_asks_the_tables(shop: Imported) -> None:
    sql = "SELECT order_id, amount FROM fct_orders AS orders WHERE order_id = 7"
    assert shop.pairs == (QuestionSql("What did order 7 cost?", sql),)
    assert noted(shop, "views.plain") == {Fidelity.DROPPED}


def test_what_only_wren_would_enforce_is_told(shop: Imported) -> None:
    told = [each for each in shop.notes if "row_level_access_controls" in each.text]
    assert [each.status for each in told] == [Fidelity.DROPPED]


def test_a_project_of_files_says_the_same(shop: Imported, tmp_path: Path) -> None:
    whole = snake_keys(json.loads((MODELS / "wren.json").read_text()))
    project = tmp_path / "shop"
    files: dict[str, Any] = {
        "wren_project.yml": {"schema_version": 3, "name": "shop", "data_source": "postgres"}
    }
    for part in ("models", "cubes"):
        files |= {f"{part}/{each['name']}/metadata.yml": each for each in whole[part]}
    files["relationships.yml"] = {"relationships": whole["relationships"]}
    files["enums.yml"] = {
        "data_source": "postgres", "name": "shop", "enum_definitions": whole["enum_definitions"],
    }  # fmt: skip
    files["queries.yml"] = {
        "pairs": [{"nl": "How many orders?", "sql": "SELECT COUNT(*) FROM orders"}]
    }
    for name, content in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(yaml.safe_dump(content))
    found = import_ontology(project)
    assert {each.name: each for each in found.ontology.entities} == {
        each.name: each for each in shop.ontology.entities
    }
    assert found.ontology.relations == shop.ontology.relations
    assert found.pairs == (
        QuestionSql("How many orders?", "SELECT COUNT(*) FROM fct_orders AS orders"),
    )
