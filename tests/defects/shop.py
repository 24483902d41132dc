"""A small shop: daily stock, orders with a status, movements in Unix seconds."""

from veridical.check.checker import Checker
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Encoding,
    Entity,
    OntologyDescriptor,
    SemanticType,
)

DDL = """
CREATE TABLE stock (
    product_id integer, warehouse text, day date, on_hand integer, reserved integer,
    opening integer, closing integer, price numeric(10, 2), PRIMARY KEY (product_id, warehouse, day)
);
CREATE TABLE sales (
    id integer PRIMARY KEY, status text, channel text, period integer, sold_on date,
    amount numeric(12, 2)
);
CREATE TABLE moves (id integer PRIMARY KEY, product_id integer, moved_at bigint, qty integer);
CREATE TABLE days (day date PRIMARY KEY, is_month_end boolean);
"""
STATUSES = ("completed", "pending", "cancelled")


def shop_schema() -> Schema:
    return schema_from_ddl(DDL)


def shop(*more: Constraint) -> OntologyDescriptor:
    return OntologyDescriptor(
        feature_code="shop",
        entities=tuple(
            Entity(name=name.title(), table=name, semantic_type=SemanticType.OBJECT)
            for name in ("stock", "sales", "moves", "days")
        ),
        constraints=(
            *(
                Constraint(
                    applies_to=f"Stock.{name}",
                    rule=ConstraintRule.SEMI_ADDITIVE_OVER,
                    fields=("day",),
                    opening="opening",
                )
                for name in ("on_hand", "reserved", "opening", "closing")
            ),
            Constraint(applies_to="Stock.price", rule=ConstraintRule.NEVER_AGGREGATE),
            Constraint(
                applies_to="Moves.moved_at",
                rule=ConstraintRule.TYPE_MISMATCH_GUARD,
                encoding=Encoding.UNIX_SECONDS,
            ),
            *more,
        ),
    )


def checker(*more: Constraint, dialect: str = "postgres") -> Checker:
    return Checker(compile_catalog(shop_schema(), shop(*more)), dialect)


def codes(asked: Checker, call: object) -> set[Code]:
    """The codes of what blocks this call; none when it passes."""
    verdict = asked.check(call)  # type: ignore[arg-type]
    return {each.code for each in verdict.violations} if isinstance(verdict, Refusal) else set()
