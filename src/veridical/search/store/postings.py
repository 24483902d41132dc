"""Postings of a batch of chunks: one row for each term and level, with all its chunks."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.search.analysis.analyser import AnalysedText
from veridical.search.store.bm25 import MOST_FREQUENCY, MOST_LENGTH, coded, entry, level


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk under the number that it is stored by, with its terms."""

    id: int
    analysed: AnalysedText

    @property
    def coded_terms(self) -> list[int]:
        """Its terms as it is stored with them."""
        return [coded(term, count) for term, count in self.analysed.frequencies.items()]


Postings = dict[tuple[str, int], list[int]]
"""By term and level: the entries, in the order of their chunks."""


def postings_of(chunks: Iterable[IndexedChunk], pivot: float) -> Postings:
    """The postings of these chunks; they lie in levels computed with this length."""
    postings: Postings = defaultdict(list)
    for chunk in chunks:
        length = min(chunk.analysed.length, MOST_LENGTH)
        for term, counted in chunk.analysed.frequencies.items():
            frequency = min(counted, MOST_FREQUENCY)
            place = level(frequency, length, pivot)
            postings[term, place].append(entry(chunk.id, frequency, length))
    return postings
