"""What a question means after those before it: told anew from the questions alone, each time.

Answers of a conversation are never read. What was offered as an answer, or asked back, follows from
the questions, so nobody can plant it; and a question that nobody knows ends what can be gone on
with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.ontology.model import SlotKind
from veridical.route.canonical import in_own_words
from veridical.route.follow_up import Known, Which, followed, known, says_values_only
from veridical.route.follow_up_words import chosen
from veridical.route.pattern_index import PatternIndex
from veridical.route.patterns import Matched, MissingSlot, NoMatch, PatternMatch
from veridical.route.render import render_question, title
from veridical.route.slots import Quoted, Token, read_tokens
from veridical.route.standalone import match_standalone, points_back

_LONGEST_NAME = 80
_MOST_OFFERS = 99
_QUOTES = "\"'“”„«»「」『』‘’ \t.,;!?。，！？"
_WILDCARDS = frozenset("%_\\")


@dataclass(frozen=True, slots=True)
class Offered:
    """Questions that were offered instead of an answer."""

    questions: tuple[str, ...]
    before: Known | None = None
    """What was known before, and is still."""


State = Known | Which | Offered | None
"""What can be gone on with; none where nothing is known of what was said."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One question of a conversation, with its language."""

    text: str
    language: Language


class Beside(StrEnum):
    """What a question that is none about data does to what is known."""

    KEEPS = "keeps"
    """thanks, a greeting"""
    ENDS = "ends"
    """another matter"""


Aside = Callable[[Heard], Offered | Beside | None]
"""What a question comes to that is none about data; none for those that are."""
Offers = Callable[[Heard], tuple[str, ...]]
"""The questions that are offered where nothing else can be said."""


@dataclass(frozen=True, slots=True)
class Listener:
    """What is needed to understand a question."""

    index: PatternIndex
    today: date
    alone: bool
    """True where nobody else could understand a question: a fragment is then taken by itself."""


def understood(
    heard: Heard, before: State, earlier: Sequence[Heard], listener: Listener
) -> Known | Which | None:
    """What this question comes to after what is known so far."""
    index, today, language = listener.index, listener.today, heard.language
    if not earlier:
        return _by_itself(heard, listener)
    texts = () if listener.alone else tuple(each.text for each in earlier)
    if isinstance(match_standalone(heard.text, texts, index, language, today), PatternMatch):
        return _by_itself(heard, listener)
    found = _after(heard, before, listener)
    if found is None and language is not earlier[-1].language:
        # a few words may look like another language than the one that is spoken
        found = _after(replace(heard, language=earlier[-1].language), before, listener)
    if found is None and listener.alone and not points_back(heard.text, language):
        return _by_itself(heard, listener)
    return found


def _after(heard: Heard, before: State, listener: Listener) -> Known | Which | None:
    """What it comes to as the reply or the follow-up to what is known."""
    found = replied(heard, before, listener)
    if found is not None:
        return found
    if isinstance(before, Offered):
        return None if before.before is None else _after(heard, before.before, listener)
    if isinstance(before, Known):
        return followed(heard.text, before, listener.index, heard.language, listener.today)
    return None


def choices(state: State, language: Language, today: date) -> tuple[str, ...]:
    """The answers that the user may choose from."""
    match state:
        case Known(route=MissingSlot() as missing):
            return render_question(missing, language, today)[1]
        case Which(options=options):
            return tuple(_titled(each, language) for each in options)
        case Offered(questions=questions):
            return questions
        case _:
            return ()


def _titled(option: Known, language: Language) -> str:
    return title(option.whole, language) if option.whole else ""


def _by_itself(heard: Heard, listener: Listener) -> Known | None:
    index, language, today = listener.index, heard.language, listener.today
    tokens = read_tokens(heard.text, language, today, index.codes[language])
    found = known(tokens, index, language, today) if tokens else None
    return found or (in_own_words(heard.text, index, language, today) if tokens else None)


def replied(heard: Heard, before: State, listener: Listener) -> Known | Which | None:
    """The question with what was asked back; none where this is no answer to that."""
    match before:
        case Which(options=options):
            place = chosen(heard.text, heard.language, len(options))
            return None if place is None else options[place]
        case Offered(questions=questions):
            place = chosen(heard.text, heard.language, len(questions))
            if place is None:
                return None
            return _by_itself(replace(heard, text=questions[place]), listener)
        case Known(route=MissingSlot() as missing):
            return _filled(heard, before, missing, listener)
        case _:
            return None


def _filled(
    heard: Heard, before: Known, missing: MissingSlot, listener: Listener
) -> Known | Which | None:
    """The question with the missing value: said as such, or by its place among the offers. What
    is no such value, and nothing else, has it asked for again."""
    index, today, language = listener.index, listener.today, heard.language
    said = followed(heard.text, before, index, language, today)
    if said is not None and _is_whole(said):
        return said
    offers = render_question(missing, language, today)[1]
    if missing.slot is None or missing.slot.kind is not SlotKind.COUNT:
        place = chosen(heard.text, language, len(offers))
        if place is not None:
            return followed(offers[place], before, index, language, today)
    if missing.slot is not None and missing.slot.kind is SlotKind.QUOTED:
        return _named(heard.text, before, listener)
    if said is None and says_values_only(heard.text, before, index, language, today):
        return before
    return said


def _is_whole(found: Known | Which) -> bool:
    return isinstance(found, Which) or found.whole is not None


def _named(text: str, before: Known, listener: Listener) -> Known | None:
    """The question with a name that was said without quotation marks."""
    name = text.strip(_QUOTES)
    if not 2 <= len(name) <= _LONGEST_NAME or not _WILDCARDS.isdisjoint(name):
        return None
    tokens: tuple[Token, ...] = (*before.tokens, Quoted(name))
    found = known(tokens, listener.index, before.language, listener.today)
    return found if found and found.whole else None


def told(
    questions: Sequence[Heard], listener: Listener, aside: Aside, offers: Offers | None
) -> State:
    """What is known before the last of these questions; ``offers`` where nothing is."""
    state: State = None
    data: list[Heard] = []
    for place, heard in enumerate(questions[:-1]):
        beside = aside(heard)
        if isinstance(beside, Beside):
            state = state if beside is Beside.KEEPS else None
            continue
        if beside is not None:
            state = replace(beside, before=_still_known(state))
            continue
        state = understood(heard, state, data, listener)
        data.append(heard)
        if state is None and offers and _chooses(questions[place + 1 : place + 2]):
            state = Offered(offers(heard))
    return state


def _still_known(state: State) -> Known | None:
    match state:
        case Known():
            return state
        case Offered(before=before):
            return before
        case _:
            return None


def _chooses(following: Sequence[Heard]) -> bool:
    """Whether the next one only chooses; offers are not worked out for any other."""
    return any(chosen(each.text, each.language, _MOST_OFFERS) is not None for each in following)


def route_of(state: State) -> Matched | Which:
    """Where a question goes that has come to this."""
    match state:
        case Known(route=route):
            return route
        case Which():
            return state
        case _:
            return NoMatch()
