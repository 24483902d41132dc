"""Diversity of the selection: a minimum of kinds of source, as far as there are so many."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_result import MmrSelected
from veridical.search.score.tokens import overlap, tokens_of_both


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected candidates, in the order of the ranking."""

    ids: tuple[str, ...]
    promoted: tuple[str, ...]
    """Those that are in for the sake of their kind alone."""
    buckets: tuple[str, ...]
    """The kinds, each once, in their order."""


def select_top(
    ranked: Sequence[str], buckets: Mapping[str, str], size: int, least: int
) -> Selection:
    """The first so many, where the last hits of kinds that have several make room for the best of
    kinds that would be missing."""
    chosen = list(ranked[:size])
    promoted: list[str] = []
    missing = _first_of_each(ranked[size:], buckets, {buckets[each] for each in chosen})
    for candidate in missing:
        kinds = [buckets[each] for each in chosen]
        spare = next((each for each in reversed(chosen) if kinds.count(buckets[each]) > 1), None)
        if len(set(kinds)) >= least or spare is None:
            break
        chosen.remove(spare)
        chosen.append(candidate)
        promoted.append(candidate)
    order = {name: place for place, name in enumerate(ranked)}
    ids = tuple(sorted(chosen, key=order.__getitem__))
    return Selection(ids, tuple(promoted), tuple(dict.fromkeys(buckets[each] for each in ids)))


def _first_of_each(
    ranked: Sequence[str], buckets: Mapping[str, str], without: set[str]
) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for each in ranked:
        if buckets[each] not in without:
            first.setdefault(buckets[each], each)
    return tuple(first.values())


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
