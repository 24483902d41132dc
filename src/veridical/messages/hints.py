"""Hints: messages of at most 80 characters, whatever names are filled in."""

import re
from collections.abc import Callable, Mapping

from veridical.messages import message

HINT_LENGTH = 80
_SHORTEST_NAME = 6
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def hint(key: str, language: str, **values: object) -> str:
    """The message ``stage.name``; names that are too long for it lose their middle."""
    return fitted(lambda texts: message(key, language, **texts), values)


def fitted(write: Callable[[dict[str, str]], str], values: Mapping[str, object]) -> str:
    """What is written with these values, each as short as it takes to fit a hint."""
    texts = {name: str(value) for name, value in values.items()}
    written = write(texts)
    room = min(max(map(len, texts.values()), default=0), HINT_LENGTH)
    while len(written) > HINT_LENGTH and room > _SHORTEST_NAME:
        room -= 1
        written = write({name: shortened(text, room) for name, text in texts.items()})
    return written


def shortened(name: str, length: int) -> str:
    """The name with its beginning and its end, which tell it apart from others."""
    if len(name) <= length:
        return name
    kept = length - 1
    head = (kept + 1) // 2
    return f"{name[:head]}…{name[len(name) - (kept - head) :]}"


def leading_sentences(text: str) -> str:
    """As many whole sentences of an owner's text as fit a hint; none when the first does not."""
    if len(text) <= HINT_LENGTH:
        return text
    kept = ""
    for sentence in _SENTENCE.split(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > HINT_LENGTH:
            break
        kept = longer
    return kept
