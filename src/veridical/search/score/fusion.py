"""Fusion: one score from all legs, with bonuses and penalties on the normalised scale.

With a high k the first place is worth hardly more than the twentieth: on the bare sums any bonus
or penalty would outweigh every rank. So the sum is stretched between the best that a candidate
could have, first in every leg, and the worst, last or missing in every leg.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from veridical.contracts.search_candidate import (
    HYBRID,
    HYBRID_OF,
    CoverageDimension,
    SearchCandidate,
)
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import RrfComponents
from veridical.search.score.address import SourcePatterns, address
from veridical.search.score.freshness import penalty_points
from veridical.search.score.settings import ScoreSettings, Stage

Ranks = Mapping[str, int]
"""By candidate, from 1; equal ranks for equal candidates."""


@dataclass(frozen=True, slots=True)
class FusedRank:
    """A candidate's normalised sum and the ranks it comes from."""

    share: float
    """1 for the first of every leg, 0 for a candidate that is in none."""
    ranks: dict[str, int]


_WHOLE = 100
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class FusedScore:
    """A candidate's fused score and its parts."""

    id: str
    fused: float
    """A share of the scale, neither cut off at 0 nor at 1."""
    components: RrfComponents

    @property
    def limited(self) -> float:
        """No higher than what the model gave: this is the order."""
        limit = self.components.model_limit
        return self.fused if limit is None else min(self.fused, limit)

    @property
    def score(self) -> float:
        """From 0 to 100."""
        return round(_WHOLE * min(1.0, max(0.0, self.limited)), 2)


@dataclass(frozen=True, slots=True)
class FusionInput:
    """Inputs of the fusion beside the candidates."""

    legs: Mapping[str, Ranks]
    coverage: Mapping[str, Mapping[CoverageDimension, float]]
    """By candidate."""
    stored: Mapping[CoverageDimension, float]
    """The coverage of the store."""
    model_scores: Mapping[str, float] = field(default_factory=dict[str, float])
    """By candidate, from 0 to 100, where a model gave one."""


@dataclass(frozen=True, slots=True)
class _Favoured:
    """The sources that a request or a policy favours, read once for all candidates."""

    preferred: SourcePatterns
    priorities: tuple[tuple[SourcePatterns, float], ...]
    bonus: bool
    """Whether they are favoured at all, and whether age costs anything."""
    freshness: bool

    @classmethod
    def of(cls, context: ScoringContext, settings: ScoreSettings) -> Self:
        by_policy = settings.domain_priorities.items()
        return cls(
            SourcePatterns(context.preferred_sources),
            tuple((SourcePatterns((pattern,)), priority) for pattern, priority in by_policy),
            settings.runs(Stage.BONUS),
            settings.runs(Stage.FRESHNESS),
        )

    def priority(self, candidate: SearchCandidate) -> float:
        """Its own, or the highest that a policy gives its source."""
        if not self.priorities:
            return candidate.policy_priority
        by_policy = (given for named, given in self.priorities if named.name(candidate.url))
        return max(candidate.policy_priority, max(by_policy, default=0.0))


def fuse(
    candidates: Sequence[SearchCandidate],
    known: FusionInput,
    context: ScoringContext,
    settings: ScoreSettings,
    now: datetime,
) -> tuple[FusedScore, ...]:
    """All candidates by their fused score; equals go by id."""
    ranks = fuse_ranks([each.id for each in candidates], known.legs, settings.rrf_k)
    favoured = _Favoured.of(context, settings)
    parts = {
        each.id: _components(each, ranks[each.id], known, favoured, context, settings, now)
        for each in candidates
    }
    sums = {name: _sum(found) for name, found in parts.items()}
    if settings.runs(Stage.REDUNDANCY):
        for name in _redundant(candidates, sums):
            factor = settings.domain_redundancy_penalty
            parts[name] = RrfComponents.trusted({**vars(parts[name]), "redundancy_factor": factor})
            # A factor on less than nothing would be a bonus.
            sums[name] = sums[name] * factor if sums[name] > 0 else sums[name]
    found = (
        FusedScore(name, fused, _limited(parts[name], fused, known.model_scores.get(name)))
        for name, fused in ((name, round(each, _DIGITS)) for name, each in sums.items())
    )
    return tuple(sorted(found, key=lambda each: (-each.limited, -each.fused, each.id)))


def _limited(parts: RrfComponents, fused: float, model_score: float | None) -> RrfComponents:
    """The parts with the limit that the model's score sets, where the sum is above it."""
    if model_score is None or fused <= (limit := model_score / _WHOLE):
        return parts
    return RrfComponents.trusted({**vars(parts), "model_limit": round(limit, _DIGITS)})


def _components(
    candidate: SearchCandidate,
    rank: FusedRank,
    known: FusionInput,
    favoured: _Favoured,
    context: ScoringContext,
    settings: ScoreSettings,
    now: datetime,
) -> RrfComponents:
    rag = domain = policy = penalty = 0.0
    if favoured.bonus:
        rag = settings.coverage_bonus * _gain(known.coverage[candidate.id], known.stored)
        if favoured.preferred.name(candidate.url):
            domain = settings.preferred_source_bonus
        policy = settings.policy_priority_scale * favoured.priority(candidate)
    if favoured.freshness:
        mode = context.freshness_mode
        penalty = penalty_points(candidate.detected_date, mode, now, settings) / _WHOLE
    return RrfComponents.trusted(
        {
            "rrf_term": round(rank.share, _DIGITS),
            "rag_bonus": round(rag, _DIGITS),
            "domain_bonus": round(domain, _DIGITS),
            "policy_bonus": round(policy, _DIGITS),
            "freshness_penalty": round(penalty, _DIGITS),
            "redundancy_factor": 1.0,
            "model_limit": None,
            "ranks": rank.ranks,
            "hybrid": candidate.hybrid or None,
        }
    )


def _sum(parts: RrfComponents) -> float:
    bonuses = parts.rag_bonus + parts.domain_bonus + parts.policy_bonus
    return parts.rrf_term + bonuses - (parts.freshness_penalty or 0.0)


def _gain(
    covered: Mapping[CoverageDimension, float], stored: Mapping[CoverageDimension, float]
) -> float:
    """The widest gap of the store that is filled, as far as it is."""
    return max((0.0, *(covered[each] - stored.get(each, 0.0) for each in covered)))


def _redundant(candidates: Sequence[SearchCandidate], sums: Mapping[str, float]) -> tuple[str, ...]:
    """Every hit of a domain but its best; what has no address is no hit of any domain."""
    seen: set[str] = set()
    found: list[str] = []
    for each in sorted(candidates, key=lambda each: (-sums[each.id], each.id)):
        host = address(each.url).host
        if host in seen:
            found.append(each.id)
        elif host:
            seen.add(host)
    return tuple(found)


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
