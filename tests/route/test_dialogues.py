"""Conversations without a model: follow-ups, replies, help and refusals go where they must."""

from dataclasses import replace

import pytest

from tests.route.dialogue import TODAY, Dialogue, dialogues, feature, played
from tests.sample import ACCOUNTANT
from veridical.answering.routing import choose_route
from veridical.answering.session import Session
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.route.patterns import PatternMatch
from veridical.tools.suggested_questions import all_questions

FEATURE = feature()
CASES = [each for name in ("written", "held_out") for each in dialogues(name)]


@pytest.mark.parametrize("dialogue", CASES, ids=lambda each: each[-1].text)
def test_every_turn_goes_where_it_must(dialogue: Dialogue) -> None:
    expected = [(said.expected, said.language) for said in dialogue]
    assert played(dialogue, FEATURE) == expected


@pytest.mark.parametrize("language", list(Language))
def test_every_question_that_is_offered_can_be_asked_as_it_stands(language: Language) -> None:
    caller = replace(ACCOUNTANT, language=language)
    known = FEATURE.repertoire(caller)
    assert known is not None
    offered = all_questions(known, language, TODAY)
    assert len(offered) == len(known.patterns)
    for each, intent in zip(offered, known.patterns, strict=True):
        route = choose_route(Question(text=each.ask), Session(FEATURE, caller), TODAY)
        assert isinstance(route, PatternMatch), each
        assert route.intent == intent
