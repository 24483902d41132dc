import pytest

from veridical.contracts.language import Language
from veridical.ontology.model import Entity, Field, OntologyDescriptor, Purpose, SemanticType
from veridical.packs.trustee import pack
from veridical.route.request_text import words_of
from veridical.route.vocabulary import Vocabulary, compile_vocabulary

TRUSTEE = compile_vocabulary(pack.ontology)
SHOP = compile_vocabulary(
    OntologyDescriptor(
        feature_code="shop",
        entities=(
            Entity(
                name="PetOrder",
                semantic_type=SemanticType.TRANSACTION,
                fields=(
                    Field(name="isActive"),
                    Field(name="breed_name", sample_values=("Dackel", 7)),
                ),
                synonyms=("Bestellung", "订单"),
            ),
        ),
        purposes=(Purpose(name="stock", keywords={"en": ("on hand",)}),),
    )
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Saldo", Language.DE),
        ("die Salden", Language.DE),
        ("Bankkontostand", Language.DE),
        ("Umsatzrückgang", Language.DE),
        ("Loehne", Language.DE),
        ("balances", Language.EN),
        ("Kontostand", Language.EN),
        ("an invoice", Language.EN),
        ("taxes", Language.EN),
        ("exchange rates", Language.EN),
        ("VAT", Language.EN),
        ("余额", Language.ZH),
        ("银行余额表", Language.ZH),
    ],
)
def test_business_words_are_known_in_every_language_and_ending(
    text: str, language: Language
) -> None:
    assert TRUSTEE.speaks(words_of(text), language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Photosynthese", Language.DE),
        ("how are you today", Language.EN),
        ("what is your name", Language.EN),
        ("机器学习", Language.ZH),
        ("rats in a taxi", Language.EN),
    ],
)
def test_other_words_are_not(text: str, language: Language) -> None:
    assert not TRUSTEE.speaks(words_of(text), language)


@pytest.mark.parametrize(
    "word", ["pets", "order", "breed", "dackel", "bestellungen", "订单", "hand"]
)
def test_names_fields_samples_and_keywords_are_read(word: str) -> None:
    assert SHOP.speaks(words_of(word), Language.EN)


@pytest.mark.parametrize("word", ["is", "active", "name"])
def test_words_of_schemas_say_nothing(word: str) -> None:
    assert not SHOP.speaks([word], Language.EN)


def test_without_an_ontology_nothing_is_known() -> None:
    assert not Vocabulary().speaks(words_of("Saldo der Bank 余额"), Language.DE)
