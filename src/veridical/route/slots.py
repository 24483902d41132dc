"""The values that a question names: quoted texts, codes beside their cue, periods, counts.

Values are taken out of the text; the patterns explain the remaining words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import Slot, SlotKind
from veridical.ontology.terms import HAN, fold, has_han, stem
from veridical.reading.number_words import COUNTS, read_han
from veridical.reading.period_words import END_MARKS
from veridical.reading.periods import At, FoundPeriod, Period, at_end, find_periods
from veridical.reading.punctuation import CLOSING, LIST_MARKS, OPENING, QUOTED_NAME, marks
from veridical.word_file import word_file

LONGEST_QUESTION = 300
_REMEMBERED_WORDS = 20_000
_QUOTED = late_pattern(QUOTED_NAME)
_WORDS = word_file("veridical.route")
NUMBERED: str = _WORDS["codes"]["numbered"]
HAN_BEFORE: str = _WORDS["codes"]["han_before"]
HAN_AFTER: str = _WORDS["codes"]["han_after"]
"""What may stand between a cue and its code, and around a code of Chinese."""
_DIGITS_COUNT = r"(?<![\d.,'’/])(?P<digits>[1-9]\d{0,2})(?![\d%‰]|[.,'’/]\d)"
_COUNT: dict[Language, re.Pattern[str]] = {
    language: late_pattern(rf"{_DIGITS_COUNT}|\b(?P<word>{'|'.join(words)})\b")
    for language, words in COUNTS.items()
} | {Language.ZH: late_pattern(rf"{_DIGITS_COUNT}|{_WORDS['counts']['han']}")}
_TOKEN = late_pattern(rf"[^\W\d_{HAN}]+|[{HAN}]|\d+|[^\w\s]")
_SILENT = frozenset(f"…'’-–—/[]·&{marks('.,?!:;()')}{OPENING}{CLOSING}{LIST_MARKS}")


@dataclass(frozen=True, slots=True)
class Code:
    """Digits beside a cue: which slot they are for, and what they are."""

    slot: str
    digits: str


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things."""

    number: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text in quotation marks."""

    text: str


Value = Code | Count | Quoted | Period


@dataclass(frozen=True, slots=True)
class Word:
    """One word, or one Chinese character: as it is looked up exactly, and by its stem."""

    folded: str
    stem: str


Token = Word | Value


@dataclass(frozen=True, slots=True)
class _Found:
    begin: int
    stop: int
    value: Value


@dataclass(frozen=True, slots=True)
class CodeFinder:
    """Finds the codes of one slot."""

    slot: str
    expression: re.Pattern[str]


def code_finders(slots: Iterable[Slot], language: Language) -> tuple[CodeFinder, ...]:
    """One finder for each different slot whose code this language has cues for."""
    found = {
        slot.name: CodeFinder(slot.name, _code_expression(slot.format, slot.cues[language]))
        for slot in slots
        if slot.kind is SlotKind.CODE and slot.cues.get(language)
    }
    return tuple(found.values())


def _code_expression(code: str, cues: tuple[str, ...]) -> re.Pattern[str]:
    cue = "|".join(re.escape(each.casefold()) for each in sorted(cues, key=len, reverse=True))
    if all(each.isascii() or not has_han(each) for each in cues):
        return re.compile(rf"\b(?:{cue}){NUMBERED}\s*(?P<code>{code})(?!\w|[.,'’]\d)")
    # Chinese names the cue before or after: 科目1020, 1020科目, 第6类
    return re.compile(
        rf"(?:{cue})\s*(?P<code>{code})(?!\d|[.,]\d)"
        rf"|{HAN_BEFORE}?(?<!\d)(?P<code2>{code})\s*{HAN_AFTER}?(?:{cue})"
    )


def read_tokens(
    text: str, language: Language, today: date, codes: tuple[CodeFinder, ...]
) -> tuple[Token, ...] | None:
    """The text as values and words, in order; None if it is too long to be one question."""
    if len(text) > LONGEST_QUESTION:
        return None
    found: list[_Found] = []
    question = " ".join(unicodedata.normalize("NFKC", text).split())
    quotes = _quotes(question)
    lowered = question.lower()
    if len(lowered) != len(question):  # a rare letter grows: places in the one are not the other's
        return None
    left = _take(lowered, found, quotes)
    left = _take(left, found, _codes(left, codes))
    left = _take(left, found, _periods(left, language, today))
    left = _take(left, found, _counts(left, language))
    return tuple(_in_order(left, sorted(found, key=lambda each: each.begin)))


@lru_cache(_REMEMBERED_WORDS)
def word(text: str) -> Word:
    """A word as it is looked up."""
    folded = fold(text)
    return Word(folded, root(folded))


def root(folded: str) -> str:
    """The stem of a stem, until there is none: every form of a word comes to the same."""
    shorter = stem(folded)
    while shorter != folded:
        folded, shorter = shorter, stem(shorter)
    return folded


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a phrase, without signs."""
    return tuple(word(each) for each in _TOKEN.findall(text.casefold()) if each not in _SILENT)


def _take(text: str, found: list[_Found], more: Iterable[_Found]) -> str:
    """Keeps the matches; returns the text with them blanked out."""
    for each in more:
        found.append(each)
        text = text[: each.begin] + "\0" * (each.stop - each.begin) + text[each.stop :]
    return text


def _quotes(text: str) -> list[_Found]:
    return [_Found(m.start(), m.end(), Quoted(m[1].strip())) for m in _QUOTED.finditer(text)]


def _codes(text: str, finders: tuple[CodeFinder, ...]) -> list[_Found]:
    found: list[_Found] = []
    for finder in finders:
        for match in finder.expression.finditer(text):
            digits = next(value for value in match.groupdict().values() if value)
            found.append(_Found(match.start(), match.end(), Code(finder.slot, digits)))
    return found


def _periods(text: str, language: Language, today: date) -> list[_Found]:
    periods = find_periods(text, language, today)
    spans = [(each.begin, each.stop) for each in periods]
    marks = [
        match
        for match in END_MARKS[language].finditer(text)
        if not any(begin < match.end() and match.start() < stop for begin, stop in spans)
    ]
    if len(marks) == 1 and len(periods) == 1:
        marked = _marked(periods[0], marks[0])
        if marked is not None:
            blank = _Found(marks[0].start(), marks[0].end(), marked.period)
            return [_Found(marked.begin, marked.stop, marked.period), blank]
    return [_Found(each.begin, each.stop, each.period) for each in periods]


def _marked(found: FoundPeriod, mark: re.Match[str]) -> FoundPeriod | None:
    """The period's end, where a word elsewhere says so: "year-end balance for 2024"."""
    period = found.period
    if period.at is not At.DURING or mark.groupdict().get(period.grain) is None:
        return None
    return replace(found, period=at_end(period))


def _counts(text: str, language: Language) -> list[_Found]:
    found: list[_Found] = []
    for match in _COUNT[language].finditer(text):
        number = _count(match, language)
        if number:
            found.append(_Found(match.start(), match.end(), Count(number)))
    return found


def _count(match: re.Match[str], language: Language) -> int | None:
    if match["digits"]:
        return int(match["digits"])
    if language is not Language.ZH:
        return COUNTS[language][match["word"]]
    numeral = read_han(match["word"])
    return int(numeral[0]) if numeral else None


def _in_order(text: str, found: list[_Found]) -> Iterator[Token]:
    at = 0
    for each in found:
        yield from words_of(text[at : each.begin].replace("\0", " "))
        yield each.value
        at = each.stop
    yield from words_of(text[at:].replace("\0", " "))
