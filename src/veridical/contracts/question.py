"""What a user asks, with what was said before."""

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


class Turn(Wire):
    """One earlier exchange of the same conversation."""

    question: str
    answer: str


class Question(Wire):
    """One request. Without a language it is told from the text."""

    text: str
    feature: str = ""
    language: Language | None = None
    thread: tuple[Turn, ...] = ()
