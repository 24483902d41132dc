"""Rewrites a requirement as a user story with a scenario, from what it says and what was answered.

Nothing is invented: what the requirement does not say is a placeholder and a question. A rewrite
that holds anything else, or that the rules find worse than its source, is rejected.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import Evaluation, evaluate_requirement
from veridical.requirements.rewrite.invented import invented
from veridical.requirements.rewrite.parts import Parts, parts_of
from veridical.requirements.rewrite.question import (
    BENEFIT,
    EVENT,
    RESULT,
    ROLE,
    STATE,
    Question,
    questions_of,
)
from veridical.requirements.tokens import read

_PLACEHOLDER = re.compile(r"\s*\[[^\[\]]*\]")


class Status(StrEnum):
    """What became of a rewrite."""

    ACCEPTED = "accepted"
    NEEDS_ANSWERS = "needs_answers"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Rewrite:
    """The rewritten text with what is still asked."""

    source: Evaluation
    text: str
    status: Status
    questions: tuple[Question, ...]
    invented: tuple[str, ...]
    evaluation: Evaluation
    """Of the weaker of the two lines, its placeholders left out."""

    def as_json(self, place: int, language: Language) -> dict[str, Any]:
        """As it is printed for programs, with the names that callers know; places begin at 1."""
        told = self.evaluation.as_json(language)
        return {
            "id": place,
            "originalText": self.source.text,
            "correctedText": self.text,
            "status": self.status.value,
            "score": told["score"],
            "verdict": told["verdict"],
            "evaluation": told["evaluation"],
            "questions": [
                {"key": each.key, "question": each.text(language)} for each in self.questions
            ],
        }


def rewrite_requirement(text: str, answers: Mapping[str, str] | None = None) -> Rewrite:
    """Rewrites one requirement; answers are filed under the keys of the questions."""
    given = {key: answer.strip() for key, answer in (answers or {}).items() if answer.strip()}
    source = evaluate_requirement(text)
    language = Language(source.inspection.tokens.language)
    asked = tuple(questions_of(parts_of(source.inspection.tokens), source.findings))
    lines = _written(text, asked, given, language)
    written = "\n".join(lines)
    rest = tuple(question for question in asked if question.key not in given)
    strange = invented(written, text, given.values(), language)
    checked = min(
        (evaluate_requirement(_PLACEHOLDER.sub("", line), language=language) for line in lines),
        key=lambda each: each.score or 0.0,
    )
    return Rewrite(source, written, _status(source, checked, rest, strange), rest, strange, checked)


def _status(
    source: Evaluation, checked: Evaluation, rest: Sequence[Question], strange: Sequence[str]
) -> Status:
    if strange or (checked.score or 0.0) < (source.score or 0.0):
        return Status.REJECTED
    return Status.NEEDS_ANSWERS if rest else Status.ACCEPTED


def _written(
    text: str, asked: Sequence[Question], given: Mapping[str, str], language: Language
) -> tuple[str, str]:
    """The story and the scenario, with answers and placeholders where the questions are."""
    parts = parts_of(read(_detailed(text, asked, given, language), language))

    def part(own: str, key: str) -> str:
        return own or given.get(key) or Question(key, key).placeholder(language)

    benefit = part("", BENEFIT)
    story = message(
        f"requirements.{parts.template}",
        language,
        role=part(parts.role, ROLE),
        goal=parts.goal,
        benefit=parts.benefit or message("requirements.benefit", language, benefit=benefit),
    )
    return story, _scenario(parts, part, language)


def _detailed(
    text: str, asked: Sequence[Question], given: Mapping[str, str], language: Language
) -> str:
    """The requirement with a note behind each word that is asked about."""
    noted = {each.end: each for each in asked if each.end >= 0}
    for end in sorted(noted, reverse=True):  # from behind, so that the places stay right
        answer = given.get(noted[end].key)
        note = f"({answer})" if answer else noted[end].placeholder(language)
        text = f"{text[:end]} {note}{text[end:]}"
    return text


def _scenario(parts: Parts, part: Callable[[str, str], str], language: Language) -> str:
    clause = part(parts.clause, RESULT)
    if parts.state:
        return message("requirements.scenario_state", language, state=parts.state, clause=clause)
    if parts.event:
        return message("requirements.scenario_event", language, event=parts.event, clause=clause)
    state, event = part("", STATE), part("", EVENT)
    return message("requirements.scenario", language, state=state, event=event, clause=clause)
