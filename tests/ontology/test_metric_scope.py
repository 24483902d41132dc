from pathlib import Path

import pytest

from veridical.contracts.caller import Permissions
from veridical.ontology.compile import compile_catalog, restrict
from veridical.ontology.importers import import_ontology
from veridical.ontology.metrics import MetricGraph, Reach

MODELS = Path(__file__).parent / "importers/models"
CATALOG = compile_catalog(None, import_ontology(MODELS / "dbt_legacy.yml").ontology)


def graph_for(allow: tuple[str, ...] = ("*",), deny: tuple[str, ...] = ()) -> MetricGraph:
    metrics = restrict(CATALOG, Permissions(allow, deny)).metrics
    assert metrics is not None
    return metrics


def test_a_hidden_table_takes_its_metrics_and_dimensions_along() -> None:
    graph = graph_for(deny=("fct_balances", "dim_regions"))
    assert graph.metric("balance") is None
    assert graph.metric("revenue_and_balance") is None
    revenue = graph.metric("revenue")
    assert graph.reach(revenue, "customer__segment") is Reach.REACHED
    assert graph.reach(revenue, "region__region_name") is Reach.UNKNOWN


def test_a_hidden_column_is_neither_grouped_nor_summed_nor_computed_with() -> None:
    graph = graph_for(deny=("fct_orders.amount",))
    assert graph.metric("revenue") is None
    assert graph.metric("average_order") is None
    assert graph.metric("revenue_per_buyer") is None
    count = graph.metric("order_count")
    assert graph.reach(count, "order__status") is Reach.REACHED
    assert graph.reach(count, "order__is_large") is Reach.UNKNOWN


def test_a_hidden_key_is_no_link() -> None:
    graph = graph_for(deny=("fct_orders.customer_id",))
    revenue = graph.metric("revenue")
    assert graph.reach(revenue, "customer") is Reach.UNKNOWN
    assert graph.reach(revenue, "customer__segment") is Reach.UNKNOWN
    assert graph.metric("buyers") is None


def test_a_metric_that_filters_by_a_hidden_column_is_hidden() -> None:
    graph = graph_for(deny=("fct_orders.status",))
    assert graph.metric("revenue") is None
    assert graph.metric("twice_the_revenue") is None
    assert graph.metric("average_order") is not None


def test_no_hidden_name_is_listed_anywhere() -> None:
    graph = graph_for(allow=("fct_orders",))
    names = {item for metric in graph.metrics for item in graph.items(graph.metric(metric))}
    assert not any("segment" in name or "region" in name or "balance" in name for name in names)
    assert not any("balance" in metric for metric in graph.metrics)


@pytest.mark.parametrize("file", ["ossie.yml", "snowflake.yml", "cube.yml"])
def test_nothing_shown_leaves_nothing(file: str) -> None:
    catalog = compile_catalog(None, import_ontology(MODELS / file).ontology)
    graph = restrict(catalog, Permissions(allow=("nothing",))).metrics
    assert graph is not None
    assert graph.metrics == ()
    assert graph.items(None) == ("metric_time",)
