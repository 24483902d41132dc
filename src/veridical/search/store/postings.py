"""Postings: BM25's weight of a term in a chunk, and how many of them are stored at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from veridical.search.analysis.analyser import AnalysedText

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


K1 = 1.5
B = 0.75
LEVELS = 16
"""Postings of a term are stored by how much the term says about the chunk, so that a query reads
the few that matter of a frequent term and leaves the many that don't."""
MAP_LEVEL = -1
"""Where the map of a frequent term lies: which chunks of the segment have it, one bit for each."""
DENSE, FEWEST = 128, 64
"""A term has a map where at least one chunk in 128 has it, and not only a handful."""
MOST_FREQUENCY = 255
MOST_LENGTH = 65_535
_FREQUENCY_BITS, _LENGTH_BITS = 8, 16
CHUNK_SHIFT = _FREQUENCY_BITS + _LENGTH_BITS
CODE_BYTES = 5
_BYTE = [bytes((each,)) for each in range(MOST_FREQUENCY + 1)]


def level(frequency: int, length: int, pivot: float) -> int:
    """The level of a posting: the part of the greatest possible weight that it lies in."""
    norm = K1 * (1 - B + B * length / pivot)
    return min(int(LEVELS * frequency / (frequency + norm)), LEVELS - 1)


def entry(chunk: int, frequency: int, length: int) -> int:
    """A posting as one number: chunk, frequency, length of the chunk."""
    counted = min(frequency, MOST_FREQUENCY) << _LENGTH_BITS
    return chunk << CHUNK_SHIFT | counted | min(length, MOST_LENGTH)


@lru_cache(maxsize=200_000)
def term_code(term: str) -> bytes:
    """A code for a term: 40 bits, so that two terms of one chunk practically never share one."""
    return blake2b(term.encode(), digest_size=CODE_BYTES).digest()


def coded(frequencies: Mapping[str, int]) -> bytes:
    """The terms of a chunk in one value, each as its code and its frequency.

    The server finds a code in it as it finds any bytes: that another one lies across two
    terms is as unlikely as that two terms share one.
    """
    return b"".join(
        term_code(term) + _BYTE[min(frequency, MOST_FREQUENCY)]
        for term, frequency in frequencies.items()
    )
