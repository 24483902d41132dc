"""A requirement as the rules read it: its tokens, their phrases and its form, worked out once."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from veridical.requirements.clauses import main_clause
from veridical.requirements.form import Form, form_of
from veridical.requirements.language import language_of
from veridical.requirements.lexicon import Hit, Lexicon, lexicon
from veridical.requirements.quantity import Quantity, number_words, quantities
from veridical.requirements.token import Token, tokenise

_ENDS = frozenset(".!?;")
_QUOTES = frozenset('"„“”«»')


@dataclass(frozen=True)
class Tokens:
    """One requirement, read."""

    text: str
    language: str
    all: tuple[Token, ...]
    words: Lexicon
    hits: dict[str, list[Hit]]

    @cached_property
    def lows(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(token.low for token in self.all)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.lows)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers with their units."""
        written = any(token.text[0].isdecimal() for token in self.all)
        if not written and self.vocabulary.isdisjoint(number_words(self.language)):
            return ()
        return tuple(quantities(self.all, self.language, self.words.sets["per"]))

    @cached_property
    def sentences(self) -> tuple[range, ...]:
        """The places of each sentence's tokens."""
        return tuple(_sentences(self.all))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(each.start for each in self.sentences)

    @cached_property
    def main(self) -> frozenset[int]:
        """The places in main clauses: where the required action stands."""
        return main_clause(self.all, self.sentences, self.words.sets, self.language)

    @cached_property
    def names(self) -> frozenset[int]:
        """The places in names, quotations and fixed terms, which no rule takes by their words."""
        return frozenset(_names(self))

    @cached_property
    def quoted(self) -> frozenset[int]:
        """The places between quotation marks."""
        return frozenset(_quoted(self.all))

    @cached_property
    def form(self) -> Form:
        """In which form the requirement is written."""
        return form_of(self.lows, self.hits)

    def low(self, place: int) -> str:
        """The token at a place in lower case; nothing outside the text."""
        return self.lows[place] if 0 <= place < len(self.lows) else ""

    def has(self, rule: str) -> bool:
        """True if a phrase of this list stands in the requirement."""
        return rule in self.hits

    def has_any(self, name: str) -> bool:
        """True if a word of the set of this name stands anywhere."""
        return not self.vocabulary.isdisjoint(self.words.sets[name])

    def at(self, name: str, places: Sequence[int] | range) -> Iterator[int]:
        """The places among these whose word is in the set of this name."""
        known = self.words.sets[name]
        return (place for place in places if self.lows[place] in known)

    def is_in(self, name: str, place: int) -> bool:
        """True if the word at a place is in the set of this name."""
        return self.low(place) in self.words.sets[name]

    def is_defined(self, place: int) -> bool:
        """True if a modal is written in capitals among small letters: a key word whose force the
        document defines, as RFC 2119 and its like do."""
        return self.all[place].text.isupper() and not self.text.isupper()

    def sentence_of(self, place: int) -> range:
        """The sentence that a place is in."""
        return self.sentences[bisect_right(self._starts, place) - 1]

    def is_noun(self, place: int) -> bool:
        """In German: whether the token is written as a noun within its sentence."""
        if not 0 <= place < len(self.all) or not self.all[place].text[0].isupper():
            return False
        first = self.sentence_of(place).start == place
        return not first or self.lows[place] not in self.words.sets["openers"]


def read(text: str, language: str | None = None) -> Tokens:
    """Reads a requirement; in the language that it is in, unless it is known."""
    tokens = tokenise(text)
    known = language or language_of(tokens)
    words = lexicon(known)
    return Tokens(text, known, tokens, words, words.hits(tokens))


def _names(tokens: Tokens) -> Iterator[int]:
    for hit in tokens.hits.get("TERM", ()):
        yield from range(hit.first, hit.end)
    yield from tokens.quoted
    if tokens.language == "en":  # German writes every noun with a capital
        starts = {sentence.start for sentence in tokens.sentences}
        for place, token in enumerate(tokens.all):
            if place not in starts and token.text.istitle() and len(token.text) > 2:
                yield place


def _quoted(tokens: Sequence[Token]) -> Iterator[int]:
    opened: int | None = None
    for place, token in enumerate(tokens):
        if token.text in _QUOTES:
            if opened is None:
                opened = place
            else:
                yield from range(opened, place)
                opened = None


def _sentences(tokens: Sequence[Token]) -> Iterator[range]:
    begun = 0
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.text in _ENDS and (following is None or _begins(token, following)):
            yield range(begun, place + 1)
            begun = place + 1
    if begun < len(tokens):
        yield range(begun, len(tokens))


def _begins(mark: Token, following: Token) -> bool:
    """True if a sentence begins behind this mark: an abbreviation is followed by a small letter."""
    return following.start > mark.end and not following.text[0].islower()
