"""Known questions to offer: all of a caller, or those nearest to a question.

Each is shown with its slots, filled with the values of the question or with examples, so that it
is a complete question. Nothing is answered by it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from rapidfuzz import fuzz, process

from veridical.contracts.language import Language, in_language
from veridical.messages import message
from veridical.ontology.filling import SLOT
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, Slot, SlotKind
from veridical.ontology.terms import has_han
from veridical.reading import shown
from veridical.reading.periods import Period, at_end, find_periods
from veridical.route.canonical import in_own_words
from veridical.route.likely import Likely, likely_patterns
from veridical.route.pattern_cover import question_phrases
from veridical.route.patterns import FutureMatch, PatternMatch, match_pattern
from veridical.route.slots import Code, Count, Quoted, Token, Word, read_tokens, words_of
from veridical.tools.known_slot import example_of
from veridical.tools.repertoire import Repertoire

MOST_NEAR = 3
_CLOSE = 78.0
_MOST_KEPT = 6
"""Languages of a day, and of the day before."""
_SHORTEST = 5
_AROUND_WORDS = ".,;:!?()¿«»"
_TIMES = frozenset({SlotKind.YEAR, SlotKind.MONTH, SlotKind.DAY})
_NAMED = _TIMES | {SlotKind.COUNT, SlotKind.QUOTED}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A known question."""

    shown: str
    """The question with the names of its slots: ‹year›."""
    ask: str
    """The question with values; empty if no example completes it."""
    left_out: str = ""
    """What of the question that was asked it leaves out."""
    about: CanonicalQueryPattern | None = field(default=None, compare=False, repr=False)
    """The known question that it completes."""


def all_questions(known: Repertoire, language: Language, today: date) -> tuple[Suggestion, ...]:
    """Every question of the repertoire, in its order. They are the same all day."""
    key = (language, today)
    made: tuple[Suggestion, ...] | None = known.offered.get(key)
    if made is None:
        found = (_suggestion(each, {}, known, language, today) for each in known.patterns.values())
        made = tuple(each for each in found if each is not None)
        if len(known.offered) >= _MOST_KEPT:
            known.offered.clear()
        known.offered[key] = made
    return made


def near_questions(
    text: str, known: Repertoire, language: Language, today: date
) -> tuple[Suggestion, ...]:
    """The questions nearest to these words, with typing errors corrected; none if all are far."""
    plain = _corrected(text, known, language, today)
    exact = match_pattern(plain, known.index, language, today)
    exact = exact.match if isinstance(exact, FutureMatch) else exact
    if isinstance(exact, PatternMatch) and exact.intent in known.patterns:
        made = offered_instead(exact, known, language, today)
        return () if made is None else (made,)
    near = likely_patterns(plain, known.index, language, today, also_far=True)
    period = _period(plain, language, today)
    found: list[Suggestion] = []
    for each in near:
        pattern = known.patterns.get(each.intent)
        values = {**_parts(pattern, period), **each.slots} if pattern else {}
        made = _suggestion(pattern, values, known, language, today) if pattern else None
        if made is not None:
            found.append(replace(made, left_out=_left_out(each, text, language)))
    return tuple(found)[:MOST_NEAR]


def _left_out(near: Likely, text: str, language: Language) -> str:
    """What a question has no place for, as it was written."""
    written = {each.folded: piece for piece in text.split() for each in words_of(piece)}
    parts: list[str] = []
    after_han = False
    for token in near.left_out:
        is_han = isinstance(token, Word) and has_han(token.folded)
        part = _token_text(token, written, language)
        if is_han and after_han:
            parts[-1] += part
        else:
            parts.append(part)
        after_han = is_han
    return " ".join(parts)


def _token_text(token: Token, written: Mapping[str, str], language: Language) -> str:
    match token:
        case Word(folded=folded):
            piece = folded if has_han(folded) else written.get(folded, folded)
            return piece.strip(_AROUND_WORDS)
        case Code(digits=text) | Quoted(text=text):
            return text
        case Count(number=number):
            return str(number)
        case Period():
            return shown.period(token, language)


def offered_instead(
    match: PatternMatch, known: Repertoire, language: Language, today: date
) -> Suggestion | None:
    """The known question in its own words; with an example's time if its own is in the future."""
    pattern = known.patterns.get(match.intent)
    return pattern and _suggestion(pattern, match.slots, known, language, today)


def _suggestion(
    pattern: CanonicalQueryPattern,
    values: Mapping[str, Any],
    known: Repertoire,
    language: Language,
    today: date,
) -> Suggestion | None:
    template = next(iter(pattern.questions.get(language, ())), "")
    if not template:
        return None
    slots = {slot.name: slot for slot in pattern.slots}
    wordings = {name: _wording(slots[name], value, known, language)
              for name, value in values.items() if name in slots}  # fmt: skip
    examples = {
        name: _wording(slot, example_of(slot), known, language) for name, slot in slots.items()
    }
    labels = {name: f"‹{_label(slot, language)}›" for name, slot in slots.items()}
    filled = _filled(template, {**examples, **wordings})
    found = match_pattern(filled, known.index, language, today)
    whole = isinstance(found, PatternMatch) and found.intent == pattern.intent
    if not whole:
        own = in_own_words(filled, known.index, language, today)
        found = own.route if own else found
        whole = isinstance(found, PatternMatch) and own is not None
    timeless = {name: value for name, value in values.items() if not _is_time(slots.get(name))}
    if isinstance(found, FutureMatch) and timeless != values:
        return _suggestion(pattern, timeless, known, language, today)
    text = _filled(template, {**labels, **wordings})
    return Suggestion(text, filled if whole else "", about=pattern)


def _filled(template: str, values: Mapping[str, str]) -> str:
    return SLOT.sub(lambda slot: values.get(slot[1], slot[0]), template)


def _wording(slot: Slot, value: Any, known: Repertoire, language: Language) -> str:
    if slot.kind is SlotKind.QUOTED:
        return f"«{value}»"
    return in_language(known.names.get(str(value), str(value)), language)


def _is_time(slot: Slot | None) -> bool:
    return slot is not None and slot.kind in _TIMES


def _label(slot: Slot, language: Language) -> str:
    if slot.kind in _NAMED:
        return message(f"pattern.slot_{str(slot.kind).lower()}", language)
    return in_language(slot.description, language) or slot.name


def _period(text: str, language: Language, today: date) -> Period | None:
    found = find_periods(text.lower(), language, today)
    return found[0].period if len(found) == 1 else None


def _parts(pattern: CanonicalQueryPattern, period: Period | None) -> dict[str, Any]:
    """The slot values of the given time, if it fits the pattern."""
    kind = pattern.period
    if period is None or kind is None or not (period.fits(kind) or at_end(period).fits(kind)):
        return {}
    parts: dict[SlotKind | None, Any] = {SlotKind.YEAR: period.end.year}
    if kind in (PeriodKind.MONTH, PeriodKind.MONTH_END):
        parts[SlotKind.MONTH] = period.end.month
    if kind is PeriodKind.DAY:
        parts[SlotKind.DAY] = period.end.isoformat()
    return {slot.name: parts[slot.kind] for slot in pattern.slots if slot.kind in parts}


def _corrected(text: str, known: Repertoire, language: Language, today: date) -> str:
    """The text with typing errors replaced by the nearest known words."""
    tokens = read_tokens(text, language, today, known.index.codes[language]) or ()
    question = question_phrases(tokens, 1)
    every = known.index.vocabularies[language]
    strangers = [
        token.folded
        for token, phrases in zip(tokens, question.phrases, strict=True)
        if isinstance(token, Word)
        and len(token.folded) >= _SHORTEST
        and not any(each.stems in every.stems or each.folded in every.exact for each in phrases)
    ]
    if not strangers or language is Language.ZH:
        return text
    candidates = sorted(set(_words(known, language)))
    plain = text.lower()
    for stranger in strangers:
        found = process.extractOne(stranger, candidates, scorer=fuzz.ratio, score_cutoff=_CLOSE)
        if found is not None and found[0] != stranger:
            plain = _swapped(plain, stranger, found[0])
    return plain


def _swapped(text: str, stranger: str, word: str) -> str:
    """The text with one of its words replaced: found by how it is folded."""
    return " ".join(
        piece.replace(bare, word) if (bare := piece.strip(".,;:!?()")) and _is(bare, stranger)
        else piece
        for piece in text.split()
    )  # fmt: skip


def _is(bare: str, folded: str) -> bool:
    return [each.folded for each in words_of(bare)] == [folded]


def _words(known: Repertoire, language: Language) -> Iterator[str]:
    """The words of the business, as questions and titles write them."""
    for pattern in known.patterns.values():
        texts: Iterable[str] = (
            *pattern.questions.get(language, ()),
            in_language(pattern.title, language),
            *(phrase for notion in pattern.words for phrase in notion.get(language, ())),
        )
        for text in texts:
            for word in words_of(SLOT.sub(" ", text)):
                if len(word.folded) >= _SHORTEST:
                    yield word.folded
