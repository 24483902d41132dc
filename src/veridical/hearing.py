"""What a question asks for within its conversation: told from words alone, before any model.

Help, a follow-up, the answer to a question back and a request that would change data are understood
here. Of a conversation only the questions are read: what its answers say proves nothing.
"""

from collections.abc import Iterable
from datetime import date

from veridical.agent.request import LoopOutcome
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.messages import say
from veridical.reading.language import language_of
from veridical.route.conversation import (
    Beside,
    Heard,
    Listener,
    Offered,
    State,
    choices,
    replied,
    route_of,
    told,
    understood,
)
from veridical.route.fast import FastRoute, Reason, fast_path
from veridical.route.follow_up import Which
from veridical.route.pattern_index import PatternIndex
from veridical.route.patterns import MissingSlot, NoMatch, PatternMatch
from veridical.route.requests import Request, request_of
from veridical.tools.suggested_questions import Suggestion, all_questions, near_questions
from veridical.ways import Desk

Route = FastRoute | PatternMatch | MissingSlot | Which | Request | NoMatch

_PASSING = frozenset(
    {Reason.GREETING, Reason.THANKS, Reason.FAREWELL, Reason.IDENTITY, Reason.SMALL_TALK}
)
"""After these one goes on where one was."""
_MOST_EXAMPLES = 3
_LONGEST_KNOWN = 600
"""Characters of a question that may be a known one. What is longer is a story, which a model reads;
read word by word here, it would keep everybody else waiting."""
_TOLD_BY = 2_000
"""Characters that tell a language."""
_UNREAD = "…"
"""In the place of what is too long to be known: nobody knows it either."""


def spoken_language(question: Question, fallback: Language) -> Language:
    """The language to answer in: the question's own, else the conversation's."""
    if question.language is not None:
        return question.language
    return _languages(question, fallback)[-1]


def choose_route(question: Question, desk: Desk, today: date) -> Route:
    """Where the question goes. No model is asked; what is not clear goes to the agent."""
    if not desk.routed:
        return NoMatch()
    if len(question.text) > _LONGEST_KNOWN:
        return NoMatch()
    request = request_of(question.text)
    index = desk.feature.patterns
    if request is Request.HELP and (index is not None or desk.model is None):
        return request
    heard = Heard(question.text, desk.caller.language)
    state = _state(question, desk, index, today) if index and question.thread else None
    listener = _listener(desk, index, today) if index else None
    found = replied(heard, state, listener) if listener else None
    if found is None and request is Request.CANCEL and question.thread:
        return request
    if found is None:
        fast = fast_path(question.text, desk.feature.vocabulary, heard.language)
        if fast is not None:
            return fast
    if found is None and listener is not None:
        found = understood(heard, state, _earlier(question, desk), listener)
    route = _suited(route_of(found), question, desk)
    left_to_model = desk.model is not None and bool(question.thread)
    if isinstance(route, NoMatch) and request is Request.CHANGE and not left_to_model:
        return request
    return route


def _suited(
    route: PatternMatch | MissingSlot | Which | NoMatch, question: Question, desk: Desk
) -> PatternMatch | MissingSlot | Which | NoMatch:
    """Within a conversation a model may know what was left out; without one, it is asked for."""
    if isinstance(route, MissingSlot) and question.thread and desk.model is not None:
        return NoMatch(route.intents)
    return route


def ask_which(which: Which, desk: Desk, today: date) -> LoopOutcome:
    """The question back: which of several is meant."""
    language = desk.caller.language
    offered = choices(which, language, today)
    text = say("pattern.ask_which", language, choices=_numbered(offered))
    return LoopOutcome(AnswerKind.ASK_BACK, text, suggested_answers=offered)


def plainly(request: Request, desk: Desk, today: date) -> LoopOutcome:
    """The answer to a request that no data answers."""
    language = desk.caller.language
    match request:
        case Request.HELP:
            return _help(desk, today)
        case Request.CANCEL:
            return LoopOutcome(AnswerKind.CHAT, say("flow.cancelled", language))
        case Request.CHANGE:
            return LoopOutcome(
                AnswerKind.UNKNOWN, say("flow.read_only", language), reason="readOnly"
            )


def unanswered(question: Question, desk: Desk, today: date) -> LoopOutcome:
    """That nobody here understands the question, and which known ones come near to it."""
    language = desk.caller.language
    text = say("flow.no_model", language)
    near = _near(Heard(_readable(question.text), language), desk, today)
    offered = near or _all(desk, language, today)[:_MOST_EXAMPLES]
    if offered:
        key = "flow.no_model_near" if near else "flow.no_model_examples"
        listed = _numbered(each.shown for each in offered)
        text = say(key, language, text=text, questions=listed)
    text = say("flow.no_model_setup", language, text=text)
    return LoopOutcome(AnswerKind.UNKNOWN, text, suggested_answers=_asks(offered))


def _help(desk: Desk, today: date) -> LoopOutcome:
    language = desk.caller.language
    known = _all(desk, language, today)
    listed = _numbered(each.shown for each in known)
    text = (
        say("flow.help", language, questions=listed) if known else say("flow.help_none", language)
    )
    if desk.model is not None:
        text = say("flow.help_model", language, text=text)
    return LoopOutcome(AnswerKind.CHAT, text, suggested_answers=_asks(known))


def _state(question: Question, desk: Desk, index: PatternIndex, today: date) -> State:
    """What the earlier questions came to."""

    def aside(heard: Heard) -> Offered | Beside | None:
        request = request_of(heard.text)
        if request is Request.HELP:
            return Offered(_asks(_all(desk, heard.language, today)))
        if request is not None:
            return Beside.ENDS if request is Request.CANCEL else Beside.KEEPS
        fast = fast_path(heard.text, desk.feature.vocabulary, heard.language)
        if fast is None:
            return None
        return Beside.KEEPS if fast.reason in _PASSING else Beside.ENDS

    def offers(heard: Heard) -> tuple[str, ...]:
        near = _near(heard, desk, today)
        return _asks(near or _all(desk, heard.language, today)[:_MOST_EXAMPLES])

    listener = _listener(desk, index, today)
    heard = (*_earlier(question, desk), Heard(question.text, desk.caller.language))
    return told(heard, listener, aside, None if desk.model else offers)


def _listener(desk: Desk, index: PatternIndex, today: date) -> Listener:
    return Listener(index, today, alone=desk.model is None)


def _earlier(question: Question, desk: Desk) -> tuple[Heard, ...]:
    languages = _languages(question, desk.caller.language)
    return tuple(
        Heard(_readable(turn.question), language)
        for turn, language in zip(question.thread, languages, strict=False)
    )


def _languages(question: Question, fallback: Language) -> list[Language]:
    """The language of each turn: what gives no hint speaks that of the turn before."""
    spoken: list[Language] = []
    for text in (*(turn.question for turn in question.thread), question.text):
        spoken.append(language_of(text[:_TOLD_BY], spoken[-1] if spoken else fallback))
    return spoken


def _readable(text: str) -> str:
    return text if len(text) <= _LONGEST_KNOWN else _UNREAD


def _all(desk: Desk, language: Language, today: date) -> tuple[Suggestion, ...]:
    known = desk.feature.repertoire(desk.caller)
    return all_questions(known, language, today) if known else ()


def _near(heard: Heard, desk: Desk, today: date) -> tuple[Suggestion, ...]:
    known = desk.feature.repertoire(desk.caller)
    return near_questions(heard.text, known, heard.language, today) if known else ()


def _asks(offered: tuple[Suggestion, ...]) -> tuple[str, ...]:
    return tuple(each.ask or each.shown for each in offered)


def _numbered(texts: Iterable[str]) -> str:
    return "\n".join(f"{place}. {text}" for place, text in enumerate(texts, 1))
