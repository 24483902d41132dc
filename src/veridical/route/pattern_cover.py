"""Whether a vocabulary explains a question word by word: all of it, or not at all.

A phrase is looked up as it is written or, for words of the business, by its stems. A German
compound is explained by its parts: ``Kassensaldo`` by ``Kasse`` and ``Saldo``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.route.slots import Token, Word, root

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase stands for: a word that must be there, a slot's value, or nothing much."""

    required: frozenset[int] = frozenset()
    """The numbers of the notions among those required."""
    slot: str | None = None
    value: str | None = None


NOTHING_MUCH = Meaning()
_SHORT = 5
_SHORTEST_PART = 3
_MOST_PARTS = 3
_LINKS = ("", "s", "n", "en", "es", "e")


class Spelt(NamedTuple):
    """A phrase of a question as vocabularies look it up."""

    stems: Phrase
    folded: Phrase


@dataclass(frozen=True)
class Vocabulary:
    """What one pattern understands in one language."""

    exact: Mapping[Phrase, Meaning] = field(default_factory=dict[Phrase, Meaning])
    stems: Mapping[Phrase, Meaning] = field(default_factory=dict[Phrase, Meaning])
    longest: int = 1

    def meaning(self, phrase: Spelt) -> Meaning | None:
        """What a phrase stands for."""
        return self.stems.get(phrase.stems) or self.exact.get(phrase.folded)


def phrase_key(words: tuple[Word, ...]) -> Phrase:
    """How a phrase of the business is looked up: by stems.

    Within a phrase a short word keeps its ending: "how much" and "how many" differ in little more
    in German.
    """
    if len(words) == 1:
        return (words[0].stem,)
    return tuple(each.stem if len(each.folded) > _SHORT else each.folded for each in words)


@dataclass(frozen=True)
class Asked:
    """A question's tokens, with the phrases that begin at each: spelt once for all vocabularies."""

    tokens: tuple[Token, ...]
    phrases: tuple[tuple[Spelt, ...], ...]
    """For each token the phrases of one word, of two, and so on."""


def asked(tokens: tuple[Token, ...], longest: int) -> Asked:
    """The tokens, with phrases of at most so many words."""
    return Asked(tokens, tuple(_phrases(tokens, at, longest) for at in range(len(tokens))))


def _phrases(tokens: tuple[Token, ...], at: int, longest: int) -> tuple[Spelt, ...]:
    words: list[Word] = []
    found: list[Spelt] = []
    for token in tokens[at : at + longest]:
        if not isinstance(token, Word):
            break
        words.append(token)
        found.append(Spelt(phrase_key(tuple(words)), tuple(each.folded for each in words)))
    return tuple(found)


Explained = tuple[Meaning | Token, ...]


def explain(question: Asked, vocabulary: Vocabulary) -> Explained | None:
    """The meanings of all words, with the values between them; none when a word has none."""
    dead_ends: set[int] = set()
    return _explain(question, 0, vocabulary, dead_ends)


def _explain(
    question: Asked, at: int, vocabulary: Vocabulary, dead_ends: set[int]
) -> Explained | None:
    if at == len(question.tokens):
        return ()
    if at in dead_ends:
        return None
    for length, meanings in readings(question, at, vocabulary):
        rest = _explain(question, at + length, vocabulary, dead_ends)
        if rest is not None:
            return (*meanings, *rest)
    dead_ends.add(at)
    return None


def readings(question: Asked, at: int, vocabulary: Vocabulary) -> Iterator[tuple[int, Explained]]:
    """What may stand here, the longest phrase first."""
    first = question.tokens[at]
    if not isinstance(first, Word):
        yield 1, (first,)
        return
    phrases = question.phrases[at]
    for length in range(min(len(phrases), vocabulary.longest), 0, -1):
        meaning = vocabulary.meaning(phrases[length - 1])
        if meaning is not None:
            yield length, (meaning,)
    parts = _compound(first.folded, vocabulary, _MOST_PARTS)
    if parts:
        yield 1, parts


def _compound(folded: str, vocabulary: Vocabulary, most: int) -> tuple[Meaning, ...] | None:
    """The meanings of a compound's parts, which are all words of the business."""
    for cut in range(_SHORTEST_PART, len(folded) - _SHORTEST_PART + 1):
        head = _head(folded[:cut], vocabulary)
        if head is None:
            continue
        tail = vocabulary.stems.get((root(folded[cut:]),))
        if tail is not None:
            return head, tail
        if most > 2 and (rest := _compound(folded[cut:], vocabulary, most - 1)):
            return (head, *rest)
    return None


def _head(part: str, vocabulary: Vocabulary) -> Meaning | None:
    """The first part of a compound, which may carry a linking sound."""
    for link in _LINKS:
        if part.endswith(link):
            found = vocabulary.stems.get((root(part[: len(part) - len(link)]),))
            if found is not None:
                return found
    return None
