"""Words of follow-ups: fillers around the new part, relative times, choices."""

import re
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import LIST_MARKS, marks
from veridical.route.pattern_cover import NOTHING_MUCH, Meaning, Phrase
from veridical.route.slots import words_of
from veridical.word_file import word_file

_WRITTEN = word_file("veridical.route", "follow_up.toml")
_SIGNS = late_pattern(rf"[\s#\"'’“”„«»{marks('.,;:!?()')}{LIST_MARKS}]+")
_NUMBERED = late_pattern(r"(?P<number>\d{1,2})(?:st|nd|rd|th)?")


@dataclass(frozen=True, slots=True)
class Relative:
    """A time relative to another: so many units on."""

    expression: re.Pattern[str]
    unit: str
    step: int


def _fillers(language: Language) -> dict[Phrase, Meaning]:
    phrases = " ".join(_WRITTEN["fillers"][language].split()).split(",")
    folded = (tuple(word.folded for word in words_of(phrase)) for phrase in phrases)
    return {phrase: NOTHING_MUCH for phrase in folded if phrase}


FILLERS: dict[Language, dict[Phrase, Meaning]] = {
    language: _fillers(language) for language in Language
}
"""Phrases around the new part of a follow-up."""
LONGEST_FILLER = max(len(phrase) for phrases in FILLERS.values() for phrase in phrases)


def _relative(written: dict[str, Any], language: Language) -> Relative:
    phrases = "|".join(written[language])
    bounded = phrases if language is Language.ZH else rf"\b(?:{phrases})\b"
    return Relative(late_pattern(bounded), written["unit"], written["step"])


RELATIVES: dict[Language, tuple[Relative, ...]] = {
    language: tuple(_relative(each, language) for each in _WRITTEN["relative"])
    for language in Language
}

_ORDINALS: dict[Language, tuple[re.Pattern[str], ...]] = {
    language: tuple(late_pattern(each) for each in _WRITTEN["ordinals"][language])
    for language in Language
}
_CHOOSING: dict[Language, re.Pattern[str]] = {
    language: late_pattern(_WRITTEN["choosing"][language]) for language in Language
}
_LAST: dict[Language, re.Pattern[str]] = {
    language: late_pattern(_WRITTEN["choosing"]["last"][language]) for language in Language
}


def chosen(text: str, language: Language, count: int) -> int | None:
    """The index of the offer that a reply takes: "1", "the second one", "第一个"."""
    words = _SIGNS.sub(" ", text.casefold()).strip()
    # people answer in English, and with digits, in any conversation
    for reply_language in dict.fromkeys((language, Language.EN)):
        place = _chosen(words, reply_language, count)
        if place is not None:
            return place if place < count else None
    return None


def _chosen(words: str, language: Language, count: int) -> int | None:
    apart = _apart(words, language)
    around = _CHOOSING[language]
    telling = [word for word in apart if not around.fullmatch(word)] or apart
    places = {_place(word, language, count) for word in telling}
    return places.pop() if len(places) == 1 else None


def _apart(words: str, language: Language) -> list[str]:
    """The words; Chinese ones are cut out of the run that they stand in."""
    if language is not Language.ZH:
        return words.split()
    known = [each.pattern for each in (*_ORDINALS[language], _LAST[language], _CHOOSING[language])]
    pieces = sorted({piece for each in known for piece in each.split("|")}, key=len, reverse=True)
    cut = re.compile("|".join(map(re.escape, pieces)) + r"|\S")
    return [piece for run in words.split() for piece in cut.findall(run)]


def _place(word: str, language: Language, count: int) -> int | None:
    if _LAST[language].fullmatch(word):
        return count - 1
    places = (at for at, each in enumerate(_ORDINALS[language]) if each.fullmatch(word))
    place = next(places, None)
    if place is None and (numbered := _NUMBERED.fullmatch(word)) and numbered["number"] != "0":
        return int(numbered["number"]) - 1
    return place
