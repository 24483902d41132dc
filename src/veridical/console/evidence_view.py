"""The view of a ranking of evidence: bars for the parts of each score, what was dropped,
and how much of each dimension the chosen passages cover."""

from dataclasses import dataclass
from datetime import datetime
from math import cos, pi, sin
from typing import TYPE_CHECKING

from veridical.contracts.search_candidate import CoverageDimension
from veridical.contracts.search_result import RankedItem
from veridical.search.score.parts import score_parts

if TYPE_CHECKING:  # needs the extra of searching, which a server may do without
    from veridical.search.evidence import ScoredEvidence

BAR = 220
"""Width of the whole scale, in units of the drawing."""
RADIUS = 90
_SHOWN = 400


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score."""

    name: str
    points: float
    length: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with its score."""

    item: RankedItem
    is_chosen: bool
    title: str
    source: str
    date: datetime | None
    text: str
    parts: tuple[ScorePart, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage that was dropped, and why."""

    id: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of the radar."""

    name: str
    """A message of the catalogue."""
    share: float
    x: float
    y: float
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """The whole view of a ranking."""

    passages: tuple[Passage, ...]
    dropped: tuple[LeftOut, ...]
    buckets: tuple[str, ...]
    radar: tuple[Axis, ...]
    coverage: str
    """The coverage that the chosen passages add to the store, as a sentence."""
    flags: tuple[str, ...]
    """Unavailable services, as names of messages."""


def evidence_view(scored: "ScoredEvidence") -> EvidenceView:
    """The ranking with everything that explains it."""
    result = scored.result
    flags = [name for name in ("rag_unavailable", "llm_timeout") if getattr(result.flags, name)]
    return EvidenceView(
        passages=tuple(_passage(each, scored) for each in result.ranked),
        dropped=tuple(
            LeftOut(each.id, _title(each.id, scored), each.reason)
            for each in result.flags.debug.pre_filter.dropped
        ),
        buckets=result.flags.debug.fusion.diversity_buckets,
        radar=_radar(result.top_k),
        coverage=result.coverage_delta,
        flags=tuple(flags),
    )


def _passage(item: RankedItem, scored: "ScoredEvidence") -> Passage:
    stored = scored.passages.get(item.candidate_id)
    parts = scored.result.flags.debug.fusion.rrf_components.get(item.candidate_id)
    text = " ".join(stored.chunk.text.split()) if stored else ""
    return Passage(
        item=item,
        is_chosen=item in scored.result.top_k,
        title=stored.origin.title if stored else item.candidate_id,
        source=stored.origin.source if stored else "",
        date=stored.origin.detected_date if stored else None,
        text=text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…",
        parts=tuple(
            ScorePart(name, round(100 * share, 1), round(min(abs(share), 1.0) * BAR, 1))
            for name, share in (score_parts(parts) if parts else ())
            if share or name == "rrf"
        ),
    )


def _title(candidate: str, scored: "ScoredEvidence") -> str:
    stored = scored.passages.get(candidate)
    return stored.origin.title if stored else ""


def _radar(chosen: tuple[RankedItem, ...]) -> tuple[Axis, ...]:
    """For each dimension the best coverage by one of the chosen passages."""
    dimensions = tuple(CoverageDimension)
    found: list[Axis] = []
    for place, dimension in enumerate(dimensions):
        share = max((each.facet_coverage.get(dimension, 0.0) for each in chosen), default=0.0)
        angle = 2 * pi * place / len(dimensions) - pi / 2
        found.append(
            Axis(
                name=f"search.dimension_{dimension.value}",
                share=round(share, 2),
                x=round(RADIUS * share * cos(angle), 1),
                y=round(RADIUS * share * sin(angle), 1),
                label_x=round((RADIUS + 14) * cos(angle), 1),
                label_y=round((RADIUS + 14) * sin(angle), 1),
            )
        )
    return tuple(found)
