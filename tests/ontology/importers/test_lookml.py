from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.ontology.importers import Fidelity, Imported, ImportFailed, import_ontology
from veridical.ontology.importers.lookml_text import Pair, parse_lookml
from veridical.ontology.importers.lookml_view import filter_sql
from veridical.ontology.model import Cardinality, ConstraintRule, Entity, Metric, MetricKind, Role

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "shop.lkml")


def entity(shop: Imported, name: str) -> Entity:
    return next(each for each in shop.ontology.entities if each.name == name)


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def noted(shop: Imported, path: str) -> dict[Fidelity, str]:
    return {note.status: note.text for note in shop.notes if note.path == path}


def test_views_become_entities_with_what_refines_and_extends_them(shop: Imported) -> None:
    orders = entity(shop, "orders")
    assert (orders.table, orders.keys) == ("fct_orders", (("id",),))
    fields = {field.name: field for field in orders.fields}
    assert "forgotten" not in fields
    assert (fields["id"].role, fields["id"].column) == (Role.KEY, "order_id")
    placed = fields["placed"]
    assert (placed.role, placed.type, placed.column) == (
        Role.TIME, ValueType.TIMESTAMP, "placed_at",
    )  # fmt: skip
    assert fields["status"].description == "open or paid"
    assert fields["amount"].role is Role.MEASURE
    assert [each.name for each in entity(shop, "customers").fields] == ["id", "deleted", "segment"]
    recent = entity(shop, "recent")
    assert (len(recent.fields), recent.table) == (3, None)
    assert metric(shop, "recent.people").aggregate == "count_distinct"


def test_measures_become_metrics(shop: Imported) -> None:
    revenue = metric(shop, "orders.revenue")
    assert (revenue.aggregate, revenue.field, revenue.additive) == ("sum", "amount", True)
    assert revenue.filter == "orders.status = 'paid'"
    assert Fidelity.APPROXIMATED in noted(shop, "orders.measures.revenue")
    assert metric(shop, "orders.paid").filter == "orders.status <> 'open'"
    net, ratio = metric(shop, "orders.net"), metric(shop, "orders.per_order")
    assert (net.kind, net.additive) == (MetricKind.DERIVED, True)
    assert ratio.inputs == ("orders.revenue", "orders.count")
    assert not ratio.additive
    assert "customer_id" in noted(shop, "orders.measures.once")[Fidelity.APPROXIMATED]
    assert Fidelity.DROPPED in noted(shop, "orders.measures.latest")


def test_a_sum_of_prices_warns(shop: Imported) -> None:
    rules = {
        each.applies_to: each.warns
        for each in shop.ontology.constraints
        if each.rule is ConstraintRule.NEVER_SUM
    }
    assert rules == {"orders.unit_price": True}
    assert Fidelity.UNPROTECTED in noted(shop, "orders.measures.prices")


def test_joins_become_relations(shop: Imported) -> None:
    relations = [
        (each.from_entity, each.to_entity, each.cardinality, each.via, each.name)
        for each in shop.ontology.relations
    ]
    many = Cardinality.MANY_TO_ONE
    assert relations == [
        ("orders", "customers", many, ("customer_id=id",), None),
        ("orders", "customers", many, ("customer_id=id",), "payer"),
    ]
    assert "IS FALSE" in str(
        [each.text for each in shop.notes if each.path == "orders.joins.payer"]
    )
    assert Fidelity.DROPPED in noted(shop, "orders.joins.planets")


def test_filters_of_an_explore_become_rules_where_the_explore_is_the_view(shop: Imported) -> None:
    rules = {
        (each.applies_to, each.rule): (each.fields, each.condition)
        for each in shop.ontology.constraints
        if each.rule in (ConstraintRule.REQUIRES_FILTER_ON, ConstraintRule.COUNTS_ONLY)
    }
    assert rules == {
        ("orders", ConstraintRule.REQUIRES_FILTER_ON): (("status", "placed"), ""),
        ("orders", ConstraintRule.COUNTS_ONLY): ((), "client = '100'"),
    }
    for path in ("orders.access_filter", "living.sql_always_where", "customers.sql_always_where"):
        assert list(noted(shop, f"explores.{path}")) == [Fidelity.UNPROTECTED]


def test_what_is_hidden_and_how_figures_are_printed_is_reported(shop: Imported) -> None:
    assert "id" in noted(shop, "orders.hidden")[Fidelity.APPROXIMATED]
    assert "revenue (usd)" in noted(shop, "orders.formats")[Fidelity.DROPPED]
    assert "thousands" in noted(shop, "named_value_format")[Fidelity.DROPPED]


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        ("paid", "t.s = 'paid'"),
        ("-paid", "t.s <> 'paid'"),
        ("yes", "t.s = TRUE"),
        (">= 0", "t.s >= 0"),
        ("5", "t.s = 5"),
        ("-NULL", "t.s IS NOT NULL"),
        ("a,b", ""),
        ("%a%", ""),
        ("last 3 months", ""),
        ("7 days ago", ""),
        ("", ""),
    ],
)
def test_filter_expressions(value: str, condition: str) -> None:
    assert filter_sql(Pair("s", value), "t") == condition


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("view: a {\n  dimension: b {\n    sql: 1\n  }\n}\n", 3),
        ("view: a {\n  dimension b {}\n}\n", 2),
        ('view: a {\n  label: "x\n', 2),
        ("view: a {\n\n", 3),
    ],
)
def test_a_file_that_cannot_be_read_names_the_line(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "broken.lkml"
    file.write_text(text)
    with pytest.raises(ImportFailed, match=rf"broken\.lkml, Zeile {line}:"):
        import_ontology(file, language=Language.DE)


def test_both_spellings_of_filters_are_read() -> None:
    block = next(
        parse_lookml('measure: m { filters: [a: "x"] filters: { field: b value: "y" } }').blocks(
            "measure"
        )
    )
    assert list(block.filters()) == [Pair("a", "x"), Pair("b", "y")]
