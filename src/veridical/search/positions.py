"""Where the passages of a document stand: a passage that stays as it is keeps its number.

Approvals and citations name a passage by its document and this number, so a change elsewhere in
the document must not give it another one.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from veridical.search.chunk import Chunk


def kept_positions(stored: Mapping[int, Chunk], chunks: Sequence[Chunk]) -> list[int]:
    """The position of each chunk: the one that the same chunk is stored at, else one behind all
    that are taken."""
    known: dict[Chunk, deque[int]] = defaultdict(deque)
    for position, chunk in sorted(stored.items(), key=lambda each: each[0]):
        known[chunk].append(position)
    free = max(stored, default=-1) + 1
    positions: list[int] = []
    for chunk in chunks:
        if known[chunk]:
            positions.append(known[chunk].popleft())
        else:
            positions.append(free)
            free += 1
    return positions
