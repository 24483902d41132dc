"""BM25: the weight of a term in a chunk, and the levels by which postings are kept apart."""

from functools import lru_cache
from hashlib import blake2b

K1 = 1.5
B = 0.75
LEVELS = 8
"""Postings of a term are stored by how much the term says about the chunk, so that a query reads
the few that matter of a frequent term and leaves the many that don't."""
MOST_FREQUENCY = 255
MOST_LENGTH = 65_535
_FREQUENCY_BITS, _LENGTH_BITS = 8, 16
CODE_SHIFT = _FREQUENCY_BITS
CHUNK_SHIFT = _FREQUENCY_BITS + _LENGTH_BITS
_CODE_BYTES = 5


def level(frequency: int, length: int, pivot: float) -> int:
    """The level of a posting: the eighth of the greatest possible weight that it lies in."""
    norm = K1 * (1 - B + B * length / pivot)
    return min(int(LEVELS * frequency / (frequency + norm)), LEVELS - 1)


def entry(chunk: int, frequency: int, length: int) -> int:
    """A posting as one number: chunk, frequency, length of the chunk."""
    counted = min(frequency, MOST_FREQUENCY) << _LENGTH_BITS
    return chunk << CHUNK_SHIFT | counted | min(length, MOST_LENGTH)


@lru_cache(maxsize=200_000)
def term_code(term: str) -> int:
    """A number for a term: 40 bits, so that two terms of one chunk practically never share one."""
    return int.from_bytes(blake2b(term.encode(), digest_size=_CODE_BYTES).digest())


def coded(term: str, frequency: int) -> int:
    """A term of a chunk as one number: its code and its frequency."""
    return term_code(term) << CODE_SHIFT | min(frequency, MOST_FREQUENCY)
