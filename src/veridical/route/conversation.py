"""The state of a conversation, computed anew from its questions each time.

Answers of a conversation are never read. Offers and questions back follow from the questions, so
they cannot be planted. A question that is not understood ends the state.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.ontology.model import SlotKind
from veridical.reading.punctuation import CLOSING, OPENING, marks
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
_QUOTES = f"'‘’ \t;{OPENING}{CLOSING}{marks('.,!?')}"
_WILDCARDS = frozenset("%_\\")


@dataclass(frozen=True, slots=True)
class Offered:
    """Questions that were offered instead of an answer."""

    questions: tuple[str, ...]
    before: Known | None = None
    """The known question before the offers, which is still valid."""


State = Known | Which | Offered | None
"""The state that a follow-up can refer to; None if no question is known."""


@dataclass(frozen=True, slots=True)
class QuestionTurn:
    """One question of a conversation, with its language."""

    text: str
    language: Language


class Beside(StrEnum):
    """The effect on the state of a question that is not about data."""

    KEEPS = "keeps"
    """thanks, a greeting"""
    ENDS = "ends"
    """another matter"""


Aside = Callable[[QuestionTurn], Offered | Beside | None]
"""Reads a question that is not about data; None for all others."""
Offers = Callable[[QuestionTurn], tuple[str, ...]]
"""The questions to offer if nothing is known."""


@dataclass(frozen=True, slots=True)
class Listener:
    """The context for reading a question."""

    index: PatternIndex
    today: date
    alone: bool
    """True if no model can read the question: a fragment is then read by itself."""


def understood(
    turn: QuestionTurn, before: State, earlier: Sequence[QuestionTurn], listener: Listener
) -> Known | Which | None:
    """The known question that this question means after the earlier ones."""
    index, today, language = listener.index, listener.today, turn.language
    if not earlier:
        return _by_itself(turn, listener)
    texts = () if listener.alone else tuple(each.text for each in earlier)
    if isinstance(match_standalone(turn.text, texts, index, language, today), PatternMatch):
        return _by_itself(turn, listener)
    found = _after(turn, before, listener)
    if found is None and language is not earlier[-1].language:
        # a few words may look like another language than that of the conversation
        found = _after(replace(turn, language=earlier[-1].language), before, listener)
    if found is None and listener.alone and not points_back(turn.text, language):
        return _by_itself(turn, listener)
    return found


def _after(turn: QuestionTurn, before: State, listener: Listener) -> Known | Which | None:
    """The known question, read as a reply or as a follow-up."""
    found = replied(turn, before, listener)
    if found is not None:
        return found
    if isinstance(before, Offered):
        return None if before.before is None else _after(turn, before.before, listener)
    if isinstance(before, Known):
        return followed(turn.text, before, listener.index, turn.language, listener.today)
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


def _by_itself(turn: QuestionTurn, listener: Listener) -> Known | None:
    index, language, today = listener.index, turn.language, listener.today
    tokens = read_tokens(turn.text, language, today, index.codes[language])
    found = known(tokens, index, language, today) if tokens else None
    return found or (in_own_words(turn.text, index, language, today) if tokens else None)


def replied(turn: QuestionTurn, before: State, listener: Listener) -> Known | Which | None:
    """The question completed by this reply; None if it is no reply."""
    match before:
        case Which(options=options):
            place = chosen(turn.text, turn.language, len(options))
            return None if place is None else options[place]
        case Offered(questions=questions):
            place = chosen(turn.text, turn.language, len(questions))
            if place is None:
                return None
            return _by_itself(replace(turn, text=questions[place]), listener)
        case Known(route=MissingSlot() as missing):
            return _filled(turn, before, missing, listener)
        case _:
            return None


def _filled(
    turn: QuestionTurn, before: Known, missing: MissingSlot, listener: Listener
) -> Known | Which | None:
    """The question with the missing value, given as such or by its place among the offers.

    A reply of other values only keeps the question open, so that the value is requested again.
    """
    index, today, language = listener.index, listener.today, turn.language
    completed = followed(turn.text, before, index, language, today)
    if completed is not None and _is_whole(completed):
        return completed
    offers = render_question(missing, language, today)[1]
    if missing.slot is None or missing.slot.kind is not SlotKind.COUNT:
        place = chosen(turn.text, language, len(offers))
        if place is not None:
            return followed(offers[place], before, index, language, today)
    if missing.slot is not None and missing.slot.kind is SlotKind.QUOTED:
        return _named(turn.text, before, listener)
    if completed is None and says_values_only(turn.text, before, index, language, today):
        return before
    return completed


def _is_whole(found: Known | Which) -> bool:
    return isinstance(found, Which) or found.whole is not None


def _named(text: str, before: Known, listener: Listener) -> Known | None:
    """The question with a name that stands without quotation marks."""
    name = text.strip(_QUOTES)
    if not 2 <= len(name) <= _LONGEST_NAME or not _WILDCARDS.isdisjoint(name):
        return None
    tokens: tuple[Token, ...] = (*before.tokens, Quoted(name))
    found = known(tokens, listener.index, before.language, listener.today)
    return found if found and found.whole else None


def state_before_last(
    questions: Sequence[QuestionTurn], listener: Listener, aside: Aside, offers: Offers | None
) -> State:
    """The state before the last of these questions; ``offers`` if nothing is known."""
    state: State = None
    data: list[QuestionTurn] = []
    for place, turn in enumerate(questions[:-1]):
        beside = aside(turn)
        if isinstance(beside, Beside):
            state = state if beside is Beside.KEEPS else None
            continue
        if beside is not None:
            state = replace(beside, before=_still_known(state))
            continue
        state = understood(turn, state, data, listener)
        data.append(turn)
        if state is None and offers and _chooses(questions[place + 1 : place + 2]):
            state = Offered(offers(turn))
    return state


def _still_known(state: State) -> Known | None:
    match state:
        case Known():
            return state
        case Offered(before=before):
            return before
        case _:
            return None


def _chooses(following: Sequence[QuestionTurn]) -> bool:
    """True if the next question only chooses an offer; offers are computed for no other."""
    return any(chosen(each.text, each.language, _MOST_OFFERS) is not None for each in following)


def route_of(state: State) -> Matched | Which:
    """The route of this state."""
    match state:
        case Known(route=route):
            return route
        case Which():
            return state
        case _:
            return NoMatch()
