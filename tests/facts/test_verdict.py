import pytest

from tests.facts.flights import DELAYS, FLIGHTS, stated, table_of
from tests.ontology.judged import with_field
from veridical.contracts.language import Language
from veridical.facts.prose.finding import Code, Level
from veridical.ontology.model import Favourable

TABLE = table_of(FLIGHTS, DELAYS)
CHANGE = {"say": "change", "measure": "dly_min", "over": "day"}


@pytest.mark.parametrize(
    ("language", "verdict", "sentence"),
    [
        (Language.EN, "Improved", "Less delay counts as better here, so it improved."),
        (Language.DE, "Verbessert", "Weniger Verspätung gilt hier als besser, also verbessert."),
        (Language.ZH, "改善", "此处延误越低越好，因此是改善。"),
    ],
)
def test_a_fall_of_what_should_fall_is_an_improvement(
    language: Language, verdict: str, sentence: str
) -> None:
    found = stated(CHANGE, TABLE, language, "{a.verdict}")
    assert found.text == verdict
    assert found.exact["a"].endswith(sentence)


def test_the_claim_shows_and_denies_it() -> None:
    claim = stated(CHANGE, TABLE).facts["a"].claim
    assert "better" in claim.shows
    assert "worse" in claim.denies
    up = table_of(FLIGHTS, DELAYS, with_field("delay", favourable=Favourable.UP))
    claim = stated(CHANGE, up).facts["a"].claim
    assert "worse" in claim.shows
    assert "better" in claim.denies
    found = stated(CHANGE, up, answer="{a.verdict}")
    assert found.text == "Worsened"


def test_words_against_it_are_refused_and_others_are_nobodys_business() -> None:
    against = stated(CHANGE, TABLE, answer="Delays worsened to {a.to}.")
    assert [(each.code, each.level) for each in against.refused] == [(Code.OPPOSITE, Level.REFUSED)]
    assert stated(CHANGE, TABLE, answer="Delays improved to {a.to}.").accepted
    unsaid = table_of(FLIGHTS, DELAYS, with_field("delay", favourable=None))
    for word in ("improved", "worsened"):
        found = stated(CHANGE, unsaid, answer=f"Delays {word} to {{a.to}}.")
        assert found.accepted
        assert not found.marked


def test_nobody_says_it_where_the_owner_does_not() -> None:
    unsaid = table_of(FLIGHTS, DELAYS, with_field("delay", favourable=None))
    refused = stated(CHANGE, unsaid, answer="{a.verdict}").refused
    assert [each.code for each in refused] == [Code.SLOT]
    mixed = {"say": "change", "measure": "dly_min / load", "over": "day"}
    assert "verdict" not in stated(mixed, TABLE).facts["a"].parts
