import json

import pytest

from tests.ontology.small import ONTOLOGY, SCHEMA
from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.ontology.enforceability import Enforceability, GapKind, enforceability
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    OntologyDescriptor,
    Relation,
    Role,
    SemanticType,
)


def gaps(report: Enforceability, kind: GapKind) -> tuple[str, ...]:
    return next(each.gaps for each in report.coverage if each.kind is kind)


def test_it_tells_measures_that_do_not_say_how_they_add_up() -> None:
    report = enforceability(ONTOLOGY, SCHEMA)
    assert gaps(report, GapKind.MEASURE_WITHOUT_ADDITIVITY) == ("Sale.amount",)
    guard = Constraint(applies_to="Sale.amount", rule=ConstraintRule.FAN_OUT)
    mended = ONTOLOGY.model_copy(update={"constraints": (*ONTOLOGY.constraints, guard)})
    assert gaps(enforceability(mended), GapKind.MEASURE_WITHOUT_ADDITIVITY) == ()


def test_it_tells_money_without_a_unit() -> None:
    report = enforceability(ONTOLOGY, SCHEMA)
    assert gaps(report, GapKind.MONEY_WITHOUT_UNIT) == ("Sale.amount", "Stock.unitPrice")


def test_it_tells_times_that_do_not_say_how_they_are_stored() -> None:
    assert gaps(enforceability(ONTOLOGY), GapKind.TIME_WITHOUT_ENCODING) == ()
    unguarded = ONTOLOGY.model_copy(update={"constraints": ()})
    assert gaps(enforceability(unguarded), GapKind.TIME_WITHOUT_ENCODING) == ("Sale.soldAt",)


def test_it_tells_tables_without_keys_filters_or_joins() -> None:
    bare = OntologyDescriptor(
        feature_code="bare",
        entities=(
            Entity(
                name="A",
                table="a",
                semantic_type=SemanticType.OBJECT,
                fields=(Field(name="when", type=ValueType.TEXT, role=Role.TIME),),
            ),
            Entity(name="B", semantic_type=SemanticType.OBJECT),
            Entity(name="C", semantic_type=SemanticType.OBJECT, parent_entity="A"),
        ),
        relations=(Relation(from_entity="A", to_entity="B", cardinality=Cardinality.MANY_TO_MANY),),
    )
    report = enforceability(bare)
    assert gaps(report, GapKind.TABLE_WITHOUT_KEY) == ("A",)
    assert gaps(report, GapKind.TABLE_WITHOUT_REQUIRED_FILTER) == ("A",)
    assert gaps(report, GapKind.RELATION_WITHOUT_PAIRS) == ("A–B",)
    assert gaps(report, GapKind.ENTITY_WITHOUT_TABLE) == ("B",)
    assert gaps(report, GapKind.TIME_WITHOUT_ENCODING) == ("A.when",)
    assert report.gaps == 5


def test_it_counts_what_could_be_protected() -> None:
    report = enforceability(ONTOLOGY, SCHEMA)
    totals = {each.kind: each.total for each in report.coverage}
    assert totals[GapKind.MEASURE_WITHOUT_ADDITIVITY] == 3
    assert totals[GapKind.TABLE_WITHOUT_KEY] == 3
    assert totals[GapKind.ENTITY_WITHOUT_TABLE] == 4


@pytest.mark.parametrize("language", list(Language))
def test_it_reads_as_text_and_as_json(language: Language) -> None:
    report = enforceability(ONTOLOGY, SCHEMA)
    lines = report.text(language).splitlines()
    assert "  Sale.amount" in lines
    data = json.loads(report.model_dump_json(by_alias=True))
    assert data["ontologyHash"] == ONTOLOGY.hash
    assert {each["kind"] for each in data["coverage"]} == set(GapKind)


def test_nothing_to_protect_is_said_so() -> None:
    assert enforceability(OntologyDescriptor(feature_code="x")).text(Language.EN) == "No gap found."
