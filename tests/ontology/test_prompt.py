import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ontology.small import NEVER_SUM, ONTOLOGY, PERIODS, large_ontology
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter
from veridical.contracts.caller import Permissions
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.enums import compile_enums
from veridical.ontology.model import ConstraintRule, Entity, Field, OntologyDescriptor, SemanticType
from veridical.ontology.prompt import DEFAULT_BUDGET, compile_prompt
from veridical.ontology.slice import index_ontology
from veridical.ontology.tokens import estimate_tokens

pytestmark = pytest.mark.slow

LARGE = large_ontology(2_000)
INDEX = index_ontology(LARGE)


def test_it_tells_rules_calls_tables_terms_joins_and_metrics() -> None:
    block = compile_prompt(ONTOLOGY, Language.EN)
    assert block.text.splitlines()[0] == "# shop: a shop"
    assert "- ShopStock.unitPrice: never sum or average (Don't add prices.)" in block.text
    assert "- ShopSale.soldAt: stored as Unix seconds; compare with nothing else" in block.text
    assert '- STOCK_OF_MONTH: How much stock is there in month {month}? → {"tool"' in block.text
    assert "- ShopStock (Stock, BALANCE_SNAPSHOT) — stock on hand per month." in block.text
    assert "- FreshFood < Article: code LIKE 'F%'" in block.text
    assert "- ShopSale → ShopArticle n:1 on article=code" in block.text
    assert "- revenue = sum(amount) @Sale" in block.text
    assert block.left_out == ()


@pytest.mark.parametrize(
    ("language", "heading", "rule"),
    [
        (Language.DE, "## Tabellen", "nie summieren oder mitteln (Preise nicht summieren.)"),
        (Language.EN, "## Tables", "never sum or average"),
        (Language.ZH, "## 数据表", "不得求和或求平均"),
    ],
)
def test_it_speaks_the_language_of_the_request(language: Language, heading: str, rule: str) -> None:
    text = compile_prompt(ONTOLOGY, language).text
    assert heading in text
    assert rule in text


def test_the_order_in_which_things_were_declared_changes_nothing() -> None:
    backwards = ONTOLOGY.model_copy(
        update={
            "entities": ONTOLOGY.entities[::-1],
            "constraints": ONTOLOGY.constraints[::-1],
            "relations": ONTOLOGY.relations[::-1],
        }
    )
    assert compile_prompt(backwards, Language.EN).text == compile_prompt(ONTOLOGY, Language.EN).text


def test_what_fits_is_told_whole_whatever_the_question() -> None:
    asked = compile_prompt(ONTOLOGY, Language.EN, question="who are our suppliers?")
    assert asked == compile_prompt(ONTOLOGY, Language.EN)


def test_under_pressure_rules_and_calls_outlive_descriptions() -> None:
    block = compile_prompt(ONTOLOGY, Language.EN, budget_tokens=230)
    assert "never sum or average" in block.text
    assert "STOCK_OF_MONTH" in block.text
    assert "stock on hand per month" not in block.text
    (table,) = [line for line in block.text.splitlines() if line.startswith("- ShopStock (")]
    assert table.endswith(" …"), "that there is more about it"


@pytest.mark.parametrize("language", list(Language))
@given(budget=st.integers(0, 1200), question=st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_it_never_costs_more_than_its_budget(
    language: Language, budget: int, question: str
) -> None:
    for ontology, index in ((ONTOLOGY, None), (LARGE, INDEX)):
        block = compile_prompt(ontology, language, budget, question, index)
        assert block.tokens <= budget
        assert block.tokens == estimate_tokens(block.text)
        assert block.hash == ontology.hash
        assert block == compile_prompt(ontology, language, budget, question, index)


def test_a_large_ontology_is_sliced_to_the_question_and_says_so() -> None:
    question = "how many payroll payments by branch?"
    block = compile_prompt(LARGE, Language.EN, 1500, question, INDEX)
    assert "- t_PayrollPaymentBranch " in block.text
    assert "*Amount: no sum or average after a join that repeats rows" in block.text
    assert "VendorEventQueue" in block.left_out
    assert block.text.splitlines()[-1].startswith("(")
    without_index = compile_prompt(LARGE, Language.EN, 1500, question)
    assert without_index == block


def test_without_a_question_the_most_governed_tables_come_first() -> None:
    block = compile_prompt(ONTOLOGY, Language.EN, budget_tokens=160)
    assert "ShopStock" in block.text
    assert "Article" in block.left_out


def test_of_a_wide_table_the_fields_that_matter_are_told() -> None:
    fields = tuple(Field(name=f"column{number:03}") for number in range(400))
    wide = Entity(
        name="Wide",
        table="Wide",
        semantic_type=SemanticType.OBJECT,
        fields=(*fields, Field(name="postalCode")),
        keys=(("column399",),),
    )
    others = tuple(
        Entity(name=f"Other{number}", table=f"other{number}", semantic_type=SemanticType.OBJECT)
        for number in range(100)
    )
    ontology = OntologyDescriptor(feature_code="wide", entities=(wide, *others))
    block = compile_prompt(ontology, Language.EN, 400, "postal codes in wide")
    assert "postalCode" in block.text
    assert "column399" in block.text
    assert "+361 more" in block.text


def test_what_the_caller_may_not_see_is_nowhere() -> None:
    index = index_ontology(ONTOLOGY, Permissions(deny=("ShopSale", "*.unitPrice")))
    block = compile_prompt(ONTOLOGY, Language.EN, index=index)
    assert "ShopSale" not in block.text
    assert "unitPrice" not in block.text
    assert block.hash == ONTOLOGY.hash


def test_one_changed_constraint_changes_prompt_verdict_and_hash_together() -> None:
    """The one source of truth: nothing else has to be touched."""
    changed = ONTOLOGY.model_copy(
        update={"constraints": tuple(each for each in ONTOLOGY.constraints if each is not PERIODS)}
    )
    call = AggregateCall(
        table_name="ShopStock",
        aggregate="sum",
        field="closingBalance",
        filters=(Filter(field="month", op=">=", value=1),),
    )
    before = Checker(compile_catalog(None, ONTOLOGY)).check(call)
    after = Checker(compile_catalog(None, changed)).check(call)
    assert isinstance(before, Refusal)
    assert before.primary.code is Code.INVALID_AGGREGATE_TARGET
    assert isinstance(after, CheckedQuery)
    told = compile_prompt(ONTOLOGY, Language.EN)
    told_after = compile_prompt(changed, Language.EN)
    assert "do not sum over month" in told.text
    assert "do not sum over month" not in told_after.text
    assert told.hash != told_after.hash
    assert after.ontology_hash == told_after.hash


@pytest.mark.parametrize("rule", [ConstraintRule.NEVER_AGGREGATE, ConstraintRule.FAN_OUT])
def test_prompt_rules_and_enums_carry_one_hash(rule: ConstraintRule) -> None:
    changed = ONTOLOGY.model_copy(
        update={"constraints": (NEVER_SUM.model_copy(update={"rule": rule}),)}
    )
    catalog = compile_catalog(None, changed)
    hashes = {
        changed.hash,
        catalog.ontology_hash,
        compile_prompt(changed, Language.ZH).hash,
        compile_enums(catalog, (), ()).hash,
        index_ontology(changed).hash,
    }
    assert len(hashes) == 1


@pytest.mark.parametrize("budget", [120, DEFAULT_BUDGET])
def test_where_a_tool_knows_the_canonical_questions_their_calls_are_not_told(budget: int) -> None:
    text = compile_prompt(ONTOLOGY, Language.EN, budget, known_calls=False).text
    assert "STOCK_OF_MONTH" in compile_prompt(ONTOLOGY, Language.EN).text
    assert "STOCK_OF_MONTH" not in text
    assert "ShopStock" in text
