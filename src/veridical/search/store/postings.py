"""Postings of a batch of chunks: one row for each term and level, with all its chunks."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.search.analysis.analyser import AnalysedText
from veridical.search.store.bm25 import (
    CHUNK_SHIFT,
    DENSE,
    FEWEST,
    MOST_FREQUENCY,
    MOST_LENGTH,
    coded,
    entry,
    level,
)

_WORD = 8
"""Bytes."""


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk under the number that it is stored by, with its terms."""

    id: int
    analysed: AnalysedText

    @property
    def coded_terms(self) -> bytes:
        """Its terms as it is stored with them."""
        return coded(self.analysed.frequencies)


Postings = dict[tuple[str, int], list[int]]
"""By term and level: the entries, in the order of their chunks."""


def postings_of(chunks: Iterable[IndexedChunk], pivot: float) -> Postings:
    """The postings of these chunks; they lie in levels computed with this length."""
    postings: Postings = defaultdict(list)
    for chunk in chunks:
        length = min(chunk.analysed.length, MOST_LENGTH)
        known: dict[int, tuple[int, int]] = {}  # most terms of a chunk share a few frequencies
        for term, counted in chunk.analysed.frequencies.items():
            found = known.get(counted)
            if found is None:
                frequency = min(counted, MOST_FREQUENCY)
                place = level(frequency, length, pivot)
                found = known[counted] = place, entry(chunk.id, frequency, length)
            postings[term, found[0]].append(found[1])
    return postings


def maps_of(postings: Postings) -> dict[str, list[int]]:
    """The maps of the frequent terms: the number of the first chunk, then a bit for each."""
    ends = [entries[at] >> CHUNK_SHIFT for entries in postings.values() for at in (0, -1)]
    base, span = min(ends), max(ends) - min(ends) + 1
    chunks: dict[str, list[int]] = defaultdict(list)
    for (term, _), entries in postings.items():
        chunks[term] += [each >> CHUNK_SHIFT for each in entries]
    return {
        term: [base, *_words([chunk - base for chunk in numbers], span)]
        for term, numbers in chunks.items()
        if len(numbers) >= FEWEST and len(numbers) * DENSE >= span
    }


def _words(places: list[int], span: int) -> list[int]:
    """Bits as signed numbers of 64, the first bit of each the lowest."""
    bits = bytearray(-(-span // (8 * _WORD)) * _WORD)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return [
        int.from_bytes(bits[at : at + _WORD], "little", signed=True)
        for at in range(0, len(bits), _WORD)
    ]
