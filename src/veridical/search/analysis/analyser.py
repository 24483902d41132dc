"""An analyser turns text into counted terms; its version is stored with what it indexed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from veridical.contracts.language import Language

LONGEST_TERM = 64
"""Characters. Longer runs of letters are data in disguise, and never searched for."""


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """The data that the index keeps of a text."""

    frequencies: Mapping[str, int]
    length: int
    """In words: parts of words that are terms too do not make a text longer."""


@dataclass(frozen=True, slots=True)
class Analyser:
    """The terms of one language."""

    language: Language
    version: str
    """Changes whenever the same text gives other terms: an index of another version must be built
    anew."""
    split: Callable[[str], tuple[Iterable[str], int]]
    """The terms of a text, repeated as often as they stand there, and its length."""

    def analyse(self, text: str) -> AnalysedText:
        """The terms of this text with their frequencies."""
        terms, length = self.split(text)
        counted = Counter(terms)
        for term in [term for term in counted if len(term) > LONGEST_TERM]:
            del counted[term]
        return AnalysedText(counted, max(length, 1))
