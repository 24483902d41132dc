"""Reciprocal rank fusion over the legs of a retrieval, normalised to the whole scale.

With a high k the first place is worth hardly more than the twentieth: on the bare sums any bonus
or penalty would outweigh every rank. So the sum is stretched between the best that a candidate
could have, first in every leg, and the worst, last or missing in every leg.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.search_candidate import HYBRID, HYBRID_OF, SearchCandidate

Ranks = Mapping[str, int]
"""By candidate, from 1; equal ranks for equal candidates."""


@dataclass(frozen=True, slots=True)
class FusedRank:
    """A candidate's normalised sum and the ranks it comes from."""

    share: float
    """1 for the first of every leg, 0 for a candidate that is in none."""
    ranks: dict[str, int]


def legs_of(candidates: Sequence[SearchCandidate]) -> dict[str, Ranks]:
    """For each leg, in the order of their names, the ranks among these candidates alone.

    A leg that is part of another one does not count a second time.
    """
    found: dict[str, dict[str, int]] = {}
    for candidate in candidates:
        own, legs = candidate.id, candidate.legs
        is_hybrid = HYBRID in legs
        for name, place in legs.items():
            if is_hybrid and name in HYBRID_OF:
                continue
            rank = place.rank
            if name not in found:
                found[name] = {own: rank}
            elif found[name].setdefault(own, rank) > rank:
                found[name][own] = rank
    return {name: ranked(found[name], lowest_first=True) for name in sorted(found)}


def ranked(values: Mapping[str, float], *, lowest_first: bool = False) -> Ranks:
    """The place of each among these values; equals share the better place."""
    first: dict[float, int] = {}
    for place, value in enumerate(sorted(values.values(), reverse=not lowest_first), 1):
        first.setdefault(value, place)
    return {name: first[value] for name, value in values.items()}


def shares_of(ids: Iterable[str], legs: Mapping[str, Ranks], k: int) -> dict[str, float]:
    """Each candidate's normalised sum of reciprocal ranks; a leg it is missing from adds none.

    The legs rank these candidates and no others.
    """
    gained = dict.fromkeys(ids, 0.0)
    whole = 0.0
    for ranks in legs.values():
        worst = 1 / (k + len(ranks) + 1)
        whole += 1 / (k + 1) - worst if ranks else 0.0
        for each, rank in ranks.items():
            gained[each] += 1 / (k + rank) - worst
    return {each: total / (whole or 1.0) for each, total in gained.items()}


def fuse_ranks(ids: Iterable[str], legs: Mapping[str, Ranks], k: int) -> dict[str, FusedRank]:
    """Each candidate's share with the ranks that it comes from."""
    shares = shares_of(ids, legs, k)
    ranks_of: dict[str, dict[str, int]] = {each: {} for each in shares}
    for name, ranks in legs.items():
        for each, rank in ranks.items():
            ranks_of[each][name] = rank
    return {each: FusedRank(share, ranks_of[each]) for each, share in shares.items()}
