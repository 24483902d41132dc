"""Where a sentence mentions an attribute of the record."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.gate.records.attribute import Attribute
from veridical.gate.records.word import Word, root
from veridical.gate.records.word_lists import word_list


@dataclass(frozen=True, slots=True)
class Mention:
    """An attribute in a sentence, from one word to another."""

    attribute: Attribute
    first: int
    last: int
    inverted: bool = False
    """Named by its opposite: *unpaid*, *inaktiv*."""


PhraseIndex = dict[str, tuple[tuple[tuple[str, ...], Attribute], ...]]


def phrase_index(attributes: tuple[Attribute, ...]) -> PhraseIndex:
    """Every phrase of every attribute by its first word, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], Attribute]]] = {}
    for attribute in attributes:
        for one in (attribute, *attribute.members):
            for phrase in filter(None, one.phrases):
                found.setdefault(phrase[0], []).append((phrase, one))
    return {
        first: tuple(sorted(pairs, key=lambda pair: -len(pair[0])))
        for first, pairs in found.items()
    }


def mentions(sentence: tuple[Word, ...], index: PhraseIndex) -> Iterator[Mention]:
    """Each attribute that the sentence names; a longer name hides the shorter ones within it."""
    spoken = [(at, word.root) for at, word in enumerate(sentence) if word.text not in "-–"]
    place = 0
    while place < len(spoken):
        at, root = spoken[place]
        length = 1
        opposite = _opposite(sentence[at], index)
        if opposite is not None:
            yield Mention(opposite, at, at, inverted=True)
        for phrase, attribute in index.get(root, ()):
            window = spoken[place : place + len(phrase)]
            if tuple(each for _, each in window) == phrase:
                yield Mention(attribute, at, window[-1][0])
                length = max(length, len(phrase))
                break
        place += length


def _opposite(word: Word, index: PhraseIndex) -> Attribute | None:
    """The attribute that a word with *un-* or *in-* denies."""
    if word.root in index or not word.low.startswith(_DENYING):
        return None
    bare = root(word.low[2:])
    return next((one for phrase, one in index.get(bare, ()) if phrase == (bare,)), None)


_DENYING = word_list("denying_beginnings")
