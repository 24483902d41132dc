"""Versions and deleted rows that somebody confirmed: which statements have chosen among them."""

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Encoding,
    Entity,
    Field,
    OntologyDescriptor,
    Relation,
    SemanticType,
)

TEXT, NUMBER = ValueType.TEXT, ValueType.INTEGER


def _entity(name: str, fields: tuple[Field, ...]) -> Entity:
    return Entity(
        name=name, table=name, semantic_type=SemanticType.OBJECT, keys=(("id",),), fields=fields
    )


ONTOLOGY = OntologyDescriptor(
    feature_code="rent",
    entities=(
        _entity(
            "tenant",
            (
                Field(name="id", type=NUMBER),
                Field(name="city", type=TEXT),
                Field(name="left_at", type=NUMBER, encoding=Encoding.UNIX_SECONDS),
            ),
        ),
        _entity(
            "lease",
            (
                Field(name="id", type=NUMBER),
                Field(name="tenant_id", type=NUMBER),
                Field(name="rent", type=NUMBER),
                Field(name="since", type=TEXT),
                Field(name="until", type=TEXT),
            ),
        ),
        _entity("day", (Field(name="id", type=NUMBER), Field(name="on_day", type=TEXT))),
    ),
    relations=(
        Relation(
            from_entity="lease",
            to_entity="tenant",
            cardinality=Cardinality.MANY_TO_ONE,
            via=("tenant_id=id",),
        ),
    ),
    constraints=(
        Constraint(
            applies_to="tenant", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("left_at",)
        ),
        Constraint(
            applies_to="lease",
            rule=ConstraintRule.REQUIRES_FILTER_ON,
            fields=("until",),
            settled_by=("since",),
        ),
    ),
)
CHECKER = Checker(compile_catalog(None, ONTOLOGY), "sqlite")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(rent) FROM lease WHERE until IS NULL",
        "SELECT SUM(rent) FROM lease WHERE since = '2025-01-01'",
        "SELECT SUM(rent) FROM lease WHERE '2025-01-01' BETWEEN since AND until",
        "SELECT SUM(rent) FROM lease"
        " WHERE since <= '2025-01-01' AND COALESCE(until, '9999-12-31') > '2025-01-01'",
        "SELECT d.on_day, SUM(l.rent) FROM day d"
        " JOIN lease l ON d.on_day BETWEEN l.since AND l.until GROUP BY d.on_day",
        "SELECT SUM(l.rent) FROM lease l WHERE l.since ="
        " (SELECT MAX(o.since) FROM lease o WHERE o.tenant_id = l.tenant_id)",
        "SELECT COUNT(*) FROM tenant WHERE left_at IS NOT NULL",
        "SELECT t.city, SUM(l.rent) FROM lease l JOIN tenant t ON t.id = l.tenant_id"
        " WHERE l.until IS NULL GROUP BY t.city",
    ],
)
def test_it_has_chosen(sql: str) -> None:
    verdict = CHECKER.check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), verdict
    assert Code.MISSING_REQUIRED_FILTER not in {each.code for each in verdict.warnings}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(rent) FROM lease",
        "SELECT COUNT(*) FROM tenant",
        "SELECT t.city, SUM(l.rent) FROM lease l JOIN tenant t ON t.id = l.tenant_id"
        " GROUP BY t.city",
    ],
)
def test_it_takes_them_all(sql: str) -> None:
    verdict = CHECKER.check(SqlCall(sql=sql))
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.MISSING_REQUIRED_FILTER
