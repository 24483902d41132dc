from pathlib import Path

import pytest

from veridical.contracts.schema import ValueType
from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import Cardinality, ConstraintRule, Metric, Role, SemanticType

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "snowflake.yml")


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def noted(shop: Imported, path: str) -> set[Fidelity]:
    return {note.status for note in shop.notes if note.path == path}


def test_tables_become_entities(shop: Imported) -> None:
    orders, customers, accounts = shop.ontology.entities
    assert (orders.table, orders.keys) == ("FCT_ORDERS", (("order_id",),))
    assert customers.keys == (("id",),)
    assert accounts.semantic_type is SemanticType.BALANCE_SNAPSHOT


def test_columns_keep_role_type_and_samples(shop: Imported) -> None:
    fields = {field.name: field for field in shop.ontology.entities[0].fields}
    assert (fields["amount"].role, fields["amount"].column) == (Role.MEASURE, "order_amount")
    assert (fields["ordered_at"].role, fields["ordered_at"].type) == (Role.TIME, ValueType.DATE)
    assert fields["ordered_at"].sample_values == ("2025-01-31",)


def test_a_closed_list_allows_its_values_only(shop: Imported) -> None:
    rule = next(
        each for each in shop.ontology.constraints if each.rule is ConstraintRule.ALLOWED_VALUES
    )
    assert (rule.applies_to, rule.values) == ("orders.status", ("open", "paid"))
    assert noted(shop, "orders.channel") == {Fidelity.DROPPED}


def test_a_non_additive_metric_guards_its_fact(shop: Imported) -> None:
    rule = next(
        each for each in shop.ontology.constraints if each.rule is ConstraintRule.SEMI_ADDITIVE_OVER
    )
    assert (rule.applies_to, rule.fields) == ("accounts.balance", ("balance_date",))
    assert not metric(shop, "accounts.total_balance").additive


def test_metrics_bear_their_table(shop: Imported) -> None:
    assert (metric(shop, "orders.revenue").field, metric(shop, "orders.revenue").additive) == (
        "amount",
        True,
    )
    assert metric(shop, "orders.weight").aggregate == "average"
    assert metric(shop, "revenue_per_balance").inputs == (
        "orders.revenue",
        "accounts.total_balance",
    )


def test_relations_are_inferred_from_keys(shop: Imported) -> None:
    (relation,) = shop.ontology.relations
    assert (relation.cardinality, relation.via) == (Cardinality.MANY_TO_ONE, ("customer_id=id",))


def test_metrics_are_found_by_either_name(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    assert graph.metric("revenue") == graph.metric("ORDERS.revenue") != None  # noqa: E711
    assert graph.reach(graph.metric("revenue"), "customers.segment") is Reach.REACHED
    assert graph.reach(graph.metric("total_balance"), "customers.segment") is Reach.UNKNOWN


def test_verified_queries_name_real_tables(shop: Imported) -> None:
    (pattern,) = shop.ontology.canonical_patterns
    assert pattern.questions == {"en": ("What is the revenue by segment?",)}
    assert "FROM FCT_ORDERS AS __orders" in pattern.pattern["sql"]
    assert noted(shop, "verified_queries.revenue by segment") == {Fidelity.APPROXIMATED}
    assert noted(shop, "verified_queries.broken") == {Fidelity.DROPPED}


def test_what_is_lost_or_coarser_is_noted(shop: Imported) -> None:
    assert noted(shop, "shop.tables.orders") == {Fidelity.DROPPED}
    assert noted(shop, "orders.metrics.share") == {Fidelity.APPROXIMATED}
    assert shop.ontology.domain_hints == "Round to whole francs."
