from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, Imported, ImportFailed, import_ontology
from veridical.ontology.importers.dax import adding_up, formula_of, running
from veridical.ontology.importers.tmdl_text import parse_tmdl
from veridical.ontology.model import Cardinality, ConstraintRule, Metric, MetricKind, Role

MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "shop.tmdl")


def metric(shop: Imported, name: str) -> Metric:
    return next(each for each in shop.ontology.metrics if each.name == name)


def noted(shop: Imported, path: str) -> dict[Fidelity, str]:
    return {note.status: note.text for note in shop.notes if note.path == path}


def test_tables_become_entities_over_what_their_source_names(shop: Imported) -> None:
    orders, date, customers = shop.ontology.entities
    assert (orders.table, orders.description) == ("fct_orders", "One row for each order")
    assert (date.table, customers.table) == ("Date", "Customers")
    assert orders.keys == (("Order Key",),)
    assert customers.keys == (("Customer Key",),)
    fields = {field.name: field for field in orders.fields}
    assert (fields["Order Key"].role, fields["Order Key"].column) == (Role.KEY, "order_key")
    assert (fields["Shipped"].role, fields["Amount"].role) == (Role.KEY, Role.MEASURE)
    assert fields["Status"].expr == 'IF(Orders[Amount] > 0, "paid", "open")'


@pytest.mark.parametrize(
    ("name", "kind", "aggregate", "field", "additive"),
    [
        ("Revenue", MetricKind.SIMPLE, "sum", "Amount", True),
        ("Revenue per order", MetricKind.DERIVED, None, None, False),
        ("Balance", MetricKind.CUMULATIVE, None, None, False),
        ("Balance in thousands", MetricKind.CUMULATIVE, None, None, False),
        ("Paid", MetricKind.DERIVED, None, None, True),
        ("Last year", MetricKind.DERIVED, None, None, False),
        ("Paid and open", MetricKind.DERIVED, None, None, True),
        ("People", MetricKind.SIMPLE, "count_distinct", "Customer Key", False),
        ("Customer's mean", MetricKind.SIMPLE, "average", None, False),
    ],
)
def test_measures_become_metrics(
    shop: Imported,
    name: str,
    kind: MetricKind,
    aggregate: str | None,
    field: str | None,
    additive: bool,
) -> None:
    found = metric(shop, name)
    assert (found.kind, found.aggregate, found.field) == (kind, aggregate, field)
    assert found.additive is additive
    assert found.entity == "Orders"


def test_relationships_become_relations(shop: Imported) -> None:
    relations = [
        (each.from_entity, each.to_entity, each.cardinality, each.via, each.name)
        for each in shop.ontology.relations
    ]
    many = Cardinality.MANY_TO_ONE
    assert relations == [
        ("Orders", "Customers", many, ("Customer Key=Customer Key",), None),
        ("Orders", "Date", many, ("Day=Day",), None),
        ("Orders", "Date", many, ("Shipped=Day",), "Shipped"),
    ]
    assert list(noted(shop, "relationships.Orders.Shipped")) == [Fidelity.APPROXIMATED]
    assert Fidelity.DROPPED in noted(shop, "relationships.Orders.Customer Key")


def test_what_power_bi_would_not_sum_warns(shop: Imported) -> None:
    rules = {
        each.applies_to: each.warns
        for each in shop.ontology.constraints
        if each.rule is ConstraintRule.NEVER_SUM
    }
    assert rules == {"Orders.Unit Price": True, "Orders.Weight": True}


def test_what_is_lost_is_reported(shop: Imported) -> None:
    (condition,) = noted(shop, "roles.North only.Orders").values()
    assert "'Orders'[Status] = \"paid\"" in condition
    assert list(noted(shop, "roles.North only.Orders")) == [Fidelity.UNPROTECTED]
    assert "Order Key" in noted(shop, "Orders.hidden")[Fidelity.APPROXIMATED]
    assert "Revenue (#,0.00)" in noted(shop, "Orders.formats")[Fidelity.DROPPED]


def test_a_running_figure_makes_all_that_use_it_run() -> None:
    formulas = {
        name: formula_of(text)
        for name, text in {
            "Sold": "SUMX(Sales, Sales[Amount] * (1 - Sales[Discount]))",
            "Rows": "COUNTROWS('Sales')",
            "Level": "CLOSINGBALANCEMONTH(SUM(Sales[Stock]), 'Date'[Day])",
            "Both": "[Sold] - [Level]",
            "Share": "DIVIDE([Sold], [Rows])",
            "All": "CALCULATE([Sold], ALL(Sales))",
            "Sum": "[Sold] - -[Rows]",
        }.items()
    }
    assert running(formulas) == {"Level", "Both"}
    assert adding_up(formulas) == {"Sold", "Rows", "Sum"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("table A\n\t\t\tcolumn B\n\tmeasure C =\n", 2),
        ("table A\n\tmeasure B = ```\n\t\t\tSUM(\n", 2),
        ("table A\n\t= 3\n", 2),
    ],
)
def test_a_file_that_cannot_be_read_names_the_line(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "broken.tmdl"
    file.write_text(text)
    with pytest.raises(ImportFailed, match=rf"broken\.tmdl, line {line}:"):
        import_ontology(file)


def test_an_expression_may_stand_beside_the_properties() -> None:
    text = "table A\n\tmeasure B =\n\t\tSUM(\n\t\t\tA[c]\n\t\t)\n\t\tformatString: 0\n"
    (table,) = parse_tmdl(text).all("table")
    (measure,) = table.all("measure")
    assert measure.expression == "SUM(\nA[c]\n)"
    assert measure.properties == {"formatString": "0"}
