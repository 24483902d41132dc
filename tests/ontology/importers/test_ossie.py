from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import Cardinality, ConstraintRule, Role

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "ossie.yml")


def dropped(shop: Imported) -> set[str]:
    return {note.path for note in shop.notes if note.status is Fidelity.DROPPED}


def test_datasets_become_entities(shop: Imported) -> None:
    orders, customers, paid = shop.ontology.entities
    assert shop.ontology.feature_code == "shop"
    assert (orders.table, orders.keys, orders.synonyms) == (
        "fct_orders",
        (("order_id",),),
        ("purchases",),
    )
    assert customers.keys == (("id",), ("email",))
    assert paid.table is None


def test_fields_keep_roles_and_sources(shop: Imported) -> None:
    orders, customers, _ = shop.ontology.entities
    fields = {field.name: field for field in (*orders.fields, *customers.fields)}
    assert (fields["amount"].role, fields["amount"].column) == (Role.MEASURE, "order_amount")
    assert fields["ordered_at"].role is Role.TIME
    assert fields["full_name"].expr == "first_name || last_name"
    assert "score" not in fields


def test_relationships_point_to_the_one_side(shop: Imported) -> None:
    (relation,) = shop.ontology.relations
    assert (relation.from_entity, relation.to_entity) == ("orders", "customers")
    assert (relation.cardinality, relation.via) == (Cardinality.MANY_TO_ONE, ("customer_id=id",))


def test_sums_are_guarded(shop: Imported) -> None:
    assert [(each.applies_to, each.rule) for each in shop.ontology.constraints] == [
        ("orders.amount", ConstraintRule.FAN_OUT)
    ]


def test_a_metric_over_two_datasets_stands_on_the_many_side(shop: Imported) -> None:
    owners = {metric.name: metric.entity for metric in shop.ontology.metrics}
    assert owners == {
        "revenue": "orders",
        "customer_count": "customers",
        "revenue_per_customer": "orders",
    }


def test_dimensions_are_reached_along_relations_only(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    revenue, count = graph.metric("revenue"), graph.metric("customer_count")
    assert graph.reach(revenue, "customers.full_name") is Reach.REACHED
    assert graph.reach(revenue, "ordered_at__month") is Reach.REACHED
    assert graph.reach(count, "orders.ordered_at") is Reach.UNKNOWN


def test_what_is_lost_is_noted(shop: Imported) -> None:
    assert dropped(shop) == {
        "orders.fields.score",
        "relationships.to_nowhere",
        "metrics.only_tableau",
        "shop.custom_extensions",
    }
    assert "Amounts are in Swiss francs." in str(shop.ontology.domain_hints)


def test_extensions_of_others_are_noted_with_their_text_and_their_cardinality_counts(
    tmp_path: Path,
) -> None:
    file = tmp_path / "model.yaml"
    file.write_text("""
semantic_model:
- name: shop
  datasets:
  - name: customers
    source: customers
    fields:
    - {name: id}
    - name: stock_level
      custom_extensions: [{vendor_name: ACME, data: '{"aggregationType" : "Sum"}'}]
    custom_extensions: [{vendor_name: ACME, data: '{"filter": "active = true"}'}]
  - {name: orders, source: orders, fields: [{name: customer_id}]}
  relationships:
  - name: customers_orders
    from: customers
    to: orders
    from_columns: [id]
    to_columns: [customer_id]
    ai_context: {instructions: Only for audits.}
    custom_extensions: [{vendor_name: ACME, data: '{"cardinality": "OneToMany"}'}]
""")
    found = import_ontology(file)
    (relation,) = found.ontology.relations
    assert relation.cardinality is Cardinality.ONE_TO_MANY
    stock = next(each for each in found.ontology.entities[0].fields if each.name == "stock_level")
    assert stock.role is Role.MEASURE
    texts = {each.path: each.text for each in found.notes if each.status is Fidelity.DROPPED}
    assert 'ACME: {"filter": "active = true"}' in texts["customers.custom_extensions"]
    assert "Only for audits." in texts["relationships.customers_orders"]
