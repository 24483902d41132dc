"""The words of an answer or of a record, folded so that forms of one word meet."""

from dataclasses import dataclass
from functools import lru_cache

from veridical.contracts.input_budget import keep_time
from veridical.gate.records.word_lists import word_list, word_values
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, fold

_WORD = late_pattern(
    rf"[{HAN}]"
    rf"|[^\W\d_{HAN}]+(?:['’][^\W\d_{HAN}]+)*"
    r"|\d+(?:[.,:]\d+)*"
    r"|[.,;:!?()\n，。；：！？、（）&–—-]"
)
_ENDINGS = word_list("endings")
_SHORTEST_PLURAL_ROOT = 3
_SHORTEST = word_values("shortest_roots")
"""How much of a word must be left; four letters where nothing is said."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, one figure or one mark of punctuation."""

    text: str
    low: str
    root: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """A comma, a bracket, the end of a line."""
        return not self.root


def words(text: str) -> tuple[Word, ...]:
    """Every word of the text in order; a Chinese character is a word of its own."""
    read: list[Word] = []
    for match in _WORD.finditer(text):
        found = match[0]
        read.append(Word(found, found.casefold(), root(found), *match.span()))
        keep_time()
    return tuple(read)


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """The folded word without its ending: ``reservations`` and ``reserve`` are ``reserv``."""
    folded = fold(word)
    if not folded[:1].isalnum():
        return ""
    if not folded[0].isalpha() or len(folded) <= _SHORTEST_PLURAL_ROOT:
        return folded
    for ending in _ENDINGS:
        shortest = _SHORTEST.get(ending, 4)
        if folded.endswith(ending) and len(folded) - len(ending) >= shortest:
            return _single(folded[: -len(ending)])
    return folded


def _single(stemmed: str) -> str:
    """Without the consonant that an ending doubled: ``shipp`` is ``ship``."""
    doubled = len(stemmed) > _SHORTEST_PLURAL_ROOT + 1 and stemmed[-1] == stemmed[-2]
    return stemmed[:-1] if doubled and stemmed[-1] not in "aeiouls" else stemmed


def roots(text: str) -> tuple[str, ...]:
    """The folded words alone, in order."""
    return tuple(word.root for word in words(text) if word.root)
