import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.reading.language import language_of

TOLD = [
    ("Wie hoch ist der Saldo von Konto 1020?", Language.DE),
    ("Debitorenverluste", Language.DE),
    ("Was bedeutet Resilienz?", Language.DE),
    ("Grüezi", Language.DE),
    ("What is the balance of account 1020?", Language.EN),
    ("top 5 customers by revenue in each quarter", Language.EN),
    ("thanks", Language.EN),
    ("1020科目的余额是多少", Language.ZH),
    ("ROI是什么", Language.ZH),
    ("你好", Language.ZH),
]


@pytest.mark.parametrize(("text", "language"), TOLD)
@pytest.mark.parametrize("fallback", list(Language))
def test_a_language_is_told_whatever_the_fallback(
    text: str, language: Language, fallback: Language
) -> None:
    assert language_of(text, fallback) is language


@pytest.mark.parametrize("text", ["", "1020", "2024?", "12 * 7", "OK"])
@pytest.mark.parametrize("fallback", list(Language))
def test_without_a_hint_the_fallback_stands(text: str, fallback: Language) -> None:
    assert language_of(text, fallback) is fallback


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('Translate "Wie geht es dir?" into Spanish', Language.EN),
        ("Übersetze „good morning“ ins Spanische", Language.DE),
        ("translate 你好 to English please", Language.EN),
        ("“good morning”用德语怎么说", Language.ZH),
    ],
)
def test_what_is_quoted_does_not_count(text: str, language: Language) -> None:
    assert language_of(text, Language.ZH if language is Language.EN else Language.EN) is language


@given(st.text(max_size=80))
def test_every_text_has_one_language(text: str) -> None:
    assert language_of(text, Language.EN) is language_of(text, Language.EN)
