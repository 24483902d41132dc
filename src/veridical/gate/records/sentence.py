"""The sentences of an answer as runs of words, and which of them state anything."""

from collections.abc import Iterator

from veridical.gate.records.word import Word, words
from veridical.gate.records.word_lists import word_set

_ENDS = frozenset("\n!?。！？")
_SHORT = 2
"""``p.m. Friday``, ``No. 5``: letters before a full stop that ends no sentence."""
_QUESTIONS = frozenset("?？")
_SPEAKER = word_set("speaker")
_ASKING = word_set("asking")


def sentences(text: str) -> Iterator[tuple[Word, ...]]:
    """Each sentence or line; a full stop ends one only before a capital or the end of a line."""
    running: list[Word] = []
    every = words(text)
    for at, word in enumerate(every):
        following = every[at + 1].text[0] if at + 1 < len(every) else "\n"
        if word.text in _ENDS or (word.text == "." and _is_stop(every, at, following)):
            if running:
                yield tuple(running)
            running = []
        else:
            running.append(word)
    if running:
        yield tuple(running)


def _is_stop(every: tuple[Word, ...], at: int, following: str) -> bool:
    short = at > 0 and len(every[at - 1].text) <= _SHORT and every[at - 1].text.isalpha()
    return (following.isupper() or not following.isalnum()) and (not short or following == "\n")


def is_statement(sentence: tuple[Word, ...], text: str) -> bool:
    """False for questions, requests, and what the speaker says of itself."""
    if text[sentence[-1].end : sentence[-1].end + 1] in _QUESTIONS:
        return False
    return not any(word.low in _SPEAKER or word.low in _ASKING for word in sentence)


def asks_back(text: str) -> bool:
    """Whether the answer ends with a question: what it lists before is a proposal."""
    return text.rstrip(" \n*\"'”）)").endswith(("?", "？"))
