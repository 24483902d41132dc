import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ontology.terms import fold, parts, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gläubiger", "Glaeubiger"),
        ("Gläubiger", "glaubiger"),
        ("Konten", "Konto"),
        ("Salden", "Saldo"),
        ("accounts", "Account"),
        ("entries", "entry"),
        ("Strasse", "Straße"),
        ("société", "societe"),
    ],
)
def test_spellings_of_one_word_meet(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_names_are_split_into_words() -> None:
    assert terms("TrusteeDataJournalLine") == terms("trustee data journal line")
    assert terms("journal_line_2024") == terms("journal line 2024")


def test_chinese_is_found_by_pairs() -> None:
    assert terms("账户余额") == ("账户", "户余", "余额")


def test_compounds_give_their_parts() -> None:
    assert {"bank", "konto"} <= set(parts("bankkonto"))


@given(st.text(max_size=80))
def test_folding_twice_is_folding_once_on_ascii(text: str) -> None:
    assert all(term for term in terms(text))
    assert fold(text) == fold(text.upper().lower()) or not text.isascii()


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_folding_drops_every_combining_mark_and_nothing_else(text: str) -> None:
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    for digraph, letter in (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ß", "ss")):
        kept = kept.replace(digraph, letter)
    assert fold(text) == kept
