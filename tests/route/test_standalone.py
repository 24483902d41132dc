"""Conversations whose last question is a known one of its own, or may be a follow-up."""

from datetime import date
from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.evals.gold.load import load_gold
from veridical.packs.trustee import pack
from veridical.route.patterns import NoMatch, PatternMatch, index_patterns, match_pattern
from veridical.route.standalone import match_standalone
from veridical.testing.cases import by_language

pytestmark = pytest.mark.slow

TODAY = date(2026, 1, 20)
INDEX = index_patterns(pack.ontology)
FOLDER = Path(__file__).with_name("alone")
LEADS = {Language.DE: "Und ", Language.EN: "And ", Language.ZH: "那"}


def _cases(name: str) -> list[tuple[Language, str]]:
    return list(by_language(FOLDER / f"{name}.txt"))


def _matched(language: Language, said: str) -> PatternMatch | NoMatch:
    *earlier, text = said.split(" >> ")
    return match_standalone(text, earlier, INDEX, language, TODAY)


@pytest.mark.parametrize(("language", "said"), list(_cases("must_match")))
def test_what_says_all_is_the_question_that_it_always_is(language: Language, said: str) -> None:
    found = _matched(language, said)
    assert found == match_pattern(said.rpartition(" >> ")[2], INDEX, language, TODAY)
    assert isinstance(found, PatternMatch)


@pytest.mark.parametrize(("language", "said"), list(_cases("must_not_match")))
def test_what_may_point_back_is_left_to_the_agent(language: Language, said: str) -> None:
    assert _matched(language, said) == NoMatch()


def test_of_the_gold_questions_most_stand_alone_and_no_follow_up_does() -> None:
    known, alone = 0, 0
    for gold in load_gold("pack:trustee"):
        today = date.fromisoformat(gold.today)
        for case in gold.cases:
            earlier = [turn.question for turn in case.thread]
            for text in (case.question, *case.paraphrases):
                found = match_standalone(text, earlier, INDEX, case.language, today)
                led = f"{LEADS[case.language]}{text[:1].lower()}{text[1:]}"
                assert match_standalone(led, earlier, INDEX, case.language, today) == NoMatch()
                if earlier:
                    assert found == NoMatch(), text
                elif isinstance(
                    match := match_pattern(text, INDEX, case.language, today), PatternMatch
                ):
                    known += 1
                    alone += found == match
    assert alone > 0.75 * known > 0
