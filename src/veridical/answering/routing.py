"""The route of a question within its conversation: from words alone, before any model.

Help, a follow-up, the answer to a clarifying question and a request that would change data are
understood here. Of a conversation only the questions are read: what its answers say proves nothing.
"""

from collections.abc import Iterable
from datetime import date

from veridical.agent.request import LoopOutcome
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.trace import Routed
from veridical.messages import message
from veridical.reading.language import language_of
from veridical.route.conversation import (
    Beside,
    Listener,
    Offered,
    QuestionTurn,
    State,
    choices,
    replied,
    route_of,
    state_before_last,
    understood,
)
from veridical.route.fast import FastRoute, Reason, fast_path
from veridical.route.follow_up import Which
from veridical.route.follow_up_examples import follow_ups
from veridical.route.pattern_index import PatternIndex
from veridical.route.patterns import FutureMatch, Matched, MissingSlot, NoMatch, PatternMatch
from veridical.route.render import title
from veridical.route.requests import Request, request_of
from veridical.tools.suggested_questions import (
    Suggestion,
    all_questions,
    near_questions,
    offered_instead,
)

Route = FastRoute | Matched | Which | Request

_PASSING = frozenset(
    {Reason.GREETING, Reason.THANKS, Reason.FAREWELL, Reason.IDENTITY, Reason.SMALL_TALK}
)
"""Requests after which the conversation continues as before."""
_MOST_EXAMPLES = 3
_LONGEST_KNOWN = 600
"""Characters of a question that may be a known one. Longer texts go to a model;
read word by word here, they would keep other callers waiting."""
_LANGUAGE_SAMPLE = 2_000
"""Characters that a language is detected from."""
_UNREAD = "…"
"""In the place of a text that is too long to be a known question."""


def answer_language(question: Question, fallback: Language) -> Language:
    """The language to answer in: the question's own, else the conversation's."""
    if question.language is not None:
        return question.language
    return _languages(question, fallback)[-1]


def choose_route(question: Question, session: Session, today: date) -> Route:
    """The route of the question. No model is called; what is not clear goes to the agent."""
    if not session.routed:
        return NoMatch()
    if len(question.text) > _LONGEST_KNOWN:
        return NoMatch()
    request = request_of(question.text)
    index = session.feature.patterns
    if request is Request.HELP and (index is not None or session.model is None):
        return request
    turn = QuestionTurn(question.text, session.caller.language)
    state = _state(question, session, index, today) if index and question.thread else None
    listener = _listener(session, index, today) if index else None
    found = replied(turn, state, listener) if listener else None
    if found is None and request is Request.CANCEL and question.thread:
        return request
    if found is None:
        fast = fast_path(question.text, session.feature.vocabulary, turn.language)
        if fast is not None:
            return fast
    if found is None and listener is not None:
        found = understood(turn, state, _earlier(question, session), listener)
    route = _suited(route_of(found), question, session)
    left_to_model = session.model is not None and bool(question.thread)
    if isinstance(route, NoMatch) and request is Request.CHANGE and not left_to_model:
        return request
    return route


def routed(route: Route, session: Session, at: float) -> Routed:
    """The event with the chosen path, and why."""
    match route:
        case FastRoute():
            return Routed(at=at, route="chat", reason=route.reason)
        case PatternMatch():
            return Routed(
                at=at, route="pattern", reason="matched", intent=route.intent, slots=route.slots
            )
        case FutureMatch(match=known):
            return Routed(
                at=at, route="pattern", reason="future", intent=known.intent, slots=known.slots
            )
        case MissingSlot():
            return Routed(at=at, route="askBack", reason=f"missing {route.name}")
        case Which():
            return Routed(at=at, route="askBack", reason="several questions")
        case Request():
            return Routed(at=at, route="chat", reason=route.value)
        case NoMatch():
            reason = "several patterns" if route.intents else "no pattern"
            skill = session.skill.skill.name if session.skill else None
            return Routed(at=at, route="agent", reason=reason, skill=skill)


def _suited(route: Matched | Which, question: Question, session: Session) -> Matched | Which:
    """The route that suits the session: with a model, what a conversation leaves out goes to it,
    and so do questions about the future, of which it may know plans."""
    if session.model is None:
        return route
    if isinstance(route, MissingSlot) and question.thread:
        return NoMatch(route.intents)
    if isinstance(route, FutureMatch):
        return NoMatch()
    return route


def ask_which(which: Which, session: Session, today: date) -> LoopOutcome:
    """The clarifying question: which of several is meant."""
    language = session.caller.language
    offered = choices(which, language, today)
    text = message("pattern.ask_which", language, choices=_numbered(offered))
    return LoopOutcome(AnswerKind.ASK_BACK, text, suggested_answers=offered)


def not_yet(future: FutureMatch, session: Session, today: date) -> LoopOutcome:
    """The answer to a known question about the future, with the same question about the past."""
    language = session.caller.language
    text = message("pattern.future", language, title=title(future.match, language))
    known = session.feature.repertoire(session.caller)
    offered = offered_instead(future.match, known, language, today) if known else None
    asks = (offered.ask,) if offered and offered.ask else ()
    return LoopOutcome(AnswerKind.UNKNOWN, text, reason="future", suggested_answers=asks)


def plainly(request: Request, session: Session, today: date) -> LoopOutcome:
    """The answer to a request that no data answers."""
    language = session.caller.language
    match request:
        case Request.HELP:
            return _help(session, today)
        case Request.CANCEL:
            return LoopOutcome(AnswerKind.CHAT, message("flow.cancelled", language))
        case Request.CHANGE:
            return LoopOutcome(
                AnswerKind.UNKNOWN, message("flow.read_only", language), reason="readOnly"
            )


def unanswered(question: Question, session: Session, today: date) -> LoopOutcome:
    """The answer to a question that is not understood, with the nearest known ones."""
    language = session.caller.language
    text = message("flow.no_model", language)
    near = _near(QuestionTurn(_readable(question.text), language), session, today)
    offered = near or _all(session, language, today)[:_MOST_EXAMPLES]
    if offered:
        key = "flow.no_model_near" if near else "flow.no_model_examples"
        listed = _numbered(_offer(each, language) for each in offered)
        text = message(key, language, text=text, questions=listed)
    text = message("flow.no_model_setup", language, text=text)
    return LoopOutcome(AnswerKind.UNKNOWN, text, suggested_answers=_asks(offered))


def _offer(offered: Suggestion, language: Language) -> str:
    """The known question, and what it leaves out of the one that was asked."""
    if not offered.left_out:
        return offered.shown
    left = offered.left_out
    return message("flow.leaves_out", language, question=offered.shown, words=left)


def _help(session: Session, today: date) -> LoopOutcome:
    language = session.caller.language
    known = _all(session, language, today)
    listed = _numbered(each.shown for each in known)
    text = (
        message("flow.help", language, questions=listed)
        if known
        else message("flow.help_none", language)
    )
    repertoire = session.feature.repertoire(session.caller)
    if repertoire is not None and (examples := follow_ups(repertoire.patterns.values(), language)):
        text = message("flow.help_goes_on", language, text=text, examples=examples)
    if session.model is not None:
        text = message("flow.help_model", language, text=text)
    return LoopOutcome(AnswerKind.CHAT, text, suggested_answers=_asks(known))


def _state(question: Question, session: Session, index: PatternIndex, today: date) -> State:
    """The state after the earlier questions."""

    def aside(turn: QuestionTurn) -> Offered | Beside | None:
        request = request_of(turn.text)
        if request is Request.HELP:
            return Offered(_asks(_all(session, turn.language, today)))
        if request is not None:
            return Beside.ENDS if request is Request.CANCEL else Beside.KEEPS
        fast = fast_path(turn.text, session.feature.vocabulary, turn.language)
        if fast is None:
            return None
        return Beside.KEEPS if fast.reason in _PASSING else Beside.ENDS

    def offers(turn: QuestionTurn) -> tuple[str, ...]:
        near = _near(turn, session, today)
        return _asks(near or _all(session, turn.language, today)[:_MOST_EXAMPLES])

    listener = _listener(session, index, today)
    turns = (*_earlier(question, session), QuestionTurn(question.text, session.caller.language))
    return state_before_last(turns, listener, aside, None if session.model else offers)


def _listener(session: Session, index: PatternIndex, today: date) -> Listener:
    return Listener(index, today, alone=session.model is None)


def _earlier(question: Question, session: Session) -> tuple[QuestionTurn, ...]:
    languages = _languages(question, session.caller.language)
    return tuple(
        QuestionTurn(_readable(turn.question), language)
        for turn, language in zip(question.thread, languages, strict=False)
    )


def _languages(question: Question, fallback: Language) -> list[Language]:
    """The language of each turn; without a hint, that of the turn before."""
    languages: list[Language] = []
    for text in (*(turn.question for turn in question.thread), question.text):
        languages.append(
            language_of(text[:_LANGUAGE_SAMPLE], languages[-1] if languages else fallback)
        )
    return languages


def _readable(text: str) -> str:
    return text if len(text) <= _LONGEST_KNOWN else _UNREAD


def _all(session: Session, language: Language, today: date) -> tuple[Suggestion, ...]:
    known = session.feature.repertoire(session.caller)
    return all_questions(known, language, today) if known else ()


def _near(turn: QuestionTurn, session: Session, today: date) -> tuple[Suggestion, ...]:
    known = session.feature.repertoire(session.caller)
    return near_questions(turn.text, known, turn.language, today) if known else ()


def _asks(offered: tuple[Suggestion, ...]) -> tuple[str, ...]:
    return tuple(each.ask or each.shown for each in offered)


def _numbered(texts: Iterable[str]) -> str:
    return "\n".join(f"{place}. {text}" for place, text in enumerate(texts, 1))
