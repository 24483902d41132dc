from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import ConstraintRule, LinkKind, Metric, MetricKind

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "dbt_latest.yml")


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def test_only_models_with_semantics_are_taken(shop: Imported) -> None:
    tables = {each.name: each.table for each in shop.ontology.entities}
    assert tables == {
        "orders": "fct_orders",
        "dim_customers": "dim_customers",
        "fct_balances": "fct_balances",
    }


def test_columns_carry_entities_and_dimensions(shop: Imported) -> None:
    orders = shop.ontology.entities[0]
    assert [(link.name, link.kind, link.expr) for link in orders.links] == [
        ("order", LinkKind.PRIMARY, "order_id"),
        ("customer", LinkKind.FOREIGN, "customer_id"),
    ]
    fields = {field.name: field for field in orders.fields}
    assert (fields["ordered_at"].column, fields["ordered_at"].grain) == ("ordered_on", "day")
    assert fields["is_large"].expr == "amount > 1000"


@pytest.mark.parametrize(
    ("name", "kind", "entity", "inputs"),
    [
        ("revenue", MetricKind.SIMPLE, "orders", ()),
        ("revenue_p95", MetricKind.SIMPLE, "orders", ()),
        ("growth", MetricKind.DERIVED, None, ("revenue", "revenue")),
        ("revenue_per_order", MetricKind.RATIO, None, ("revenue", "order_count")),
        ("running_revenue", MetricKind.CUMULATIVE, None, ("revenue",)),
        ("order_after_balance", MetricKind.CONVERSION, None, ("balance", "order_count")),
    ],
)
def test_metrics_need_no_measures(
    shop: Imported, name: str, kind: MetricKind, entity: str | None, inputs: tuple[str, ...]
) -> None:
    found = metric(shop, name)
    assert (found.kind, found.entity, found.inputs) == (kind, entity, inputs)


def test_average_by_any_name_does_not_add_up(shop: Imported) -> None:
    assert metric(shop, "average_order").aggregate == "average"
    assert not metric(shop, "average_order").additive


def test_the_window_of_a_balance_is_noted(shop: Imported) -> None:
    rule = next(
        each for each in shop.ontology.constraints if each.rule is ConstraintRule.SEMI_ADDITIVE_OVER
    )
    assert (rule.applies_to, rule.fields) == ("fct_balances.balance_amount", ("balance_date",))
    notes = [note.text for note in shop.notes if note.path == "fct_balances.measures.balance"]
    assert any("max" in text for text in notes)


def test_a_conversion_reaches_only_what_its_base_does(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    conversion = graph.metric("order_after_balance")
    assert graph.reach(conversion, "customer__segment") is Reach.REACHED
    assert graph.reach(conversion, "order__status") is Reach.UNKNOWN


def test_own_grains_come_over(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    assert shop.ontology.time_grains == ("fiscal_year",)
    assert graph.reach(graph.metric("revenue"), "metric_time__fiscal_year") is Reach.REACHED


def test_what_nobody_reads_is_said(tmp_path: Path) -> None:
    file = tmp_path / "models.yml"
    file.write_text(
        "models:\n"
        "  - name: t\n"
        "    semantic_model: true\n"
        "    columns: [{name: id, entity: {type: primary, name: t}}]\n"
        "    metrics: [{name: n, type: simple, agg: count, expr: id, brand_new: 1}]\n"
    )
    notes = import_ontology(file).notes
    dropped = [(note.path, note.text) for note in notes if note.status is Fidelity.DROPPED]
    assert dropped == [("metrics.n", "`brand_new` is not read; nothing checks it.")]
