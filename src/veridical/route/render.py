"""The answer to a canonical question, written from the rows alone: no model, no invention.

Results that are empty, forbidden, cut short or out of date are labelled so. Each piece of the text
names its cell or its value of the question, so that the gate can check it.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from veridical.contracts.language import Language, in_language
from veridical.contracts.result import Emptiness, Receipt
from veridical.contracts.written import Part, Written
from veridical.late_pattern import late_pattern
from veridical.messages import message, message_pieces
from veridical.ontology.filling import SLOT
from veridical.ontology.model import Asks, PeriodKind, SlotKind
from veridical.reading import shown
from veridical.reading.punctuation import marks
from veridical.route.pattern_cover import phrase_key
from veridical.route.patterns import MissingSlot, PatternMatch
from veridical.route.row_writer import Row, RowWriter
from veridical.route.slots import words_of

MOST_LINES = 20
_OPEN = late_pattern(rf"[{marks('(')}][^{marks(')')}]*$")
_NEW_LINE = Part("\n")
_BULLET = Part("\n- ")
_EMPTY = {
    Emptiness.NO_MATCH: "pattern.no_match",
    Emptiness.VALUE_UNKNOWN: "pattern.value_unknown",
    Emptiness.NOT_PERMITTED: "pattern.not_permitted",
}


def render_answer(
    match: PatternMatch,
    columns: Sequence[str],
    rows: Sequence[Row],
    receipt: Receipt,
    language: Language,
) -> str:
    """The text of the answer."""
    return write_answer(match, columns, rows, receipt, language).text


def write_answer(
    match: PatternMatch,
    columns: Sequence[str],
    rows: Sequence[Row],
    receipt: Receipt,
    language: Language,
) -> Written:
    """The answer in pieces, each with where it was taken from."""
    parts = [*_body(match, columns, rows, receipt, language)]
    for note in _notes(match, receipt, language):
        parts += (_NEW_LINE, Part(note))
    return Written(tuple(parts))


def _notes(match: PatternMatch, receipt: Receipt, language: Language) -> Iterator[str]:
    if receipt.truncated and not _limits_count(match):
        yield message("pattern.truncated", language, count=receipt.row_count)
    if receipt.emptiness is Emptiness.STALE:
        yield message("pattern.stale", language)
    if match.unfinished:
        yield message("pattern.unfinished", language)


def render_question(
    missing: MissingSlot, language: Language, today: date
) -> tuple[str, tuple[str, ...]]:
    """The one question back, and answers to choose from."""
    slot = missing.slot
    if slot is None:
        return _ask_period(missing.periods, language, today)
    match slot.kind:
        case SlotKind.COUNT:
            return message("pattern.ask_count", language), tuple(map(str, slot.examples))
        case SlotKind.QUOTED:
            return message("pattern.ask_name", language), ()
        case SlotKind.SUBCLASS:
            names = (in_language(missing.index.names[name], language) for name in slot.values)
            choices = tuple(names)
        case SlotKind.VALUE:
            choices = slot.values
        case _:
            choices = ()
    what = in_language(slot.description, language) or slot.name
    return message("pattern.ask_value", language, what=what), choices


def _ask_period(
    kinds: frozenset[PeriodKind], language: Language, today: date
) -> tuple[str, tuple[str, ...]]:
    last = today.year - 1
    if kinds <= {PeriodKind.YEAR, PeriodKind.SINCE_YEAR}:
        return message("pattern.ask_year", language), (str(last), str(last - 1))
    if kinds <= {PeriodKind.MONTH}:
        return message("pattern.ask_month", language), ()
    ends = (date(year, 12, 31) for year in (last, last - 1))
    return message("pattern.ask_day", language), tuple(shown.day(end, language) for end in ends)


def title(match: PatternMatch, language: Language) -> str:
    """The title of the question, with the user's own word where it differs."""
    return "".join([part.text for part in _title(match, language)])


def _title(match: PatternMatch, language: Language) -> Iterator[Part]:
    named = in_language(match.pattern.title, language) or match.intent
    end = 0
    for slot in SLOT.finditer(named):
        if slot.start() > end:
            yield Part(named[end : slot.start()], owned=True)
        yield from _slot(slot, match, language)
        end = slot.end()
    if end < len(named):
        yield Part(named[end:], owned=True)


def _slot(placeholder: re.Match[str], match: PatternMatch, language: Language) -> Iterator[Part]:
    """The value that the question has for a placeholder, and the words that chose it."""
    name = placeholder[1]
    part, wording = _value(name, match, language), match.wordings.get(name)
    if part is None:
        yield Part(placeholder[0])
    elif wording is None or phrase_key(words_of(wording)) == phrase_key(words_of(part.text)):
        yield part
    else:
        within = _OPEN.search(placeholder.string, 0, placeholder.start())
        key = "pattern.as_asked_in_brackets" if within else "pattern.as_asked"
        filled = (Part(wording, from_question=wording),)
        yield from _message_parts(key, language, said=filled, name=(part,))


def _value(name: str, match: PatternMatch, language: Language) -> Part | None:
    if name == "period" and match.period is not None:
        return Part(shown.period(match.period, language), from_question=match.period)
    if name not in match.slots:
        return None
    value = match.slots[name]
    kind = next((slot.kind for slot in match.pattern.slots if slot.name == name), None)
    if kind is SlotKind.SUBCLASS:  # a name that the ontology gives
        return Part(in_language(match.index.names[value], language), owned=True)
    return Part(str(value), from_question=match.period if kind is SlotKind.YEAR else value)


def _body(
    match: PatternMatch,
    columns: Sequence[str],
    rows: Sequence[Row],
    receipt: Receipt,
    language: Language,
) -> Iterator[Part]:
    named = tuple(_title(match, language))
    counted = match.pattern.asks is Asks.HOW_MANY and receipt.emptiness is Emptiness.NO_MATCH
    key = _EMPTY.get(receipt.emptiness) if receipt.emptiness else None
    if (key and not (counted and rows)) or not rows:
        yield from _message_parts(key or "pattern.no_match", language, title=named)
        return
    origins = receipt.lineage.over(len(columns)) if receipt.lineage else ()
    kinds = [origin.kind for origin in origins]
    writer = RowWriter(match, tuple(columns), rows, kinds, language)
    if len(rows) == 1 and writer.is_figure(rows[0]):
        yield from _message_parts("pattern.figure", language, title=named, value=writer.figures(0))
        return
    yield from _message_parts("pattern.heading", language, title=named)
    for at in range(min(len(rows), MOST_LINES)):
        yield _BULLET
        yield from writer.line(at)
    if len(rows) > MOST_LINES:
        yield _NEW_LINE
        yield Part(message("pattern.more_rows", language, count=len(rows) - MOST_LINES))


def _message_parts(key: str, language: Language, **parts: Sequence[Part]) -> Iterator[Part]:
    """A message with the pieces that fill it."""
    for words, placeholder in message_pieces(key, language):
        if words:
            yield Part(words)
        if placeholder:
            yield from parts[placeholder]


def _limits_count(match: PatternMatch) -> bool:
    return any(slot.kind is SlotKind.COUNT for slot in match.pattern.slots)
