from dataclasses import replace

import pytest

from tests.ontology.small import ONTOLOGY, SCHEMA
from veridical.contracts.language import Language
from veridical.contracts.schema import Column, Schema, ValueType
from veridical.ontology.lint import Drift, DriftKind, lint
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    ConstraintRule,
    Conversion,
    Metric,
    Relation,
    Slot,
)


def found(drift: tuple[Drift, ...]) -> list[tuple[DriftKind, str, str]]:
    return [(each.kind, each.path, each.detail) for each in drift]


def changed_table(name: str, *columns: Column) -> Schema:
    return Schema({**SCHEMA.tables, name: replace(SCHEMA.tables[name], columns=columns)})


def test_an_ontology_and_its_schema_agree() -> None:
    assert lint(ONTOLOGY, SCHEMA) == ()


def test_a_missing_table_is_found() -> None:
    schema = Schema({name: each for name, each in SCHEMA.tables.items() if name != "ShopSale"})
    assert (DriftKind.MISSING_TABLE, "Sale", "ShopSale") in found(lint(ONTOLOGY, schema))


def test_a_renamed_column_is_found_from_both_sides() -> None:
    schema = changed_table(
        "ShopArticle", Column("code", ValueType.TEXT), Column("vendor", ValueType.TEXT)
    )
    assert found(lint(ONTOLOGY, schema)) == [
        (DriftKind.MISSING_COLUMN, "Article.supplierName", "ShopArticle.supplierName"),
        (DriftKind.UNDESCRIBED_COLUMN, "ShopArticle.vendor", ""),
    ]


def test_the_name_that_it_may_have_become_is_told() -> None:
    articles = replace(SCHEMA.tables["ShopArticle"], name="shopArticles")
    others = {name: each for name, each in SCHEMA.tables.items() if name != "ShopArticle"}
    drift = lint(ONTOLOGY, Schema({**others, "shopArticles": articles}))
    assert (DriftKind.MISSING_TABLE, "Article", "ShopArticle (shopArticles?)") in found(drift)


def test_a_changed_type_is_found_but_a_wider_number_is_none() -> None:
    schema = changed_table(
        "ShopStock",
        Column("article", ValueType.TEXT),
        Column("month", ValueType.NUMBER),
        Column("closingBalance", ValueType.TEXT),
        Column("unitPrice", ValueType.UNKNOWN),
    )
    assert found(lint(ONTOLOGY, schema)) == [
        (DriftKind.TYPE_CHANGED, "Stock.closingBalance", "number → text")
    ]


def test_a_new_table_is_a_note() -> None:
    schema = Schema({**SCHEMA.tables, "New": replace(SCHEMA.tables["ShopSale"], name="New")})
    drift = lint(ONTOLOGY, schema)
    assert found(drift) == [(DriftKind.UNDESCRIBED_TABLE, "New", "")]
    assert drift[0].kind.is_note


def test_a_relation_over_unknown_columns_is_found() -> None:
    broken = Relation(
        from_entity="Sale",
        to_entity="Article",
        cardinality=Cardinality.MANY_TO_ONE,
        via=("artikel=code",),
    )
    ontology = ONTOLOGY.model_copy(update={"relations": (broken,)})
    assert found(lint(ontology, SCHEMA)) == [
        (DriftKind.BROKEN_RELATION, "Sale–Article", "Sale.artikel")
    ]


@pytest.mark.parametrize(
    ("constraint", "kind", "detail"),
    [
        (
            Constraint(applies_to="*Saldo", rule=ConstraintRule.NEVER_AGGREGATE),
            DriftKind.IDLE_CONSTRAINT,
            "NEVER_AGGREGATE",
        ),
        (
            Constraint(applies_to="FreshFood.code", rule=ConstraintRule.NEVER_AGGREGATE),
            DriftKind.IDLE_CONSTRAINT,
            "NEVER_AGGREGATE",
        ),
        (
            Constraint(applies_to="Sale", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("year",)),
            DriftKind.UNKNOWN_IN_CONSTRAINT,
            "ShopSale.year",
        ),
        (
            Constraint(
                applies_to="Sale", rule=ConstraintRule.ONLY_FOR_PURPOSE, purposes=("profit",)
            ),
            DriftKind.UNKNOWN_PURPOSE,
            "profit",
        ),
        (
            Constraint(applies_to="Sale", rule=ConstraintRule.COUNTS_ONLY, condition="void = 0"),
            DriftKind.UNKNOWN_IN_CONSTRAINT,
            "ShopSale.void",
        ),
        (
            Constraint(
                applies_to="Sale.amount",
                rule=ConstraintRule.SAME_UNIT,
                fields=("id",),
                conversion=Conversion(rate="Stock.unitPrice", unit="money"),
            ),
            DriftKind.UNKNOWN_IN_CONSTRAINT,
            "ShopStock.money",
        ),
    ],
)
def test_a_constraint_that_protects_nothing_is_found(
    constraint: Constraint, kind: DriftKind, detail: str
) -> None:
    ontology = ONTOLOGY.model_copy(update={"constraints": (constraint,)})
    assert found(lint(ontology, SCHEMA)) == [(kind, constraint.applies_to, detail)]


@pytest.mark.parametrize(
    ("pattern", "unknown"),
    [
        ({"tableName": "Nowhere"}, {"Nowhere"}),
        ({"tableName": "ShopSale", "fields": ["id", "colour"]}, {"colour"}),
        ({"tableName": "ShopSale", "filters": [{"field": "colour", "op": "="}]}, {"colour"}),
        ({"tableName": "ShopSale", "field": "amount", "groupBy": ["{slot}"]}, {"{slot}"}),
        ({"sql": 'SELECT "colour" FROM "ShopSale" WHERE "id" = 1'}, {"colour"}),
        ({"sql": "WITH t AS (SELECT id AS x FROM ShopSale) SELECT x FROM t"}, set[str]()),
        ({"sql": "SELECT id FROM Nowhere"}, {"Nowhere", "id"}),
        ({"sql": "SELECT FROM WHERE"}, {"sql"}),
    ],
)
def test_a_pattern_that_names_unknown_things_is_found(
    pattern: dict[str, object], unknown: set[str]
) -> None:
    patterns = (CanonicalQueryPattern(intent="ASKED", pattern=pattern),)
    ontology = ONTOLOGY.model_copy(update={"canonical_patterns": patterns})
    drift = lint(ontology, SCHEMA)
    assert {each.detail for each in drift} == unknown
    assert {each.kind for each in drift} <= {DriftKind.BROKEN_PATTERN}


def test_a_pattern_is_read_in_the_dialect_of_its_data() -> None:
    call = {"tool": "executeSqlSafe", "sql": "SELECT `id` FROM `ShopSale` LIMIT {limit}"}
    slots = (Slot(name="limit", type=ValueType.INTEGER, examples=(5,)),)
    patterns = (CanonicalQueryPattern(intent="ASKED", pattern=call, slots=slots),)
    ontology = ONTOLOGY.model_copy(update={"canonical_patterns": patterns})
    assert lint(ontology, SCHEMA, "mysql") == ()
    assert found(lint(ontology, SCHEMA)) == [(DriftKind.BROKEN_PATTERN, "ASKED", "sql")]


def test_a_metric_over_unknown_things_is_found() -> None:
    metrics = (
        Metric(name="a", entity="Sale", aggregate="sum", field="colour"),
        Metric(name="b", inputs=("a", "c")),
        Metric(name="d", entity="Nowhere"),
    )
    ontology = ONTOLOGY.model_copy(update={"metrics": metrics})
    assert found(lint(ontology, SCHEMA)) == [
        (DriftKind.BROKEN_METRIC, "a", "colour"),
        (DriftKind.BROKEN_METRIC, "b", "c"),
        (DriftKind.BROKEN_METRIC, "d", "Nowhere"),
    ]


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("kind", list(DriftKind))
def test_every_finding_has_words(kind: DriftKind, language: Language) -> None:
    text = Drift(kind=kind, path="Here", detail="this").text(language)
    assert text.startswith("Here: ")
    assert len(text) > len("Here: ") + 5
