"""What a feature's ontology file says that its tables don't have is told in every language."""

from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.host.errors import SetupError
from veridical.host.feature_pack import require_fitting
from veridical.host.settings import FeatureSettings
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Entity,
    OntologyDescriptor,
    SemanticType,
)
from veridical.ontology.own_pack import pack_from

SCHEMA = Schema.of([Table("rental", (Column("id", ValueType.INTEGER),))])
FEATURE = FeatureSettings(name="bikes", ontology=Path("bikes.yaml"), database="bikes.db")
ONTOLOGY = OntologyDescriptor(
    feature_code="bikes",
    entities=(Entity(name="Rental", semantic_type=SemanticType.EVENT, table="rental"),),
    constraints=(
        Constraint(applies_to="Rental", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("status",)),
    ),
)
SAID = {
    Language.DE: "unbekanntes Feld",
    Language.EN: "unknown field",
    Language.ZH: "未知字段",
}


@pytest.mark.parametrize("language", Language)
def test_what_does_not_fit_is_told_in_the_readers_language(language: Language) -> None:
    with pytest.raises(SetupError) as raised:
        require_fitting(FEATURE, pack_from(ONTOLOGY), SCHEMA, "sqlite")
    told = raised.value.message(language)
    assert SAID[language] in told
    assert not any(words in told for other, words in SAID.items() if other is not language)
