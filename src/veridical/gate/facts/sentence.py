"""The sentences of an answer as runs of words."""

from collections.abc import Iterator

from veridical.gate.facts.word import Word, words

_SHORT = 2
"""``p.m. Friday``, ``No. 5``: letters before a full stop that ends no sentence."""
_ENDS = frozenset("\n!?。！？")


def sentences(text: str) -> Iterator[tuple[Word, ...]]:
    """Each sentence or line; a full stop ends one only before a capital or the end of a line."""
    running: list[Word] = []
    every = words(text)
    for at, word in enumerate(every):
        following = every[at + 1].text[0] if at + 1 < len(every) else "\n"
        short = at > 0 and len(every[at - 1].text) <= _SHORT and every[at - 1].text.isalpha()
        stops = word.text == "." and (following.isupper() or not following.isalnum())
        stops = stops and not (short and following != "\n")
        if word.text in _ENDS or stops:
            if running:
                yield tuple(running)
            running = []
        else:
            running.append(word)
    if running:
        yield tuple(running)
