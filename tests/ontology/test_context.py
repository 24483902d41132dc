import pytest

from tests.ontology.small import ONTOLOGY, SCHEMA
from veridical.contracts.caller import Permissions
from veridical.contracts.language import Language
from veridical.ontology.context import (
    SWITCH,
    ContextKind,
    active_ontology,
    ontology_disabled,
    schema_context,
)
from veridical.ontology.prompt import compile_prompt


def test_the_ontology_comes_first() -> None:
    context = schema_context(ONTOLOGY, SCHEMA, Language.EN)
    assert context.kind is ContextKind.ONTOLOGY
    assert context.text == compile_prompt(ONTOLOGY, Language.EN).text
    assert context.hash == ONTOLOGY.hash


def test_switched_off_the_hints_stand_in() -> None:
    context = schema_context(ONTOLOGY, SCHEMA, Language.DE, disabled=True)
    assert context.kind is ContextKind.HINTS
    assert context.text.startswith("Preise nie summieren.")
    assert "- ShopSale | Schlüssel id | id integer key" in context.text
    assert context.hash == ""


@pytest.mark.parametrize("disabled", [True, False])
def test_with_neither_the_bare_schema_is_told(disabled: bool) -> None:
    mute = ONTOLOGY.model_copy(update={"domain_hints": ""}) if disabled else None
    context = schema_context(mute, SCHEMA, Language.EN, disabled=disabled)
    assert context.kind is ContextKind.SCHEMA
    assert "- ShopSale | key id | id integer key; article text" in context.text
    assert "- ShopSale → ShopArticle n:1 on article=code" in context.text
    assert "never" not in context.text


@pytest.mark.parametrize("disabled", [True, False])
def test_every_kind_keeps_the_budget_and_the_permissions(disabled: bool) -> None:
    limited = Permissions(deny=("ShopSale",))
    context = schema_context(
        ONTOLOGY, SCHEMA, Language.EN, disabled=disabled, budget_tokens=90, permissions=limited
    )
    assert context.tokens <= 90
    assert "ShopSale" not in context.text
    assert "Never add up prices." not in context.text


def test_the_switch_reaches_the_check_too() -> None:
    assert active_ontology(ONTOLOGY, disabled=False) is ONTOLOGY
    assert active_ontology(ONTOLOGY, disabled=True) is None


@pytest.mark.parametrize(
    ("value", "disabled"), [("1", True), ("true", True), ("0", False), ("", False)]
)
def test_the_switch_is_read_from_the_environment_it_is_given(value: str, disabled: bool) -> None:
    assert ontology_disabled({SWITCH: value}) is disabled
    assert ontology_disabled({}) is False
