"""A constraint that nobody confirmed yet warns where a confirmed one refuses."""

import pytest

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.violation import Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Encoding,
    Entity,
    Field,
    OntologyDescriptor,
    SemanticType,
)

COLUMNS = (
    Column("id", ValueType.INTEGER),
    Column("month", ValueType.INTEGER),
    Column("at", ValueType.INTEGER),
    Column("status", ValueType.TEXT),
    Column("currency", ValueType.TEXT),
    Column("amount", ValueType.NUMBER),
)
RULES = {
    "SELECT SUM(amount) FROM sales": [
        Constraint(applies_to="sales.amount", rule=ConstraintRule.NEVER_AGGREGATE),
        Constraint(
            applies_to="sales.amount", rule=ConstraintRule.SEMI_ADDITIVE_OVER, fields=("month",)
        ),
        Constraint(applies_to="sales.amount", rule=ConstraintRule.SAME_UNIT, fields=("currency",)),
        Constraint(applies_to="sales", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("status",)),
        Constraint(
            applies_to="sales.amount",
            rule=ConstraintRule.ONE_LEVEL,
            fields=("month",),
            levels={"year": (0,), "months": (1, 2)},
        ),
    ],
    "SELECT id FROM sales WHERE status = 'nowhere'": [
        Constraint(applies_to="sales.status", rule=ConstraintRule.ALLOWED_VALUES, values=("open",)),
    ],
    "SELECT id FROM sales WHERE at > '2025-01-01'": [
        Constraint(
            applies_to="sales.at",
            rule=ConstraintRule.TYPE_MISMATCH_GUARD,
            encoding=Encoding.UNIX_SECONDS,
        ),
    ],
}
CASES = [(sql, each) for sql, constraints in RULES.items() for each in constraints]


def _verdict(sql: str, constraint: Constraint) -> CheckedQuery | Refusal:
    ontology = OntologyDescriptor(
        feature_code="shop",
        entities=(
            Entity(
                name="sales",
                table="sales",
                semantic_type=SemanticType.TRANSACTION,
                fields=tuple(Field(name=each.name, type=each.type) for each in COLUMNS),
            ),
        ),
        constraints=(constraint,),
    )
    schema = Schema.of([Table("sales", COLUMNS, (("id",),))])
    return Checker(compile_catalog(schema, ontology)).check(sql)


@pytest.mark.parametrize(("sql", "constraint"), CASES, ids=lambda each: getattr(each, "rule", ""))
def test_an_unconfirmed_constraint_warns(sql: str, constraint: Constraint) -> None:
    refused = _verdict(sql, constraint)
    assert isinstance(refused, Refusal)
    passed = _verdict(sql, constraint.model_copy(update={"warns": True}))
    assert isinstance(passed, CheckedQuery)
    assert {each.code for each in passed.warnings} == {each.code for each in refused.violations}
