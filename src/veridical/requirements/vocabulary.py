"""What the other requirements of a set and the project's glossary already say: roles, acting
parties, benefits and figures. They are offered as answers, and never written in by themselves."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from veridical.requirements.form import Form
from veridical.requirements.inspection import inspect
from veridical.requirements.rewrite.answer import is_answered
from veridical.requirements.rewrite.parts import parts_of
from veridical.requirements.rewrite.question import BENEFIT, ROLE, Question
from veridical.requirements.rules.mark import phrases
from veridical.requirements.rules.obligation import is_role
from veridical.requirements.tokens import Tokens, read

_MOST = 3
"""Answers that are offered for one question."""
_LONGEST_SUBJECT = 3


@dataclass(frozen=True)
class Glossary:
    """The words that a project has agreed on."""

    roles: tuple[str, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a vague word means here: ``fast = "at most 2 s in 95 % of cases"``."""


@dataclass(frozen=True)
class Vocabulary:
    """Answers to choose from, the most frequent first."""

    roles: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    """Who or what acts."""
    benefits: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    agreed: Mapping[str, str] = field(default_factory=dict[str, str])

    def answers(self, question: Question, requirement: Tokens) -> tuple[str, ...]:
        """The known answers that would answer this question."""
        known: Mapping[str, Sequence[str]] = {
            ROLE: self.roles,
            BENEFIT: self.benefits,
            "who": (*self.parties, *self.roles),
            "metric": (*self._agreed(question), *self.figures),
        }
        fitting = [
            each
            for each in known.get(question.kind, ())
            if is_answered(question, each, requirement)
        ]
        return tuple(dict.fromkeys(fitting))[:_MOST]

    def _agreed(self, question: Question) -> Iterable[str]:
        words = question.words.lower()
        return (value for word, value in self.agreed.items() if word.lower() in words)


def vocabulary(texts: Iterable[str], glossary: Glossary | None = None) -> Vocabulary:
    """The vocabulary of a set of requirements."""
    agreed = glossary or Glossary()
    roles: Counter[str] = Counter()
    parties: Counter[str] = Counter()
    benefits: Counter[str] = Counter()
    figures: Counter[str] = Counter()
    for text in texts:
        tokens = read(text)
        if tokens.form is Form.STORY:
            parts = parts_of(tokens)
            roles.update([parts.role] if parts.role else [])
            opened = tokens.hits.get("STOBENEFIT", ())
            if parts.benefit and opened:
                benefits[_without(parts.benefit, opened[0].end - opened[0].first)] += 1
        elif subject := _subject(tokens):
            (roles if is_role(tokens, subject.split()[-1].lower()) else parties)[subject] += 1
        figures.update(_figures(tokens))
    return Vocabulary(
        (*agreed.roles, *_ranked(roles)),
        _ranked(parties),
        _ranked(benefits),
        _ranked(figures),
        agreed.figures,
    )


def _ranked(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(each for each, _ in counts.most_common())


def _without(benefit: str, opening: int) -> str:
    """A benefit without the words that open it."""
    return " ".join(benefit.split()[opening:])


def _subject(tokens: Tokens) -> str:
    """The name before the modal of a plain sentence, without its article."""
    modal = next((hit.first for hit in phrases(tokens, "IMP") if hit.first in tokens.main), 0)
    start = int(tokens.is_in("determiners", 0))
    places = range(start, modal)
    if not places or len(places) > _LONGEST_SUBJECT or not tokens.main.issuperset(places):
        return ""
    words = [tokens.all[place] for place in places]
    if not all(
        word.is_word and word.low not in tokens.words.sets["prepositions"] for word in words
    ):
        return ""
    return " ".join(word.text for word in words)


def _figures(tokens: Tokens) -> Iterable[str]:
    """The figures with units of requirements that nothing is wrong with."""
    if not tokens.quantities or inspect(tokens.text, tokens.language).findings:
        return
    for each in tokens.quantities:
        if each.unit:
            yield tokens.text[tokens.all[each.first].start : tokens.all[each.end - 1].end]
