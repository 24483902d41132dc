"""The form of an answer: facts, text or rows."""

from enum import StrEnum


class AnswerForm(StrEnum):
    """The form in which a model writes its answer."""

    FACTS = "facts"
    TEXT = "text"
    ROWS = "rows"
    """No words at all: the model only queries, and the host composes the answer from the rows."""
