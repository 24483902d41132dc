from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed
from veridical.contracts.language import Language
from veridical.ontology.model import Entity, OntologyDescriptor, SemanticType
from veridical.packs.trustee import pack
from veridical.reading.language import language_of
from veridical.route.fast import FastRoute, Reason, fast_path
from veridical.route.vocabulary import Vocabulary, compile_vocabulary

TRUSTEE = compile_vocabulary(pack.ontology)
CASES = Path(__file__).parent / "fast"


def route(text: str, vocabulary: Vocabulary = TRUSTEE) -> FastRoute | None:
    return fast_path(text, vocabulary, language_of(text, Language.EN))


def cases(name: str) -> list[str]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("case", cases("must_accept.txt"))
def test_it_needs_no_data(case: str) -> None:
    reason, _, text = case.partition(" | ")
    found = route(text)
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize("text", cases("must_reject.txt"))
def test_it_may_need_data(text: str) -> None:
    assert route(text) is None


@pytest.mark.parametrize("text", cases("must_reject.txt"))
@pytest.mark.parametrize("courtesy", ["hi, ", "Hallo! ", "thanks. ", "你好，"])
def test_no_courtesy_opens_the_fast_path(courtesy: str, text: str) -> None:
    assert route(courtesy + text) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [("who are you", "Veridical"), ("wer bist du?", "Veridical"), ("你是谁", "Veridical")],
)
def test_identity_is_answered_without_a_model(text: str, part: str) -> None:
    found = route(text)
    assert found is not None
    assert part in found.answer
    assert not found.wants_model


def test_arithmetic_is_computed_not_asked() -> None:
    found = route("what is 15 % of 80?")
    assert found is not None
    assert (found.reason, found.answer) == (Reason.ARITHMETIC, "15% × 80 = 12")
    assert not found.wants_model
    nearly = route("10 / 3")
    assert nearly is not None
    assert "≈ 3.333" in nearly.answer


@pytest.mark.parametrize(
    ("text", "honest"),
    [
        ("what is photosynthesis", "without a language model"),
        ("Wie sagt man danke auf Chinesisch?", "ohne Sprachmodell"),
        ("什么是机器学习", "没有语言模型"),
    ],
)
def test_knowledge_wants_a_model_and_is_honest_without_one(text: str, honest: str) -> None:
    found = route(text)
    assert found is not None
    assert found.wants_model
    assert honest in found.answer


def test_a_prefix_is_taken_off() -> None:
    found = route("/chat write a haiku about autumn")
    assert found is not None
    assert (found.reason, found.request) == (Reason.PREFIX, "write a haiku about autumn")


@pytest.mark.parametrize(
    "text",
    [
        "/chat what is our revenue",
        "/chat show the balance of 1020",
        "chat: zeige meine Kunden",
        "聊天：我们的收入是多少",
    ],
)
def test_a_prefix_lifts_no_veto(text: str) -> None:
    assert route(text) is None


def test_what_is_business_depends_on_the_ontology() -> None:
    shop = OntologyDescriptor(
        feature_code="shop",
        entities=(Entity(name="Octopus", semantic_type=SemanticType.OBJECT, synonyms=("pet",)),),
    )
    known = compile_vocabulary(shop)
    for text in ("what is an octopus", "do you have pets", 'translate "octopus" into German'):
        assert route(text) is not None
        assert route(text, known) is None


@pytest.mark.parametrize("business", ["Saldo", "invoice", "余额", "Bankkonto"])
@given(text=st.sampled_from(cases("must_accept.txt")))
def test_a_business_word_closes_the_fast_path(business: str, text: str) -> None:
    request = text.partition(" | ")[2]
    assert fast_path(f"{request} {business}", TRUSTEE, Language.DE) is None


@given(st.text(max_size=120), st.sampled_from(list(Language)))
def test_any_text_is_decided(text: str, language: Language) -> None:
    found = fast_path(text, TRUSTEE, language)
    assert found is None or found.answer


@pytest.mark.parametrize(
    "piece",
    ["what ", "=", "? ", "you ", "who you ", "1+", "你好", "how do you say ", "a, ", "the "],
)
def test_no_request_takes_long(piece: str) -> None:
    text = (piece * 300)[:299] + "x"
    _, took = timed(lambda: fast_path(text, TRUSTEE, Language.EN))
    assert took < 0.25
