"""What a reviewer gets and what is understood of its reply."""

import asyncio
import json

import pytest

from tests.facts.test_policy import PROSE, written
from veridical.contracts.facts_answer import Flag
from veridical.facts.review import (
    NoReviewError,
    no_review,
    read_flags,
    review_instruction,
    review_prompt,
    review_task,
)


def test_a_reviewer_gets_question_prose_and_exact_sentences() -> None:
    task = review_task("Which depots?", written())
    assert task is not None
    told = json.loads(review_prompt(task))
    assert told["question"] == "Which depots?"
    assert told["text"]["2"] == "All is well."
    assert len(told["statements"]) == 4  # three facts, and what their result holds
    assert set(told) == {"question", "statements", "text"}
    assert "{a.row}" in PROSE
    assert "{a.row}" not in review_prompt(task)


def test_nobody_is_asked_about_what_the_host_says() -> None:
    assert review_task("Which depots?", written("{a} {b}")) is None


def test_flags_are_read_by_the_number_of_their_sentence() -> None:
    assert read_flags('{"flagged": []}', 3) == ()
    said = 'So: {"flagged": [{"sentence": 2, "why": "no cause"}, {"sentence": "3"}]}'
    assert read_flags(said, 3) == (Flag(sentence=1, why="no cause"), Flag(sentence=2))


@pytest.mark.parametrize(
    "said", ["", "fine", "[]", '{"flagged": 1}', '{"flagged": [{"sentence": 4}]}', "{"]
)
def test_anything_else_is_no_review(said: str) -> None:
    with pytest.raises(NoReviewError):
        read_flags(said, 3)


def test_a_reviewer_that_is_off_says_nothing() -> None:
    task = review_task("Which depots?", written())
    assert task is not None
    assert asyncio.run(no_review(task)) is None
    assert "JSON" in review_instruction()
