"""Known questions asked in exactly the words in which they are offered.

A pattern's own example may have words that the pattern path leaves open, because they mean
something else in other questions. Word for word, it is still that question.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from veridical.contracts.language import Language, in_language
from veridical.ontology.filling import SLOT
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, Slot, SlotKind
from veridical.reading.periods import At, Period
from veridical.reading.punctuation import QUOTED_NAME, marks
from veridical.route.follow_up import Known, known
from veridical.route.pattern_fillers import asking
from veridical.route.pattern_index import PatternIndex, Reader
from veridical.route.patterns import FutureMatch
from veridical.route.slots import Code, Count, Quoted, Token, Word, words_of

_NUMBERS = {
    SlotKind.YEAR: r"(?:19|20)\d\d",
    SlotKind.MONTH: r"1[0-2]|0?[1-9]",
    SlotKind.COUNT: r"[1-9]\d{0,2}",
}
_DAY = r"\d{4}-\d\d-\d\d"
_ENDS = " " + marks(".?!")
_AT = {
    PeriodKind.YEAR: At.DURING,
    PeriodKind.MONTH: At.DURING,
    PeriodKind.SINCE_YEAR: At.SINCE,
}

Names = Mapping[str, Mapping[str, str]]
"""The values of each slot, by their display names."""


def in_own_words(text: str, index: PatternIndex, language: Language, today: date) -> Known | None:
    """The known question with exactly this wording, apart from the values of its slots."""
    wording = " ".join(text.split()).strip(_ENDS).casefold()
    for reader in index.readers[language]:
        pattern = reader.pattern
        for question in pattern.questions.get(language, ()):
            names = {slot.name: _names(slot, reader, index, language) for slot in pattern.slots}
            values = _values(wording, question, pattern, names)
            if values is None:
                continue
            tokens = (
                *words_of(asking(language, pattern.asks)),
                *_notions(reader),
                *_given(reader, values),
            )
            found = known(tokens, index, language, today)
            if found and found.whole and found.whole.intent == pattern.intent:
                plain = replace(found.whole, wordings={})
                is_future = isinstance(found.route, FutureMatch)
                return replace(found, route=FutureMatch(plain) if is_future else plain)
    return None


def _names(
    slot: Slot, reader: Reader, index: PatternIndex, language: Language
) -> Mapping[str, str]:
    if slot.kind not in (SlotKind.SUBCLASS, SlotKind.VALUE):
        return {}
    known = {each.value for each in reader.vocabulary.stems.values() if each.slot == slot.name}
    return {
        in_language(index.names.get(value, value), language).casefold(): value
        for value in known
        if value is not None
    }


def _values(
    wording: str, question: str, pattern: CanonicalQueryPattern, names: Names
) -> dict[str, Any] | None:
    slots = {slot.name: slot for slot in pattern.slots}
    expression, at = "", 0
    for place in SLOT.finditer(question):
        slot = slots.get(place[1])
        form = _form(slot, names) if slot else None
        if form is None:
            return None
        expression += re.escape(question[at : place.start()].casefold()) + f"(?P<{place[1]}>{form})"
        at = place.end()
    expression += re.escape(question[at:].rstrip(_ENDS).casefold())
    found = re.fullmatch(expression, wording)
    if found is None or len(found.groupdict()) != len(slots):
        return None
    return {name: _value(slots[name], text, names) for name, text in found.groupdict().items()}


def _form(slot: Slot, names: Names) -> str | None:
    match slot.kind:
        case SlotKind.YEAR | SlotKind.MONTH | SlotKind.COUNT:
            return _NUMBERS[slot.kind]
        case SlotKind.DAY:
            return _DAY
        case SlotKind.CODE:
            return slot.format
        case SlotKind.QUOTED:
            return QUOTED_NAME.replace("(", "(?:")
        case SlotKind.SUBCLASS | SlotKind.VALUE:
            return "|".join(map(re.escape, sorted(names[slot.name], key=len, reverse=True))) or None
        case _:
            return None


def _value(slot: Slot, text: str, names: Names) -> Any:
    match slot.kind:
        case SlotKind.YEAR | SlotKind.MONTH | SlotKind.COUNT:
            return int(text)
        case SlotKind.SUBCLASS | SlotKind.VALUE:
            return names[slot.name][text]
        case SlotKind.QUOTED:
            return text[1:-1]
        case _:
            return text


def _notions(reader: Reader) -> Iterator[Token]:
    """One phrase for each required notion."""
    covered: set[int] = set()
    for phrase, meaning in reader.vocabulary.stems.items():
        if meaning.required - covered:
            covered |= meaning.required
            yield from (Word(part, part) for part in phrase)


def _given(reader: Reader, values: Mapping[str, Any]) -> Iterator[Token]:
    period = _period(reader.pattern, values)
    for slot in reader.pattern.slots:
        value = values[slot.name]
        match slot.kind:
            case SlotKind.CODE:
                yield Code(slot.name, value)
            case SlotKind.COUNT:
                yield Count(value)
            case SlotKind.QUOTED:
                yield Quoted(value)
            case SlotKind.SUBCLASS | SlotKind.VALUE:
                yield from _called(slot.name, value, reader)
            case _:
                pass
    if period is not None:
        yield period


def _called(slot: str, value: str, reader: Reader) -> Iterator[Word]:
    for phrase, meaning in reader.vocabulary.stems.items():
        if (meaning.slot, meaning.value) == (slot, value):
            yield from (Word(part, part) for part in phrase)
            return


def _period(pattern: CanonicalQueryPattern, values: Mapping[str, Any]) -> Period | None:
    if pattern.period is None:
        return None
    by_kind = {slot.kind: values[slot.name] for slot in pattern.slots}
    at = _AT.get(pattern.period, At.END)
    if SlotKind.DAY in by_kind:
        try:
            day = date.fromisoformat(by_kind[SlotKind.DAY])
        except ValueError:
            return None
        return Period("day", day, day, at)
    year, month = by_kind[SlotKind.YEAR], by_kind.get(SlotKind.MONTH)
    if month is None:
        return Period("year", date(year, 1, 1), date(year, 12, 31), at)
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return Period("month", first, date.fromordinal(following.toordinal() - 1), at)
