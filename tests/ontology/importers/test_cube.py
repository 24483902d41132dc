from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, import_ontology
from veridical.ontology.importers.cube_spec import members_in, plain_sql
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import Cardinality, Entity, Metric, MetricKind, Role

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "cube.yml")


def entity(shop: Imported, name: str) -> Entity:
    return next(each for each in shop.ontology.entities if each.name == name)


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def noted(shop: Imported, path: str) -> set[Fidelity]:
    return {note.status for note in shop.notes if note.path == path}


def test_cubes_become_entities(shop: Imported) -> None:
    orders = entity(shop, "orders")
    assert (orders.table, orders.keys) == ("fct_orders", (("id",),))
    fields = {field.name: field for field in orders.fields}
    assert (fields["id"].role, fields["id"].column) == (Role.KEY, "order_id")
    assert fields["status"].column is None
    assert fields["amount"].role is Role.MEASURE


def test_a_cube_inherits_what_it_extends(shop: Imported) -> None:
    big = entity(shop, "big_customers")
    assert [field.name for field in big.fields] == ["id", "segment", "size"]
    assert big.table == "dim_customers"


def test_joins_keep_their_cardinality_and_columns(shop: Imported) -> None:
    relations = {each.to_entity: (each.cardinality, each.via) for each in shop.ontology.relations}
    assert relations == {
        "customers": (Cardinality.MANY_TO_ONE, ("customer_id=id",)),
        "periods": (Cardinality.MANY_TO_ONE, ()),
    }
    assert noted(shop, "orders.joins.periods") == {Fidelity.APPROXIMATED}
    assert noted(shop, "orders.joins.planets") == {Fidelity.DROPPED}


def test_who_may_see_which_rows_is_reported_as_unprotected(tmp_path: Path) -> None:
    file = tmp_path / "users.yml"
    file.write_text(
        "cubes: [{name: users, sql_table: users, access_policy: [{group: '*', row_level: "
        "{filters: [{member: city, operator: equals, values: [Bern]}]}}]}]"
    )
    (note,) = (each for each in import_ontology(file).notes if each.path == "users.access_policy")
    assert note.status is Fidelity.UNPROTECTED
    assert "Bern" in note.text


def test_measures_become_metrics(shop: Imported) -> None:
    revenue = metric(shop, "orders.revenue")
    assert (revenue.aggregate, revenue.field) == ("sum", "amount")
    assert revenue.filter == "(orders.status = 'paid')"
    ratio = metric(shop, "orders.revenue_per_order")
    assert (ratio.kind, ratio.inputs) == (
        MetricKind.DERIVED,
        ("orders.revenue", "orders.count"),
    )
    assert metric(shop, "orders.running_revenue").kind is MetricKind.CUMULATIVE
    assert not metric(shop, "orders.running_revenue").additive
    assert noted(shop, "orders.measures.buyers") == {Fidelity.APPROXIMATED}


def test_a_view_offers_members_under_new_names(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    placed = graph.metric("sales.orders_placed")
    assert graph.reach(placed, "sales.customers_segment") is Reach.REACHED
    assert graph.reach(placed, "sales.status") is Reach.REACHED
    assert graph.reach(placed, "orders.ordered_at") is Reach.UNKNOWN
    assert graph.metric("sales.customers_count") is None
    assert noted(shop, "sales.nonsense") == {Fidelity.DROPPED}


def test_a_name_that_two_cubes_share_must_be_qualified(shop: Imported) -> None:
    graph = MetricGraph(shop.ontology)
    assert graph.metric("count") is None
    assert graph.metric("orders.count") is not None
    assert graph.metric("orders__count") is not None


def test_braces_are_read() -> None:
    assert plain_sql("{CUBE}.id = ${users.id}", "orders") == "orders.id = users.id"
    assert members_in("{revenue} / {CUBE.count} + {users.count}", "orders") == (
        "orders.revenue",
        "orders.count",
        "users.count",
    )
