"""The fast path: requests that need neither data nor tools, recognised by their words.
A false fast route is the worse error: a request goes this way only when every word of it is
explained, and any sign of a question about data closes it. A prefix stands in for the form of a
request; it does not lift a veto."""

import re
from dataclasses import dataclass
from enum import StrEnum

from veridical.arithmetic import Calculation
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.messages import message
from veridical.ontology.terms import fold
from veridical.reading.punctuation import CORNERS, marks
from veridical.route.forms import (
    FUN_CUES,
    LITERAL_CUES,
    PLACES,
    Form,
    form_of,
    is_for_fun,
    literal_form_of,
)
from veridical.route.request_text import RequestText, request_text, words_of
from veridical.route.request_words import MOST_STRANGERS, REQUEST_WORDS, ChatKind, HanKind
from veridical.route.sums import may_be_sum, plain_sum
from veridical.route.vocabulary import Vocabulary
from veridical.word_file import word_file

_LONGEST = 300
_TALK = word_file("veridical.route")["talk"]
_PREFIX = late_pattern(_TALK["prefix"], re.IGNORECASE)
_CLAUSES = late_pattern(_TALK["clauses"])

_AGE = frozenset(_TALK["age"].split())
"""Words of requests for an age, which may name a number; any other number is a sign of data."""


class Reason(StrEnum):
    """The reason why a request needs neither data nor tools."""

    PREFIX = "prefix"
    """prefix of the user"""
    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    IDENTITY = "identity"
    SMALL_TALK = "smallTalk"
    ARITHMETIC = "arithmetic"
    """computed here, exactly"""
    CHAT = "chat"
    """a joke, a curious fact"""
    KNOWLEDGE = "knowledge"
    TRANSLATION = "translation"


_MESSAGES = {
    Reason.GREETING: "greeting",
    Reason.THANKS: "thanks",
    Reason.FAREWELL: "farewell",
    Reason.IDENTITY: "identity",
    Reason.SMALL_TALK: "small_talk",
}


@dataclass(frozen=True, slots=True)
class FastRoute:
    """A request that is answered directly."""

    reason: Reason
    request: str
    """The request without its prefix."""
    answer: str
    """The complete answer or, where a model may answer, the text used without a model."""

    @property
    def wants_model(self) -> bool:
        """True if a model may answer in its own words; it gets no data and no tools."""
        return self.reason is not Reason.ARITHMETIC and self.reason not in _MESSAGES


def fast_path(text: str, vocabulary: Vocabulary, language: Language) -> FastRoute | None:
    """The direct answer to a request that needs no data; None for all others."""
    if len(text) > _LONGEST:
        return None
    prefix = _PREFIX.match(text)
    request = request_text((text[prefix.end() :] if prefix else text).strip())
    done = plain_sum(request.request, language) if may_be_sum(request) else None
    if done:
        return _computed(request.request, *done, language)
    reason = _reason(request, vocabulary, language, prefix is not None)
    if reason is None:
        return None
    answer = message(f"route.{_MESSAGES.get(reason, 'no_model')}", language)
    return FastRoute(reason, request.request, answer)


def _computed(request: str, expression: str, done: Calculation, language: Language) -> FastRoute:
    shown = " ".join(expression.replace("*", " × ").replace("/", " ÷ ").split())
    key = "exactly" if done.exact else "nearly"
    result = done.text.rstrip("0").rstrip(".") if "." in done.text else done.text
    answer = message(f"route.{key}", language, expression=shown, result=result)
    return FastRoute(Reason.ARITHMETIC, request, answer)


def _reason(
    request: RequestText, vocabulary: Vocabulary, language: Language, prefixed: bool
) -> Reason | None:
    kind = _han_kind(request) if request.is_chinese else _kind(request)
    if kind:
        about = kind.content(request.word_set)
        return None if vocabulary.speaks(about, language) else Reason(kind.reason)
    if is_surely_vetoed(request) or vocabulary.speaks(
        request.word_set - REQUEST_WORDS.fillers, language
    ):
        return None
    return _form(request, language, prefixed)


def _form(request: RequestText, language: Language, prefixed: bool) -> Reason | None:
    form = literal_form_of(request) or (Form.CHAT if is_for_fun(request) else None)
    if form is None and is_vetoed(request, language):
        return None
    if prefixed:
        return Reason.PREFIX
    form = form or form_of(request)
    return Reason(form) if form else None


def _han_kind(request: RequestText) -> HanKind | None:
    text = request.squeezed
    return next((kind for kind in REQUEST_WORDS.han_kinds if kind.fits(text)), None)


def _kind(request: RequestText) -> ChatKind | None:
    strangers = request.word_set - REQUEST_WORDS.kind_words
    if len(strangers) > MOST_STRANGERS or not REQUEST_WORDS.veto.isdisjoint(strangers):
        return None
    is_question = request.request.endswith(tuple(marks("?")))
    for kind in REQUEST_WORDS.kinds:
        if kind.fits(request.word_set, request.text, is_question) or _surely_fits(kind, request):
            return kind
    return None


def _surely_fits(kind: ChatKind, request: RequestText) -> bool:
    if not kind.surely_fits(request.word_set, request.text):
        return False
    strangers = request.word_set - kind.words
    return (
        REQUEST_WORDS.veto.isdisjoint(strangers)
        and all(word.isascii() for word in strangers)
        and (all(word.isalpha() for word in strangers) or not _AGE.isdisjoint(request.word_set))
        and _is_one_matter(kind, request.request)
    )


def _is_one_matter(kind: ChatKind, request: str) -> bool:
    """True when no clause beside the one that gives the kind away has words of its own."""
    clauses = [words_of(clause) for clause in _CLAUSES.split(request)]
    return all(
        kind.words.issuperset(words) or kind.is_sure(frozenset(words), " ".join(words))
        for words in clauses
    )


_QUOTED = late_pattern(
    r"\"[^\"]*\"?|“[^”]*”?|„[^“”]*[“”]?|«[^»]*»?"
    rf"|{CORNERS[0]}[^{CORNERS[1]}]*{CORNERS[1]}?"
    r"|(?<!\w)'[^']*'(?!\w)|(?<!\w)‘[^’]*’(?!\w)"
)
_DIGIT = late_pattern(r"\d")
_DATA_SIGN = late_pattern(r"\b[Ww]e['’]|[_@#$€£¥%<>{}\[\]|\\]|\w\.\w|(?<=[a-z])[A-Z]")
_NAME = late_pattern(r"(?<=[a-z,] )[A-Z][a-z]+")
_CAPITAL_OF = late_pattern(r"\bcapital of\b")


def is_surely_vetoed(request: RequestText) -> bool:
    """True for a word of data that no quotation mark, no "how do you say" and no joke excuses."""
    return (
        not REQUEST_WORDS.veto.isdisjoint(request.word_set)
        and LITERAL_CUES.isdisjoint(request.word_set)
        and FUN_CUES.isdisjoint(request.word_set)
        and not _QUOTED.search(request.request)
    )


def is_vetoed(request: RequestText, language: Language) -> bool:
    """True for any sign of data, of an action, of the speaker's own affairs.

    Of a quoted text only the digits count, which may be a code.
    """
    if _DIGIT.search(request.request):
        return True
    unquoted = _QUOTED.sub(" ", request.request)
    if _DATA_SIGN.search(unquoted) or (language is Language.EN and _names_someone(unquoted)):
        return True
    words = request.words if unquoted == request.request else words_of(unquoted)
    return (
        not REQUEST_WORDS.veto.isdisjoint(words)
        or REQUEST_WORDS.han_veto.search("".join(words)) is not None
    )


def _names_someone(text: str) -> bool:
    """In English a capital within a sentence is a name, and a name may be one of a customer."""
    return not _CAPITAL_OF.search(text) and any(
        fold(name) not in PLACES for name in _NAME.findall(text)
    )
