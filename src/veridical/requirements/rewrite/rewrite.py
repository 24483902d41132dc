"""Rewrites a requirement as a user story with a scenario, from what it says and what was answered.

Nothing is invented: what the requirement does not say is a placeholder and a question. A rewrite
that has anything else, or that the rules find worse than its source, is rejected. A model may
propose where the parts are; what the requirement does not support is refused, and where the whole
does not come out better than by template, the template is taken.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import Evaluation, evaluate_requirement
from veridical.requirements.rewrite.answer import answered, is_confirmed
from veridical.requirements.rewrite.binding import Binding, bind
from veridical.requirements.rewrite.invented import invented
from veridical.requirements.rewrite.parts import Parts, lowered, parts_of
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.question import (
    BENEFIT,
    EVENT,
    RESULT,
    ROLE,
    STATE,
    Question,
    questions_of,
)
from veridical.requirements.tokens import Tokens, read

_PLACEHOLDER = re.compile(r"[^\S\n]*\[[^\[\]]*\]")


class Status(StrEnum):
    """The status of a rewrite."""

    ACCEPTED = "accepted"
    NEEDS_ANSWERS = "needs_answers"
    REJECTED = "rejected"
    NOT_EVALUATED = "not_evaluated"


class Author(StrEnum):
    """The author of the split of a requirement into parts."""

    TEMPLATE = "template"
    MODEL = "model"


@dataclass(frozen=True)
class Rewrite:
    """The rewritten text with the open questions."""

    source: Evaluation
    text: str
    status: Status
    questions: tuple[Question, ...]
    invented: tuple[str, ...]
    evaluation: Evaluation
    """Of the story and its criteria, their placeholders left out."""
    author: Author = Author.TEMPLATE
    refused: tuple[str, ...] = ()
    """The parts that a model proposed and the requirement does not have."""
    roles: tuple[str, ...] = ()
    """Roles to choose from where the role is an open question."""

    def as_json(self, place: int, language: Language) -> dict[str, Any]:
        """As it is printed for programs, with the names that callers know; places begin at 1."""
        fields = self.evaluation.as_json(language)
        return {
            "id": place,
            "originalText": self.source.text,
            "correctedText": self.text,
            "status": self.status.value,
            "score": fields["score"],
            "verdict": fields["verdict"],
            "evaluation": fields["evaluation"],
            "questions": [
                {"key": each.key, "question": each.text(language)} for each in self.questions
            ],
        }


def rewrite_requirement(
    text: str, answers: Mapping[str, str] | None = None, proposal: Proposal | None = None
) -> Rewrite:
    """Rewrites one requirement; answers are filed under the keys of the questions. One that does
    not answer its question leaves it open."""
    source = evaluate_requirement(text)
    if source.score is None:
        return Rewrite(source, text, Status.NOT_EVALUATED, (), (), source)
    given = answers or {}
    by_template = _rewritten(source, given, Binding())
    if proposal is None:
        return by_template
    binding = bind(proposal, source.inspection.tokens)
    outcome = {"refused": binding.refused, "roles": binding.roles}
    if binding.places:
        found = _rewritten(source, given, binding)
        better = (found.evaluation.score or 0.0) >= (by_template.evaluation.score or 0.0)
        if better and found.status is not Status.REJECTED:
            return replace(found, author=Author.MODEL, **outcome)
    return replace(by_template, **outcome)


def _rewritten(source: Evaluation, given: Mapping[str, str], binding: Binding) -> Rewrite:
    tokens = source.inspection.tokens
    language = Language(tokens.language)
    questions = tuple(questions_of(_parts(tokens, binding, {}), source.findings))
    given = answered(questions, given, tokens)
    notes = {each.end: _note(each, given, tokens) for each in questions if each.end >= 0}
    lines = _written(_parts(tokens, binding, notes), given, language)
    written = "\n".join(lines)
    rest = tuple(question for question in questions if question.key not in given)
    strange = invented(written, tokens.text, given.values(), language)
    checked = rewrite_evaluation(written, language)
    return Rewrite(source, written, _status(source, checked, rest, strange), rest, strange, checked)


def rewrite_evaluation(text: str, language: str, criteria: Collection[str] = ()) -> Evaluation:
    """The evaluation of a rewrite, read again without its placeholders: of its story and of each
    acceptance criterion."""
    return evaluate_requirement(_PLACEHOLDER.sub("", text), criteria, language)


def _status(
    source: Evaluation, checked: Evaluation, rest: Sequence[Question], strange: Sequence[str]
) -> Status:
    if strange or (checked.score or 0.0) < (source.score or 0.0):
        return Status.REJECTED
    return Status.NEEDS_ANSWERS if rest else Status.ACCEPTED


@dataclass(frozen=True, slots=True)
class _Note:
    """What is written behind the words that a question is about, or instead of them."""

    start: int
    text: str


def _note(question: Question, given: Mapping[str, str], tokens: Tokens) -> _Note:
    """The answer, or a placeholder; a weak modal that is binding becomes a strong one."""
    answer = given.get(question.key)
    if not answer:
        return _Note(question.end, f" {question.placeholder(Language(tokens.language))}")
    strong = tokens.words.strong.get(question.words.lower())
    if question.kind == "binding" and strong and is_confirmed(answer, tokens.language):
        return _Note(question.start, strong)
    return _Note(question.end, f" ({answer})")


def _parts(tokens: Tokens, binding: Binding, notes: Mapping[int, _Note]) -> Parts:
    """The parts, with the notes behind the words that they are about."""
    if not binding.places:
        whole = _noted(tokens, range(len(tokens.all)), notes)
        return parts_of(read(whole, tokens.language))
    parts = {name: _noted(tokens, place, notes) for name, place in binding.places.items()}
    own = parts_of(read(_noted(tokens, binding.clause, notes), tokens.language))
    if not binding.clause.start and (STATE in parts or EVENT in parts):
        # The clause stood before its condition and now follows it.
        clause = lowered(tokens, 0, own.clause)
        parts["clause"] = message("requirements.clause_first", tokens.language, clause=clause)
    return replace(own, **parts)


def _noted(tokens: Tokens, part: range, notes: Mapping[int, _Note]) -> str:
    """A stretch of the requirement with its notes."""
    if len(part) == len(tokens.all):
        start, end = 0, len(tokens.text)
    else:
        start, end = tokens.all[part.start].start, tokens.all[part.stop - 1].end
    text = tokens.text[:end]
    for place in sorted(notes, reverse=True):  # from behind, so that the places stay right
        if start < place <= end:
            text = f"{text[: notes[place].start]}{notes[place].text}{text[place:]}"
    return text[start:]


def _written(parts: Parts, given: Mapping[str, str], language: Language) -> tuple[str, str]:
    """The story and the scenario, with answers and placeholders where the questions are."""

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


def _scenario(parts: Parts, part: Callable[[str, str], str], language: Language) -> str:
    clause = part(parts.clause, RESULT)
    if parts.state and parts.event:
        both = {"state": parts.state, "event": parts.event}
        return message("requirements.scenario_both", language, **both, clause=clause)
    if parts.state:
        return message("requirements.scenario_state", language, state=parts.state, clause=clause)
    if parts.event:
        return message("requirements.scenario_event", language, event=parts.event, clause=clause)
    state, event = part("", STATE), part("", EVENT)
    return message("requirements.scenario", language, state=state, event=event, clause=clause)
