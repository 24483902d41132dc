"""Confirmed questions, clustered into proposals for known questions.

A cluster is what led to statements of one shape, in the same words: literals and the values that a
question names don't count. A proposal is made only where its pattern leads every question of the
cluster back to the very call that was confirmed.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from veridical.contracts.language import Language
from veridical.onboarding.confirmed.call_shape import call_shape
from veridical.onboarding.confirmed.pattern import Member, pattern_of
from veridical.onboarding.confirmed.question import ConfirmedQuestion
from veridical.onboarding.confirmed.question_values import question_values
from veridical.ontology.model import Asks, CanonicalQueryPattern
from veridical.route.pattern_index import telling_words
from veridical.route.slots import Word, words_of

_EXAMPLES = 5
_KEY_LENGTH = 16


@dataclass(frozen=True, slots=True)
class QuestionProposal:
    """A known question that people asked for, without knowing it."""

    key: str
    """The same for the same cluster, however much it grows."""
    pattern: CanonicalQueryPattern
    language: Language
    columns: tuple[str, ...]
    facts: tuple[str, ...]
    """The forms of the facts of the answers."""
    times: int
    """How often it was asked and confirmed."""
    people: int
    first: datetime
    last: datetime
    examples: tuple[ConfirmedQuestion, ...]
    """The latest ones, each wording once."""

    @property
    def name(self) -> str:
        """The question as people read it."""
        return self.pattern.questions[self.language][0]


def proposals_of(questions: Iterable[ConfirmedQuestion]) -> tuple[QuestionProposal, ...]:
    """The proposals, those of most people first."""
    clusters: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for each in questions:
        for key, member in _read(each):
            clusters[key].append(member)
    made = [found for key, members in clusters.items() for found in _proposed(key, members)]
    return tuple(sorted(made, key=lambda each: (-each.people, -each.times, each.key)))


def _read(question: ConfirmedQuestion) -> Iterator[tuple[tuple[str, ...], Member]]:
    values = question_values(question.text, question.language, question.day)
    shape = call_shape(question.call, question.dialect)
    if values is None or shape is None:
        return
    named = {word.folded for each in shape.literals for word in words_of(str(each))}
    words = tuple(each for each in values.words if each.folded not in named)
    notions = _notions(words, question.language)
    key = (question.feature, question.language, str(values.period), shape.shape, *notions)
    yield key, Member(question, values, shape)


def _notions(words: tuple[Word, ...], language: Language) -> list[str]:
    return sorted({word.stem for each in telling_words(words, language, Asks.WHICH)
                   for word in words_of(each)})  # fmt: skip


def _proposed(key: tuple[str, ...], members: Sequence[Member]) -> Iterator[QuestionProposal]:
    """One proposal; where their values can't be told from the questions, one for each set of
    values."""
    pattern = pattern_of(members)
    if pattern is not None:
        yield _proposal(key, pattern, members)
        return
    alike: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for each in members:
        alike[tuple(map(str, each.shape.literals))].append(each)
    for literals, same in alike.items() if len(alike) > 1 else ():
        own = pattern_of(same)
        if own is not None:
            yield _proposal((*key, *literals), own, same)


def _proposal(
    key: tuple[str, ...], pattern: CanonicalQueryPattern, members: Sequence[Member]
) -> QuestionProposal:
    latest = sorted((each.question for each in members), key=lambda each: each.at, reverse=True)
    wordings = {each.text: each for each in reversed(latest)}
    examples = sorted(wordings.values(), key=lambda each: each.at, reverse=True)
    return QuestionProposal(
        key=hashlib.sha256("\0".join(key).encode()).hexdigest()[:_KEY_LENGTH],
        pattern=pattern,
        language=latest[0].language,
        columns=latest[0].columns,
        facts=tuple(sorted({form for each in latest for form in each.facts})),
        times=len(latest),
        people=len({each.person for each in latest}),
        first=latest[-1].at,
        last=latest[0].at,
        examples=tuple(examples[:_EXAMPLES]),
    )
