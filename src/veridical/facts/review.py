"""The reviewer: a second reader who compares prose with exact sentences, and sees no data.

A model, a person, or none. It can only flag a sentence; it never proves one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from veridical.contracts.facts_answer import FactsAnswer, FactsReview, Flag, State

_LONGEST_WHY = 300
_MOST_FLAGS = 60


class NoReviewError(Exception):
    """A reply that is no review."""


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """The input of a reviewer: no result, no row, no query."""

    question: str
    sentences: tuple[str, ...]
    exact: tuple[str, ...]


class Reviewer(Protocol):
    """Compares; a failure of its own is no review, and never raised."""

    async def __call__(self, task: ReviewTask) -> FactsReview | None:
        """The review; none if there was none."""
        ...


async def no_review(task: ReviewTask) -> FactsReview | None:
    """The reviewer that is off."""
    return None


def review_task(question: str, written: FactsAnswer) -> ReviewTask | None:
    """The sentences to compare; none if the host wrote all of them."""
    if all(each.state is State.EXACT for each in written.sentences):
        return None
    return ReviewTask(
        question,
        tuple(each.text.strip() for each in written.sentences),
        (*(fact.sentence for fact in written.facts.values()), *written.basis),
    )


@cache
def review_instruction() -> str:
    """The instruction for reviewers, the same for every answer."""
    return files("veridical.facts").joinpath("reviewing.md").read_text("utf-8").strip()


def review_prompt(task: ReviewTask) -> str:
    """The question, the statements, and the text by numbered sentences, as data."""
    content = {
        "question": task.question,
        "statements": list(task.exact),
        "text": {str(at): each for at, each in enumerate(task.sentences, start=1)},
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def read_flags(reply: str, sentences: int) -> tuple[Flag, ...]:
    """The flags in a reviewer's reply. Raises ``NoReviewError``."""
    try:
        found: Any = json.loads(reply[reply.find("{") : reply.rfind("}") + 1], strict=False)
    except (ValueError, RecursionError):
        raise NoReviewError("no JSON") from None
    flagged: Any = found.get("flagged") if isinstance(found, Mapping) else None
    if not isinstance(flagged, list) or len(flagged) > _MOST_FLAGS:
        raise NoReviewError("no list of sentences")
    return tuple(_flag(each, sentences) for each in flagged)


def _flag(raw: Any, sentences: int) -> Flag:
    number: Any = raw.get("sentence") if isinstance(raw, Mapping) else raw
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= sentences:
        raise NoReviewError("no such sentence")
    why: Any = raw.get("why", "") if isinstance(raw, Mapping) else ""
    return Flag(sentence=number - 1, why=str(why)[:_LONGEST_WHY])
