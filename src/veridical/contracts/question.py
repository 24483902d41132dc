"""A user's question, with the conversation before it."""

from unicodedata import category

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing."""
_UNSEEN = frozenset("ZCM")
"""Separators, control and format characters, and marks without a letter to stand on."""


def is_blank(text: str) -> bool:
    """True if a text has no visible character: spaces, zero-width characters, and so on."""
    return all(category(each)[0] in _UNSEEN or each in _BLANK for each in text)


class Turn(Wire):
    """One earlier exchange of the same conversation."""

    question: str
    answer: str


MOST_TURNS = 20
"""Older turns are forgotten."""


def with_turn(thread: tuple[Turn, ...], question: str, answer: str) -> tuple[Turn, ...]:
    """The conversation after one more exchange."""
    return (*thread, Turn(question=question, answer=answer))[-MOST_TURNS:]


class Question(Wire):
    """One request. Without a language it is detected from the text."""

    text: str
    feature: str = ""
    language: Language | None = None
    thread: tuple[Turn, ...] = ()
