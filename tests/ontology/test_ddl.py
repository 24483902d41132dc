import pytest
from sqlglot.errors import SqlglotError

from veridical.contracts.schema import ForeignKey, ValueType
from veridical.ontology.ddl import schema_from_ddl

SCRIPT = """
CREATE TABLE "Customer" ("id" bigint PRIMARY KEY, "name" varchar(20) NOT NULL UNIQUE, since date);
CREATE TABLE sales.orders (
    number int, region text, customer_id bigint REFERENCES "Customer",
    booked timestamptz, total numeric(18,2) NOT NULL,
    PRIMARY KEY (number, region),
    CONSTRAINT one_per_day UNIQUE (customer_id, booked),
    FOREIGN KEY (region) REFERENCES nowhere (code)
);
CREATE INDEX ON sales.orders (booked);
ALTER TABLE sales.orders ADD CONSTRAINT c FOREIGN KEY (customer_id) REFERENCES "Customer" ("id");
ALTER TABLE "Customer" ADD CONSTRAINT u UNIQUE (since, "name");
CREATE VIEW v AS SELECT 1 AS one;
"""


def test_tables_columns_and_types() -> None:
    schema = schema_from_ddl(SCRIPT)
    assert list(schema.tables) == ["Customer", "orders"]
    orders = schema.tables["orders"]
    assert orders.schema == "sales"
    assert [(column.name, column.type) for column in orders.columns] == [
        ("number", ValueType.INTEGER),
        ("region", ValueType.TEXT),
        ("customer_id", ValueType.INTEGER),
        ("booked", ValueType.TIMESTAMP),
        ("total", ValueType.NUMBER),
    ]
    assert [column.nullable for column in schema.tables["Customer"].columns] == [False, False, True]


def test_keys_in_every_way_they_are_written() -> None:
    schema = schema_from_ddl(SCRIPT)
    assert schema.tables["Customer"].keys == (("id",), ("name",), ("since", "name"))
    assert schema.tables["orders"].keys == (("number", "region"), ("customer_id", "booked"))


def test_foreign_keys_once_and_only_to_what_exists() -> None:
    found = schema_from_ddl(SCRIPT).tables["orders"].foreign_keys
    assert found == (ForeignKey(("customer_id",), "Customer", ("id",)),)


def test_another_dialect() -> None:
    schema = schema_from_ddl("CREATE TABLE `a b` (`x` INT(11), y DOUBLE)", "mysql")
    assert [column.type for column in schema.tables["a b"].columns] == [
        ValueType.INTEGER,
        ValueType.NUMBER,
    ]


def test_a_script_in_another_dialect_than_asked_for_is_read_all_the_same() -> None:
    script = "CREATE TABLE Claim (Id int NOT NULL, PRIMARY KEY (Id ASC), At datetime NULL)"
    claim = schema_from_ddl(script, "postgres").tables["Claim"]
    assert claim.keys == (("Id",),)
    assert [column.type for column in claim.columns] == [ValueType.INTEGER, ValueType.TIMESTAMP]


def test_semicolons_may_be_missing_and_other_statements_are_passed_over() -> None:
    script = """
    CREATE TABLE a (x int)
    CREATE TABLE b (y int)
    CREATE TRIGGER odd BEFORE NOTHING AT ALL
    """
    assert list(schema_from_ddl(script).tables) == ["a", "b"]


def test_what_is_no_sql_is_refused() -> None:
    with pytest.raises(SqlglotError):
        schema_from_ddl("CREATE TABLE (((")
