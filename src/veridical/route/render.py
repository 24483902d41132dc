"""The head of a known question's answer, and the clarifying question for a missing value."""

import re
from datetime import date

from veridical.contracts.language import Language, in_language
from veridical.contracts.result import KnownQuestion
from veridical.late_pattern import late_pattern
from veridical.messages import message
from veridical.ontology.filling import SLOT
from veridical.ontology.model import PeriodKind, SlotKind
from veridical.reading import shown
from veridical.reading.punctuation import marks
from veridical.route.pattern_cover import phrase_key
from veridical.route.patterns import MissingSlot, PatternMatch
from veridical.route.slots import words_of

_OPEN = late_pattern(rf"[{marks('(')}][^{marks(')')}]*$")


def known_question(match: PatternMatch, language: Language) -> KnownQuestion:
    """The known question that a call answers."""
    limits = (match.slots[slot.name] for slot in match.pattern.slots if slot.kind is SlotKind.COUNT)
    return KnownQuestion(
        intent=match.intent,
        title=title(match, language),
        limit=next(limits, None),
        unfinished=match.unfinished,
    )


def title(match: PatternMatch, language: Language) -> str:
    """The title of the question, with the user's own word where it differs."""
    named = in_language(match.pattern.title, language) or match.intent
    return SLOT.sub(lambda slot: _slot(slot, match, language), named)


def _slot(placeholder: re.Match[str], match: PatternMatch, language: Language) -> str:
    """The value that the question has for a placeholder, and the words that chose it."""
    name = placeholder[1]
    value, wording = _value(name, match, language), match.wordings.get(name)
    if value is None:
        return placeholder[0]
    if wording is None or phrase_key(words_of(wording)) == phrase_key(words_of(value)):
        return value
    within = _OPEN.search(placeholder.string, 0, placeholder.start())
    key = "pattern.as_asked_in_brackets" if within else "pattern.as_asked"
    return message(key, language, wording=wording, name=value)


def _value(name: str, match: PatternMatch, language: Language) -> str | None:
    if name == "period" and match.period is not None:
        return shown.period(match.period, language)
    if name not in match.slots:
        return None
    value = match.slots[name]
    kind = next((slot.kind for slot in match.pattern.slots if slot.name == name), None)
    if kind is SlotKind.SUBCLASS:  # a name that the ontology gives
        return in_language(match.index.names[value], language)
    return str(value)


def render_question(
    missing: MissingSlot, language: Language, today: date
) -> tuple[str, tuple[str, ...]]:
    """The one clarifying question, and answers to choose from."""
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
