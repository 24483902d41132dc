"""Fusion: one score from all legs, with bonuses and penalties on the normalised scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_coverage import CoverageDimension
from veridical.contracts.search_result import RrfComponents
from veridical.search.score.address import SourcePatterns, address
from veridical.search.score.freshness import penalty_points
from veridical.search.score.rank_fusion import FusedRank, Ranks, fuse_ranks
from veridical.search.score.settings import ScoreSettings, Stage

_WHOLE = 100
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class FusedScore:
    """A candidate's fused score and its parts."""

    id: str
    fused: float
    """A share of the scale, neither cut off at 0 nor at 1: it gives the order."""
    components: RrfComponents

    @property
    def score(self) -> float:
        """From 0 to 100."""
        return round(_WHOLE * min(1.0, max(0.0, self.fused)), 2)


@dataclass(frozen=True, slots=True)
class FusionInput:
    """Inputs of the fusion beside the candidates."""

    legs: Mapping[str, Ranks]
    coverage: Mapping[str, Mapping[CoverageDimension, float]]
    """By candidate."""
    stored: Mapping[CoverageDimension, float]
    """The coverage of the store."""


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
    return tuple(
        FusedScore(name, round(sums[name], _DIGITS), parts[name])
        for name in sorted(sums, key=lambda name: (-round(sums[name], _DIGITS), name))
    )


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
