"""A price is not summed over rows, while its mean and what it is multiplied with are fine."""

import pytest

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, ForeignKey, Schema, Table, ValueType
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Entity,
    OntologyDescriptor,
    SemanticType,
)


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, ValueType.NUMBER) for name in names)


LEDGER = Table(
    "ledger", _columns("tenant", "account", "year"), keys=(("tenant", "account", "year"),)
)
"""Versions of an account, which lines and balances point to."""
LINE = Table(
    "line",
    _columns("id", "tenant", "account", "year", "price", "quantity"),
    keys=(("id",),),
    foreign_keys=(
        ForeignKey(("tenant", "account", "year"), "ledger", ("tenant", "account", "year")),
    ),
)
BALANCE = Table(
    "balance",
    _columns("id", "tenant", "account", "year", "amount"),
    keys=(("id",),),
    foreign_keys=(
        ForeignKey(("tenant", "account", "year"), "ledger", ("tenant", "account", "year")),
    ),
)
SCHEMA = Schema.of((LEDGER, LINE, BALANCE))
ONTOLOGY = OntologyDescriptor(
    feature_code="shop",
    entities=(
        Entity(name="line", table="line", semantic_type=SemanticType.TRANSACTION, keys=(("id",),)),
    ),
    constraints=(Constraint(applies_to="line.price", rule=ConstraintRule.NEVER_SUM),),
)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT AVG(price) FROM line",
        "SELECT MAX(price) FROM line",
        "SELECT SUM(price * quantity) FROM line",
        "SELECT id, SUM(price) FROM line GROUP BY id",
    ],
)
def test_a_mean_a_product_and_a_single_row_pass(sql: str) -> None:
    verdict = Checker(compile_catalog(SCHEMA, ONTOLOGY)).check(sql)
    assert isinstance(verdict, CheckedQuery)
    assert not verdict.warnings


@pytest.mark.parametrize(
    "sql", ["SELECT SUM(price) FROM line", "SELECT account, SUM(price) FROM line GROUP BY account"]
)
def test_a_sum_over_rows_is_refused(sql: str) -> None:
    verdict = Checker(compile_catalog(SCHEMA, ONTOLOGY)).check(sql)
    assert isinstance(verdict, Refusal)
    assert [each.code for each in verdict.violations] == [Code.INVALID_AGGREGATE_TARGET]


@pytest.mark.parametrize(
    "joined",
    [
        "l.tenant = b.tenant AND l.account = b.account AND l.year = b.year",
        "l.tenant = b.tenant AND l.account = b.account",
    ],
)
def test_rows_that_point_to_the_same_third_repeat_each_other(joined: str) -> None:
    sql = f"SELECT SUM(b.amount) FROM balance b JOIN line l ON {joined}"
    verdict = Checker(compile_catalog(SCHEMA)).check(sql)
    assert isinstance(verdict, Refusal)
    assert Code.FAN_OUT in [each.code for each in verdict.violations]
