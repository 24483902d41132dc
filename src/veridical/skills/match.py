"""Matches a request to a skill by its words alone, without a model.

A skill comes into question by its keywords. Among several, the one whose keywords and
disambiguation keywords cover most of the request is chosen, a word that is in both counting twice;
if none covers more than the others, it stays open and the candidates are named.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.skills.keyword_match import Found, TokenizedText, find, tokenized, weight_of
from veridical.skills.skill import Skill, words_in

_COMMAND = "/"
_SKIMMED = 2_000
"""Characters at each end of a long request."""


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """The matched skill, and the words that decided it."""

    is_open: ClassVar[bool] = False
    skill: Skill
    words: tuple[str, ...]
    decided_by: tuple[str, ...] = ()
    """The disambiguation keywords that stand in the request."""
    rivals: tuple[Skill, ...] = ()
    """The other skills that came into question; all of them where it was called by its name."""
    by_name: bool = False

    def explain(self, language: Language = Language.EN) -> str:
        """The reason for this skill, in one line."""
        words = ", ".join(self.words)
        if not self.rivals or self.by_name:
            return message("skills.matched", language, name=self.skill.name, words=words)
        return message(
            "skills.matched_against",
            language,
            name=self.skill.name,
            words=words,
            rivals=", ".join(rival.name for rival in self.rivals),
            decided=", ".join(self.decided_by) or words,
        )


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several skills match equally well."""

    is_open: ClassVar[bool] = True
    skills: tuple[Skill, ...]
    words: tuple[str, ...]

    def explain(self, language: Language = Language.EN) -> str:
        """The candidates, in one line."""
        names = ", ".join(skill.name for skill in self.skills)
        return message("skills.ambiguous", language, names=names, words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class _Candidate:
    skill: Skill
    keywords: Found
    telling: Found
    weight: int


def _skimmed(question: str) -> str:
    """The beginning and the end of a request: they say what is wanted; between is the material."""
    if len(question) <= 2 * _SKIMMED:
        return question
    return f"{question[:_SKIMMED]}\n{question[-_SKIMMED:]}"


def match_skill(
    question: str, skills: Iterable[Skill], language: Language | None = None
) -> SkillMatch | Ambiguous | None:
    """The skill that this request asks for, several, or none.

    ``/name`` at the beginning asks for a skill by its name.
    """
    known = tuple(skills)
    named = _named(question, known)
    if named is not None:
        # A request that names a skill has no words that distinguish it from others: its answer
        # may still be one of theirs.
        others = sorted((each for each in known if each is not named), key=lambda each: each.name)
        words = (f"{_COMMAND}{named.name}",)
        return SkillMatch(named, words, rivals=tuple(others), by_name=True)
    text = tokenized(_skimmed(question))
    candidates = [
        each
        for skill in known
        if not skill.only_by_name and (each := _candidate(skill, text, language)).keywords.words
    ]
    if not candidates:
        return None
    candidates.sort(key=lambda each: (-each.weight, each.skill.name))
    best = [each for each in candidates if each.weight == candidates[0].weight]
    if len(best) > 1:
        words = dict.fromkeys(word for each in best for word in each.keywords.words)
        return Ambiguous(tuple(each.skill for each in best), tuple(words))
    (winner,) = best
    rivals = tuple(each.skill for each in candidates[1:])
    return SkillMatch(winner.skill, winner.keywords.words, winner.telling.words, rivals)


def _named(question: str, skills: tuple[Skill, ...]) -> Skill | None:
    first = question.lstrip().partition(" ")[0].partition("\n")[0]
    return next((skill for skill in skills if first == f"{_COMMAND}{skill.name}"), None)


def _candidate(skill: Skill, text: TokenizedText, language: Language | None) -> _Candidate:
    keywords = find(words_in(skill.intent.keywords, language), text)
    telling = find(words_in(skill.intent.disambiguation_keywords, language), text)
    weight = weight_of(keywords.places, text) + weight_of(telling.places, text)
    return _Candidate(skill, keywords, telling, weight)
