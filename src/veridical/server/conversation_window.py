"""Limits how much of a conversation is read: the most recent turns that fit."""

from veridical.contracts.question import Question, Turn

MOST_CHARACTERS = 16_000
"""Of all earlier turns together. Each is read word by word, so this is also a limit of time."""


def recent_turns(question: Question) -> Question:
    """The question with those of its earlier turns that were last; one of them at least."""
    kept: list[Turn] = []
    left = MOST_CHARACTERS
    for turn in reversed(question.thread):
        left -= len(turn.question) + len(turn.answer)
        if kept and left < 0:
            break
        kept.append(turn)
    if len(kept) == len(question.thread):
        return question
    return question.model_copy(update={"thread": tuple(reversed(kept))})
