"""A model is asked for parts; whatever it does, there is a proposal, a reason or nothing."""

import asyncio

import pytest

from veridical.agent.failure import FailureCode
from veridical.requirements.rewrite.model_request import TOOL, proposed
from veridical.requirements.rewrite.proposal import Proposal
from veridical.testing import Script

BELT = "The belt shall stop when the clerk scans a label."


def said(*lines: object) -> Proposal | FailureCode | None:
    script = Script(list(lines))  # type: ignore[arg-type]
    return asyncio.run(proposed(BELT, script.model, 5))


def test_call_is_read() -> None:
    assert said([(TOOL, {"event": "the clerk scans a label", "tone": "warm"})]) == Proposal(
        event="the clerk scans a label"
    )


def test_json_in_a_text_is_read() -> None:
    assert said('{"event": "the clerk scans a label"}') == Proposal(event="the clerk scans a label")


@pytest.mark.parametrize(
    "line",
    ["I would say two seconds.", [(TOOL, "{broken")], [(TOOL, {"event": ["a", "list"]})], []],
)
def test_what_is_no_proposal_is_unreadable(line: object) -> None:
    assert said(line) is FailureCode.UNREADABLE


def test_failure_is_a_reason() -> None:
    assert said(ConnectionError("gone")) is FailureCode.CONNECTION


def test_story_needs_no_model() -> None:
    story = "As a clerk, I want to print labels so that parcels leave."
    assert asyncio.run(proposed(story, Script([]).model, 5)) is None


def test_the_model_is_told_the_requirement_and_to_add_nothing() -> None:
    script = Script([[(TOOL, {})]])
    asyncio.run(proposed(BELT, script.model, 5))
    assert BELT in str(script.heard[0])
    assert script.infos[0].allow_text_output is False
