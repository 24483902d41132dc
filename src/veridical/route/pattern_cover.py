"""Explains a question by a vocabulary word by word: completely or not at all.

A phrase is looked up as it is written or, for words of the business, by its stems. A German
compound is explained by its parts: ``Kassensaldo`` by ``Kasse`` and ``Saldo``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.route.slots import Token, Word, root

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a phrase: a required word, a slot's value, or nothing."""

    required: frozenset[int] = frozenset()
    """The numbers of the notions among those required."""
    slot: str | None = None
    value: str | None = None
    wording: str = ""
    """The phrase itself, if it names a slot's value, in the ontology's spelling."""


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
    """The phrases of one pattern in one language."""

    exact: Mapping[Phrase, Meaning] = field(default_factory=dict[Phrase, Meaning])
    stems: Mapping[Phrase, Meaning] = field(default_factory=dict[Phrase, Meaning])
    longest: int = 1

    def meaning(self, phrase: Spelt) -> Meaning | None:
        """The meaning of a phrase; None if it is unknown."""
        return self.stems.get(phrase.stems) or self.exact.get(phrase.folded)


def phrase_key(words: tuple[Word, ...]) -> Phrase:
    """The lookup key of a business phrase: its stems.

    Within a phrase a short word keeps its ending: "how much" and "how many" differ in little more
    in German.
    """
    if len(words) == 1:
        return (words[0].stem,)
    return tuple(each.stem if len(each.folded) > _SHORT else each.folded for each in words)


@dataclass(frozen=True)
class QuestionPhrases:
    """A question's tokens, with the phrases that start at each, spelt once for all vocabularies."""

    tokens: tuple[Token, ...]
    phrases: tuple[tuple[Spelt, ...], ...]
    """For each token the phrases of one word, of two, and so on."""


def question_phrases(tokens: tuple[Token, ...], longest: int) -> QuestionPhrases:
    """The tokens, with phrases of at most so many words."""
    return QuestionPhrases(
        tokens, tuple(_phrases(tokens, at, longest) for at in range(len(tokens)))
    )


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


def explain(question: QuestionPhrases, vocabulary: Vocabulary) -> Explained | None:
    """The meanings of all words, with the values between them; None if a word has none."""
    dead_ends: set[int] = set()
    return _explain(question, 0, vocabulary, dead_ends)


def _explain(
    question: QuestionPhrases, at: int, vocabulary: Vocabulary, dead_ends: set[int]
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


def readings(
    question: QuestionPhrases, at: int, vocabulary: Vocabulary
) -> Iterator[tuple[int, Explained]]:
    """The possible meanings of the words from here on, the longest phrase first."""
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


@dataclass(frozen=True)
class Vocabularies:
    """Several vocabularies in one, so that most of them can be left out at once.

    The vocabularies that know a phrase are a number with one bit each, and so are the required
    words that a phrase covers.
    """

    stems: Mapping[Phrase, int]
    exact: Mapping[Phrase, int]
    says: Mapping[Phrase, int]
    needs: tuple[int, ...]
    """The required words of each vocabulary."""
    parts: Vocabulary
    """All phrases of all vocabularies, for compounds."""

    def able(self, question: QuestionPhrases) -> list[int]:
        """The indexes of the vocabularies that may explain the question; no other one does."""
        reached = [0] * (len(question.tokens) + 1)
        reached[0] = (1 << len(self.needs)) - 1
        covered = 0
        for at, token in enumerate(question.tokens):
            here = reached[at]
            for length, phrase in enumerate(question.phrases[at], 1):
                knowing = self.stems.get(phrase.stems, 0) | self.exact.get(phrase.folded, 0)
                if knowing:
                    reached[at + length] |= here & knowing
                    covered |= self.says.get(phrase.stems, 0)
            if not isinstance(token, Word):
                reached[at + 1] |= here
            elif _compound(token.folded, self.parts, _MOST_PARTS):
                reached[at + 1] |= here
                covered = -1  # whatever its parts may say
        through = reached[-1]
        return [
            place
            for place, needed in enumerate(self.needs)
            if through >> place & 1 and not needed & ~covered
        ]


def together(vocabularies: Sequence[Vocabulary]) -> Vocabularies:
    """These vocabularies in one."""
    stems: dict[Phrase, int] = {}
    exact: dict[Phrase, int] = {}
    says: dict[Phrase, int] = {}
    needs: list[int] = []
    used = 0
    for place, each in enumerate(vocabularies):
        for bits_of, phrases in ((stems, each.stems), (exact, each.exact)):
            for phrase in phrases:
                bits_of[phrase] = bits_of.get(phrase, 0) | 1 << place
        bits = 0
        for phrase, meaning in each.stems.items():
            for number in meaning.required:
                says[phrase] = says.get(phrase, 0) | 1 << used + number
                bits = max(bits, number + 1)
        needs.append((1 << bits) - 1 << used)
        used += bits
    parts = Vocabulary(stems=dict.fromkeys(stems, NOTHING_MUCH))
    return Vocabularies(stems, exact, says, tuple(needs), parts)


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
