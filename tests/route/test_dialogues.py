"""Conversations without a model: follow-ups, replies, help and refusals go where they must."""

import pytest

from tests.route.dialogue import Dialogue, dialogues, feature, played

FEATURE = feature()
CASES = [each for name in ("written", "held_out") for each in dialogues(name)]


@pytest.mark.parametrize("dialogue", CASES, ids=lambda each: each[-1].text)
def test_every_turn_goes_where_it_must(dialogue: Dialogue) -> None:
    expected = [(said.expected, said.language) for said in dialogue]
    assert played(dialogue, FEATURE) == expected
