from datetime import date

import pytest

from veridical.contracts.language import Language
from veridical.packs.trustee import pack
from veridical.route.patterns import MissingSlot, PatternMatch, index_patterns, match_pattern
from veridical.route.render import known_question, render_question

TODAY = date(2026, 1, 20)
INDEX = index_patterns(pack.ontology)
DE, EN = Language.DE, Language.EN


def test_the_head_has_the_values_and_what_was_asked_for() -> None:
    match = match_pattern("Die 5 grössten Buchungen 2026", INDEX, DE, TODAY)
    assert isinstance(match, PatternMatch)
    known = known_question(match, DE)
    assert known.title == "Die 5 grössten Buchungen 2026"
    assert (known.limit, known.unfinished) == (5, True)


def test_the_question_back_fits_what_is_missing() -> None:
    def back(text: str, language: Language) -> tuple[str, tuple[str, ...]]:
        missing = match_pattern(text, INDEX, language, TODAY)
        assert isinstance(missing, MissingSlot)
        return render_question(missing, language, TODAY)

    assert back("Umsatz", DE) == ("Für welches Jahr?", ("2025", "2024"))
    assert back("What is the bank balance?", EN) == (
        "As of which date?",
        ("31 December 2025", "31 December 2024"),
    )
    assert back("Exchange rate at the end of June 2025", EN) == (
        "Which one do you mean: currency?",
        ("EUR", "USD"),
    )
    assert back("Die grössten Buchungen 2025", DE)[1] == ("10", "5")


@pytest.mark.parametrize("text", ["Umsatz", "What is the bank balance?"])
def test_each_suggested_answer_settles_the_question(text: str) -> None:
    language = DE if text == "Umsatz" else EN
    missing = match_pattern(text, INDEX, language, TODAY)
    assert isinstance(missing, MissingSlot)
    _, suggested = render_question(missing, language, TODAY)
    for each in suggested:
        assert isinstance(match_pattern(f"{text} {each}", INDEX, language, TODAY), PatternMatch)
