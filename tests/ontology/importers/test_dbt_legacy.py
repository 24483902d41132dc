from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.model import (
    Cardinality,
    ConstraintRule,
    Entity,
    LinkKind,
    Metric,
    MetricKind,
    Role,
    SemanticType,
)

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "dbt_legacy.yml")


def entity(shop: Imported, name: str) -> Entity:
    return next(each for each in shop.ontology.entities if each.name == name)


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def noted(shop: Imported, path: str) -> set[Fidelity]:
    return {note.status for note in shop.notes if note.path == path}


def test_models_become_entities_over_their_tables(shop: Imported) -> None:
    tables = {each.name: each.table for each in shop.ontology.entities}
    assert tables == {
        "orders": "fct_orders",
        "customers": "dim_customers",
        "regions": "dim_regions",
        "countries": "dim_countries",
        "balances": "fct_balances",
    }
    assert entity(shop, "balances").semantic_type is SemanticType.BALANCE_SNAPSHOT


def test_keys_and_links_keep_their_expressions(shop: Imported) -> None:
    orders = entity(shop, "orders")
    assert orders.keys == (("order_id",),)
    assert [(link.name, link.kind, link.expr) for link in orders.links] == [
        ("order", LinkKind.PRIMARY, "order_id"),
        ("customer", LinkKind.FOREIGN, "customer_id"),
    ]
    balances = entity(shop, "balances")
    assert ("balance", LinkKind.PRIMARY) in [(link.name, link.kind) for link in balances.links]
    assert balances.keys == ()


def test_foreign_to_primary_is_many_to_one(shop: Imported) -> None:
    relations = {
        (each.from_entity, each.to_entity): (each.cardinality, each.via)
        for each in shop.ontology.relations
    }
    assert relations == {
        ("orders", "customers"): (Cardinality.MANY_TO_ONE, ("customer_id=customer_id",)),
        ("customers", "regions"): (Cardinality.MANY_TO_ONE, ("region_code=code",)),
        ("regions", "countries"): (Cardinality.MANY_TO_ONE, ("country=country",)),
        ("balances", "customers"): (Cardinality.MANY_TO_ONE, ("customer_id=customer_id",)),
    }


def test_fields_know_their_role_column_and_grain(shop: Imported) -> None:
    fields = {field.name: field for field in entity(shop, "orders").fields}
    assert fields["status"].role is Role.DIMENSION
    assert fields["status"].synonyms == ("Order status",)
    assert fields["is_large"].expr == "amount > 1000"
    assert (fields["ordered_at"].role, fields["ordered_at"].grain) == (Role.TIME, "day")
    assert fields["order_id"].role is Role.KEY
    assert fields["amount"].role is Role.MEASURE
    day = next(field for field in entity(shop, "balances").fields if field.name == "day")
    assert (day.column, day.grain) == ("balance_date", "month")


def test_a_summed_measure_is_guarded_once(shop: Imported) -> None:
    guarded = [
        each.applies_to for each in shop.ontology.constraints if each.rule is ConstraintRule.FAN_OUT
    ]
    assert guarded == ["orders.amount", "balances.balance_amount"]


def test_a_balance_is_not_summed_over_its_dimension(shop: Imported) -> None:
    rule = next(
        each for each in shop.ontology.constraints if each.rule is ConstraintRule.SEMI_ADDITIVE_OVER
    )
    assert (rule.applies_to, rule.fields) == ("balances.balance_amount", ("balance_date",))
    note = next(
        each
        for each in shop.notes
        if each.path == "balances.measures.balance" and each.status is Fidelity.APPROXIMATED
    )
    assert "min" in note.text
    assert "customer" in note.text


def test_metrics_know_entity_aggregate_filter_and_time(shop: Imported) -> None:
    revenue = metric(shop, "revenue")
    assert (revenue.entity, revenue.aggregate, revenue.field) == ("orders", "sum", "amount")
    assert revenue.filter == "{{ Dimension('order__status') }} = 'paid'"
    assert revenue.time_field == "ordered_at"
    assert metric(shop, "order_count").field == "order_id"


@pytest.mark.parametrize(
    ("name", "kind", "additive"),
    [
        ("revenue", MetricKind.SIMPLE, True),
        ("order_count", MetricKind.SIMPLE, True),
        ("average_order", MetricKind.SIMPLE, False),
        ("buyers", MetricKind.SIMPLE, False),
        ("balance", MetricKind.SIMPLE, False),
        ("revenue_per_buyer", MetricKind.RATIO, False),
        ("twice_the_revenue", MetricKind.DERIVED, True),
        ("revenue_and_balance", MetricKind.DERIVED, False),
        ("running_revenue", MetricKind.CUMULATIVE, False),
        ("repeat_orders", MetricKind.CONVERSION, False),
    ],
)
def test_kinds_and_whether_groups_add_up(
    shop: Imported, name: str, kind: MetricKind, additive: bool
) -> None:
    assert (metric(shop, name).kind, metric(shop, name).additive) == (kind, additive)


def test_a_conversion_is_seen_from_its_base(shop: Imported) -> None:
    assert metric(shop, "repeat_orders").entity == "orders"


def test_what_is_coarser_or_lost_is_noted(shop: Imported) -> None:
    assert noted(shop, "metrics.running_revenue") == {Fidelity.APPROXIMATED}
    assert noted(shop, "metrics.repeat_orders") == {Fidelity.APPROXIMATED}
    assert noted(shop, "metrics.revenue_and_balance") == {Fidelity.APPROXIMATED}
    assert noted(shop, "metrics.average_order") == {Fidelity.APPROXIMATED}
    assert noted(shop, "metrics.lost") == {Fidelity.DROPPED}
    assert "lost" not in {each.name for each in shop.ontology.metrics}


def test_a_saved_query_is_a_pattern(shop: Imported) -> None:
    (pattern,) = shop.ontology.canonical_patterns
    assert pattern.pattern == {
        "tool": "queryMetrics",
        "metrics": ["revenue"],
        "groupBy": ["metric_time__month", "customer__segment"],
        "where": ["{{ Dimension('order__status') }} = 'paid'"],
    }


def test_a_manifest_says_the_same() -> None:
    found = import_ontology(MODELS / "semantic_manifest.json")
    ontology = found.ontology
    assert [(each.name, each.table) for each in ontology.entities] == [("orders", "fct_orders")]
    assert ontology.time_grains == ("fiscal_year",)
    revenue, placed = ontology.metrics
    assert revenue.filter == (
        "({{ Dimension('order__status') }} = 'paid')"
        " AND ({{ Dimension('order__ordered_at') }} > '2020-01-01')"
    )
    assert (placed.entity, placed.aggregate, placed.field) == ("orders", "count", "order_id")
    assert [note.text for note in found.notes if note.status is Fidelity.DROPPED] == []
