"""The terms of a text: the same for what is stored and what is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS, LONGEST_TERM


def terms(text: str, language: Language) -> set[str]:
    return set(ANALYSERS[language].analyse(text).frequencies)


@pytest.mark.parametrize(
    ("language", "asked", "written"),
    [
        (Language.EN, "organisation's policies", "The policy of the organisations"),
        (Language.EN, "ＡＰＩ keys", "an API key"),
        (Language.DE, "Schutz der Daten", "Datenschutz"),
        (Language.DE, "Verträge", "des Vertrages"),
        (Language.DE, "Kündigungsfrist", "Die Fristen der Kündigung"),
        (Language.ZH, "数据保护", "本条例规定数据的保护和数据保护官"),
        (Language.ZH, "資料保護", "個人資料保護法"),
        (Language.ZH, "GDPR 第17条", "依据gdpr第17条"),
    ],
)
def test_a_question_shares_terms_with_what_answers_it(
    language: Language, asked: str, written: str
) -> None:
    assert terms(asked, language) & terms(written, language)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        (Language.EN, "the of and", "this is a text"),
        (Language.DE, "der die das und", "in der Stadt"),
        (Language.EN, "universe", "policy"),
        (Language.DE, "Miete", "Steuer"),
        (Language.ZH, "的了", "的"),
    ],
)
def test_unrelated_texts_share_none(language: Language, one: str, other: str) -> None:
    stems_only = {term for term in terms(one, language) if not term.startswith("#")}
    assert not stems_only & terms(other, language)


@given(st.text(), st.sampled_from(Language))
def test_any_text_has_terms_that_the_index_can_hold(text: str, language: Language) -> None:
    analysed = ANALYSERS[language].analyse(text)
    assert analysed.length >= 1
    assert all(0 < len(term) <= LONGEST_TERM for term in analysed.frequencies)
    assert analysed == ANALYSERS[language].analyse(text)


@given(st.text(st.characters(categories=("L", "Nd", "Zs"))), st.sampled_from(Language))
def test_case_does_not_count(text: str, language: Language) -> None:
    if text.upper().lower() == text.lower():
        upper = ANALYSERS[language].analyse(text.upper())
        assert upper == ANALYSERS[language].analyse(text.lower())


def test_versions_tell_the_languages_apart() -> None:
    assert len({each.version for each in ANALYSERS.values()}) == len(Language)
