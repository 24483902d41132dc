"""The sentences of an answer as runs of words."""

from collections.abc import Iterator

from veridical.gate.facts.word import Word, words

_ENDS = frozenset("\n!?。！？")


def sentences(text: str) -> Iterator[tuple[Word, ...]]:
    """Each sentence or line; a full stop ends one only before a capital or the end of a line."""
    running: list[Word] = []
    every = words(text)
    for at, word in enumerate(every):
        following = every[at + 1].text[0] if at + 1 < len(every) else "\n"
        stops = word.text == "." and (following.isupper() or not following.isalnum())
        if word.text in _ENDS or stops:
            if running:
                yield tuple(running)
            running = []
        else:
            running.append(word)
    if running:
        yield tuple(running)
