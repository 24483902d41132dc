"""Units of a parent row, and joins that keys prove to repeat a measure."""

import duckdb
import pytest

from tests.defects.shop import codes
from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Code, Refusal
from veridical.engines.reflect import reflect_duckdb
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.lint import DriftKind, lint
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    OntologyDescriptor,
    Relation,
    SemanticType,
)
from veridical.ontology.prompt import compile_prompt
from veridical.ontology.schema_file import SchemaFile

DDL = """
CREATE TABLE customers (id integer PRIMARY KEY, name varchar, credit_limit numeric);
CREATE TABLE orders (
    id integer PRIMARY KEY, customer_id integer REFERENCES customers (id), currency varchar,
    total numeric, ordered_on date
);
CREATE TABLE order_items (
    order_id integer REFERENCES orders (id), line_no integer, product_id integer, qty integer,
    line_total numeric, PRIMARY KEY (order_id, line_no)
);
CREATE TABLE payments (
    id integer PRIMARY KEY, order_id integer REFERENCES orders (id), amount numeric
);
CREATE TABLE notes (
    id integer PRIMARY KEY, order_id integer UNIQUE REFERENCES orders (id), weight numeric
);
CREATE TABLE rates (currency varchar PRIMARY KEY, rate numeric);
"""


def schemas() -> dict[str, Schema]:
    written = schema_from_ddl(DDL)
    connection = duckdb.connect()
    connection.execute(DDL)
    database = connection.execute("SELECT current_database()").fetchone()
    assert database is not None
    return {
        "ddl": written,
        "json": SchemaFile.model_validate_json(
            SchemaFile.of(written).model_dump_json(by_alias=True)
        ).schema_value(),
        "reflected": reflect_duckdb(connection, str(database[0]), ("main",)),
    }


SCHEMAS = schemas()


def ontology(unit: str = "Order.currency") -> OntologyDescriptor:
    fields = {"currency": "currency", "lineTotal": "line_total", "orderId": "order_id"}
    return OntologyDescriptor(
        feature_code="shop",
        entities=(
            Entity(
                name="Order",
                table="orders",
                semantic_type=SemanticType.DOCUMENT,
                fields=(Field(name="currency"), Field(name="id")),
            ),
            Entity(
                name="Item",
                table="order_items",
                semantic_type=SemanticType.OBJECT,
                fields=tuple(
                    Field(name=name, column=column)
                    for name, column in fields.items()
                    if name != "currency"
                ),
            ),
            Entity(name="Rate", table="rates", semantic_type=SemanticType.OBJECT),
        ),
        relations=(
            Relation(
                from_entity="Item",
                to_entity="Order",
                cardinality=Cardinality.MANY_TO_ONE,
                via=("orderId=id",),
            ),
        ),
        constraints=(
            Constraint(applies_to="Item.lineTotal", rule=ConstraintRule.SAME_UNIT, fields=(unit,)),
            Constraint(applies_to="Rate.rate", rule=ConstraintRule.NEVER_AGGREGATE),
        ),
    )


UNITS = Checker(compile_catalog(SCHEMAS["ddl"], ontology()))
JOINED = "FROM order_items i JOIN orders o ON o.id = i.order_id"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT o.currency, SUM(i.line_total) {JOINED} GROUP BY o.currency",
        f"SELECT SUM(i.line_total) {JOINED} WHERE o.currency = 'CHF'",
        "SELECT SUM(i.line_total) FROM orders o LEFT JOIN order_items i ON i.order_id = o.id"
        " WHERE o.currency = 'CHF'",
        "WITH c AS (SELECT id, currency FROM orders WHERE currency = 'CHF')"
        " SELECT SUM(i.line_total) FROM order_items i JOIN c ON c.id = i.order_id",
        "SELECT SUM(line_total) FROM order_items WHERE order_id = 5",
        "SELECT order_id, SUM(line_total) FROM order_items GROUP BY order_id",
        "SELECT SUM(i.line_total * r.rate) FROM order_items i JOIN orders o ON o.id = i.order_id"
        " JOIN rates r ON r.currency = o.currency",
        "SELECT COUNT(*) FROM order_items",
    ],
)
def test_c23_the_currency_of_the_order_settles_that_of_its_lines(sql: str) -> None:
    assert codes(UNITS, sql) == set()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(line_total) FROM order_items",
        "SELECT product_id, SUM(line_total) FROM order_items GROUP BY product_id",
        f"SELECT SUM(i.line_total) {JOINED}",
        f"SELECT SUM(i.line_total) {JOINED} WHERE o.currency IN ('CHF', 'EUR')",
        "SELECT SUM(i.line_total) FROM order_items i JOIN orders o ON o.id = i.product_id"
        " WHERE o.currency = 'CHF'",
    ],
)
def test_c23_lines_of_several_currencies_are_not_added(sql: str) -> None:
    verdict = UNITS.check(sql)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.MIXED_UNITS
    assert verdict.primary.suggestion == "orders.currency"
    assert "orders.currency" in verdict.primary.hint


def test_c23_the_prompt_and_the_lint_know_the_parents_unit() -> None:
    known = ontology()
    assert "orders.currency" in compile_prompt(known, Language.EN).text
    drifted = {DriftKind.UNKNOWN_IN_CONSTRAINT}
    assert not {each.kind for each in lint(known, SCHEMAS["ddl"])} & drifted
    for unit in ("Order.curency", "Orders.currency", "Rate.currency"):
        assert {each.kind for each in lint(ontology(unit), SCHEMAS["ddl"])} & drifted


@pytest.fixture(params=list(SCHEMAS))
def bare(request: pytest.FixtureRequest) -> Checker:
    return Checker(compile_catalog(SCHEMAS[request.param]))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(o.total) FROM order_items i JOIN orders o ON o.id = i.order_id",
        "SELECT SUM(o.total) FROM orders o, order_items i WHERE i.order_id = o.id",
        "SELECT SUM(o.total) FROM orders o LEFT JOIN order_items i ON i.order_id = o.id",
        "SELECT o.currency, SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id"
        " GROUP BY o.currency",
        "SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.id = 5",
        "SELECT SUM(t) FROM (SELECT o.total AS t FROM orders o"
        " JOIN order_items i ON i.order_id = o.id) x",
        "SELECT SUM(c.credit_limit) FROM customers c JOIN orders o ON o.customer_id = c.id",
        "SELECT SUM(p.amount) FROM payments p JOIN orders o ON o.id = p.order_id"
        " JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(p.amount) FROM payments p JOIN order_items i ON i.order_id = p.order_id",
    ],
)
def test_c23_keys_prove_that_a_join_repeats_the_measure(sql: str, bare: Checker) -> None:
    assert Code.FAN_OUT in codes(bare, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(total) FROM orders",
        "SELECT SUM(i.line_total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(i.qty * o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT COUNT(*) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT COUNT(DISTINCT o.id) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT MAX(o.total), MIN(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(DISTINCT o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id",
        "SELECT SUM(o.total) FROM orders o JOIN notes n ON n.order_id = o.id",
        "SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id"
        " WHERE i.line_no = 1",
        "SELECT SUM(o.total) FROM orders o WHERE o.id IN (SELECT order_id FROM order_items)",
        "SELECT SUM(o.total) FROM orders o"
        " WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id)",
        "SELECT SUM(o.total) FROM orders o JOIN (SELECT order_id, SUM(qty) AS q FROM order_items"
        " GROUP BY order_id) i ON i.order_id = o.id",
        "SELECT SUM(o.total) FROM orders o JOIN (SELECT DISTINCT order_id FROM order_items) i"
        " ON i.order_id = o.id",
    ],
)
def test_c23_what_is_not_repeated_passes(sql: str, bare: Checker) -> None:
    verdict = bare.check(sql)
    assert isinstance(verdict, CheckedQuery), verdict
    assert [each.code for each in verdict.warnings if each.code is Code.FAN_OUT] == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT AVG(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id",
        "SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.id"
        " WHERE i.product_id = 5",
    ],
)
def test_c23_what_keys_can_not_prove_only_warns(sql: str, bare: Checker) -> None:
    verdict = bare.check(sql)
    assert isinstance(verdict, CheckedQuery)
    assert Code.FAN_OUT in {each.code for each in verdict.warnings}


def test_c23_a_part_of_a_key_joins_too_much() -> None:
    ddl = """
    CREATE TABLE offers (
        part integer, supplier integer, cost numeric, PRIMARY KEY (part, supplier)
    );
    CREATE TABLE lines (
        id integer PRIMARY KEY, part integer, supplier integer, qty integer,
        FOREIGN KEY (part, supplier) REFERENCES offers (part, supplier)
    );
    """
    asked = Checker(compile_catalog(schema_from_ddl(ddl)))
    whole = "o.part = l.part AND o.supplier = l.supplier"
    sql = "SELECT SUM(o.cost * l.qty) FROM lines l JOIN offers o ON"
    assert codes(asked, f"{sql} {whole}") == set()
    assert codes(asked, f"{sql} o.part = l.part") == {Code.FAN_OUT}
