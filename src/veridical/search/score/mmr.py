"""Maximal marginal relevance: prefers candidates that say something the chosen ones don't.

A candidate's value only falls while others are chosen. So the heap holds upper bounds, and only
those that reach the top are compared with what was chosen since: exact, and most candidates are
never compared at all.
"""

import heapq
from collections.abc import Mapping, Sequence

from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_result import MmrSelected
from veridical.search.score.tokens import overlap, tokens_of_both

_DIGITS = 6


def select_diverse(
    candidates: Sequence[SearchCandidate],
    relevance: Mapping[str, float],
    weight: float,
    limit: int,
) -> tuple[MmrSelected, ...]:
    """The ids in the order of choice: ``weight`` for relevance, the rest against overlap.

    Equals go by id. At weight 1 this is the order of relevance alone.
    """
    by_id = {each.id: each for each in candidates}
    heap = [(-weight * relevance[each], each, 0, 0.0) for each in by_id]
    heapq.heapify(heap)
    words: dict[str, frozenset[str]] = {}
    chosen: list[frozenset[str]] = []
    selected: list[MmrSelected] = []
    while heap and len(selected) < limit:
        bound, name, compared, highest = heapq.heappop(heap)
        own = words.get(name) or words.setdefault(name, _words(by_id[name]))
        next_best, beaten = heap[0] if heap else None, False
        # Compared only as long as no other could be better.
        while compared < len(chosen) and not beaten:
            other = chosen[compared]
            compared += 1
            if highest and _most(len(own), len(other)) <= highest:
                continue  # sets of such different sizes can't overlap more
            if (shared := overlap(own, other)) > highest:
                highest = shared
                bound = (1 - weight) * highest - weight * relevance[name]
                beaten = next_best is not None and next_best < (bound, name)
        if beaten:
            heapq.heappush(heap, (bound, name, compared, highest))
            continue
        chosen.append(own)
        selected.append(MmrSelected.trusted({"id": name, "max_overlap": round(highest, _DIGITS)}))
    return tuple(selected)


def _most(one: int, other: int) -> float:
    return one / other if one < other else other / (one or 1)


def _words(candidate: SearchCandidate) -> frozenset[str]:
    return tokens_of_both(candidate.title, candidate.snippet)
