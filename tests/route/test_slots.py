from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.ontology.model import Slot, SlotKind
from veridical.reading.periods import At, Period
from veridical.route.slots import (
    LONGEST_QUESTION,
    Code,
    Count,
    Quoted,
    Token,
    Word,
    code_finders,
    read_tokens,
)

TODAY = date(2026, 1, 20)
ACCOUNT = Slot(
    name="account",
    kind=SlotKind.CODE,
    format=r"[1-9]\d{3}",
    cues={"de": ("Konto", "Kontos"), "en": ("account",), "zh": ("科目",)},
)
DE, EN, ZH = Language.DE, Language.EN, Language.ZH


def read(text: str, language: Language) -> tuple[Token, ...]:
    tokens = read_tokens(text, language, TODAY, code_finders([ACCOUNT], language))
    assert tokens is not None
    return tokens


def values(text: str, language: Language) -> list[Token]:
    return [each for each in read(text, language) if not isinstance(each, Word)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Saldo von Konto 1020", DE),
        ("des Kontos Nr. 1020", DE),
        ("account number 1020", EN),
        ("科目1020的余额", ZH),
        ("1020科目", ZH),
    ],
)
def test_a_code_stands_beside_its_cue(text: str, language: Language) -> None:
    assert values(text, language) == [Code("account", "1020")]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("einen Saldo von 1020", DE),
        ("Konto 10200", DE),
        ("Konto 1020.50", DE),
        ("Konto 0120", DE),
        ("account 12", EN),
        ("科目10200", ZH),
    ],
)
def test_digits_that_are_no_code_stay_words(text: str, language: Language) -> None:
    assert not any(isinstance(each, Code) for each in read(text, language))


def test_an_account_number_that_looks_like_a_year_is_an_account() -> None:
    code, period = values("Konto 2020 Ende 2024", DE)
    assert code == Code("account", "2020")
    assert isinstance(period, Period)
    assert period.end.year == 2024


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("die zehn grössten", DE, 10),
        ("top 5", DE, 5),
        ("the three biggest", EN, 3),
        ("最大的二十笔", ZH, 20),
        ("两笔", ZH, 2),
        ("二十五笔", ZH, 25),
    ],
)
def test_a_count_is_read(text: str, language: Language, number: int) -> None:
    assert values(text, language) == [Count(number)]


@pytest.mark.parametrize("text", ["5 %", "5%", "1'000", "5.50", "0"])
def test_a_figure_is_no_count(text: str) -> None:
    found = values(text, DE)
    assert found in ([], [Count(5)])
    assert len(read(text, DE)) > len(found)


def test_quoted_text_is_kept_as_it_is_written() -> None:
    assert values("Zeige „Brunner Getränke AG“ 2025", DE)[0] == Quoted("Brunner Getränke AG")
    assert values('"Konto 1020"', DE) == [Quoted("Konto 1020")]


def test_a_mark_apart_from_the_period_makes_its_end_count() -> None:
    found = values("year-end balance of account 1100 for 2024", EN)
    periods = {each for each in found if isinstance(each, Period)}
    assert [each.at for each in periods] == [At.END]


@given(st.text(max_size=2 * LONGEST_QUESTION), st.sampled_from(list(Language)))
def test_any_text_is_read_without_an_error(text: str, language: Language) -> None:
    tokens = read_tokens(text, language, TODAY, code_finders([ACCOUNT], language))
    assert tokens is not None or len(text) > LONGEST_QUESTION or len(text.lower()) != len(text)
