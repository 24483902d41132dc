"""BM25: the weight of a term in a chunk, and the levels by which postings are kept apart."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b

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
