"""The words of a business: a request with one of them may need data.

Compiled once from an ontology, in all languages at once, because people mix them: names, synonyms,
fields, sample values and what they are described with, the keywords of purposes, metrics.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from veridical.contracts.language import Language, Text
from veridical.late_pattern import late_pattern
from veridical.ontology.model import Entity, Field, OntologyDescriptor
from veridical.ontology.terms import han_pairs, parts, split_name, stem, terms
from veridical.reading.punctuation import marks
from veridical.route.request_text import words_of
from veridical.route.request_words import REQUEST_WORDS

_HEAD = late_pattern(rf"[^{marks(':;,.(')}]*")
_SHORTEST = 4
_ENDINGS = ("", "s", "es", "n", "en")
_SHORTEST_COMPOUND = 8


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Stems of words, and pairs of characters where words have no spaces."""

    stems: frozenset[str] = frozenset()
    short_words: frozenset[str] = frozenset()
    """Whole words whose stem is too short to tell them: a rate is no rat, a tax no taxi."""
    pairs: frozenset[str] = frozenset()

    def speaks(self, words: Iterable[str], language: Language) -> bool:
        """True when one of these folded words, or a part of one, belongs to the business."""
        compounds = language is Language.DE
        return any(self._knows(word, compounds) for word in words)

    def _knows(self, word: str, compounds: bool) -> bool:
        if not word.isascii():
            return any(pair in self.pairs for pair in han_pairs(word))
        short = stem(word)
        if len(short) < _SHORTEST:
            return any(word.removesuffix(ending) in self.short_words for ending in _ENDINGS)
        if short in self.stems or word in self.stems:
            return True
        if not compounds or len(short) < _SHORTEST_COMPOUND:
            return False
        return any(part in self.stems for part in parts(short))


def compile_vocabulary(ontology: OntologyDescriptor) -> Vocabulary:
    """The vocabulary of an ontology."""
    stems: set[str] = set()
    pairs: set[str] = set()
    for text in _texts(ontology):
        for term in terms(text):
            (stems if term.isascii() else pairs).add(term)
    words = {word for text in _texts(ontology) for word in words_of(split_name(text))}
    common = REQUEST_WORDS.common_stems
    return Vocabulary(
        frozenset(each for each in stems - common if len(each) >= _SHORTEST and each.isalpha()),
        frozenset(each for each in words - common if each.isalpha() and len(stem(each)) == 3),
        frozenset(each for each in pairs - REQUEST_WORDS.common_pairs if len(each) > 1),
    )


def _texts(ontology: OntologyDescriptor) -> Iterator[str]:
    for entity in ontology.entities:
        yield from _entity_texts(entity)
    for purpose in ontology.purposes:
        yield purpose.name
        for keywords in purpose.keywords.values():
            yield from keywords
    for metric in ontology.metrics:
        yield metric.name
        yield metric.label or ""


def _entity_texts(entity: Entity) -> Iterator[str]:
    yield entity.name
    yield from entity.synonyms
    yield from _heads(entity.description)
    for field in entity.fields:
        yield from _field_texts(field)


def _field_texts(field: Field) -> Iterator[str]:
    yield field.name
    yield from field.synonyms
    yield from (value for value in field.sample_values if isinstance(value, str))


def _heads(text: Text) -> Iterator[str]:
    """The start of a description; the part after a comma or a colon explains it."""
    for each in (text,) if isinstance(text, str) else text.values():
        yield _HEAD.match(each)[0]  # pyright: ignore[reportOptionalSubscript]
