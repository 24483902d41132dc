"""The hybrid result: ranked evidence, and how every number in it was calculated."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from veridical.contracts.search_candidate import (
    CoverageDimension,
    CustomFacets,
    FacetCoverage,
    HybridPart,
)
from veridical.contracts.wire import Wire

LONGEST_REASON = 280


class LLMScoredItem(Wire):
    """A candidate with a score: in this form a model replies."""

    candidate_id: str
    score: float = Field(ge=0, le=100)
    reason: str = Field(default="", max_length=LONGEST_REASON)
    gap_tags: tuple[str, ...] = ()
    """Dimensions that the store lacks and this candidate covers."""
    risk_flags: tuple[str, ...] = ()
    facet_coverage: FacetCoverage = Field(default_factory=dict[CoverageDimension, float])
    custom_facets: CustomFacets = Field(default_factory=dict[str, float])


class RankedItem(LLMScoredItem):
    """A candidate in a ranking. ``score`` is the fused one, and never above the model's own."""

    model_score: float | None = Field(
        default=None, ge=0, le=100, exclude_if=lambda score: score is None
    )
    """The model's own score, which the reason is then about; none where no model scored it."""


class CoverageAccount(Wire):
    """The coverage of the question: by the store, and by what was selected."""

    stored: FacetCoverage = Field(default_factory=dict[CoverageDimension, float])
    selected: FacetCoverage = Field(default_factory=dict[CoverageDimension, float])
    added: tuple[CoverageDimension, ...] = ()
    """Dimensions that the selection covers and the store does not."""
    gaps: tuple[CoverageDimension, ...] = ()
    """Dimensions that neither covers."""


class IngestRecommendation(Wire):
    """A candidate that is worth taking into the store."""

    candidate_id: str
    reason: str


class _Brief(Wire):
    """Leaves out what was not computed, instead of writing it as null."""

    @model_serializer(mode="wrap")
    def _without_nulls(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: Mapping[str, Any] = handler(self)
        return {name: value for name, value in written.items() if value is not None}


class Dropped(Wire):
    """A candidate that was left out, and why."""

    id: str
    reason: str


class MmrSelected(Wire):
    """A candidate that the diversity filter kept."""

    id: str
    max_overlap: float
    """With those chosen before it, 0 to 1."""


class MmrDebug(Wire):
    """The candidates that the diversity filter kept, in its order."""

    selected: tuple[MmrSelected, ...] = ()


class PreFilterDebug(Wire):
    """The candidates that were left out before scoring."""

    dropped: tuple[Dropped, ...] = ()
    mmr: MmrDebug = MmrDebug()


class LlmDebug(Wire):
    """The outcome of the model's part."""

    fallback: str | None = None
    """Why some scores are the heuristic's; none when all are the model's."""
    cache_hit: bool = False
    """True if every score came from the cache."""
    llm_items: int = 0
    """The number of the model's scores."""


class RrfComponents(_Brief):
    """The parts of one fused score, as shares of the whole scale of 100 points."""

    rrf_term: float
    """Reciprocal rank fusion over all legs, normalised: 1 for the first of every leg."""
    rag_bonus: float
    """For what it adds to the coverage of the store."""
    domain_bonus: float
    """For a preferred source."""
    policy_bonus: float
    """For the priority that a policy gives to its source."""
    freshness_penalty: float | None = None
    """Taken off for its age."""
    redundancy_factor: float | None = None
    """The factor of the sum: less than 1 from the second hit of a domain on."""
    model_limit: float | None = None
    """The model's own score, where the sum is above it: the score is no higher than that."""
    ranks: dict[str, int] | None = None
    """Its rank in each leg among those that were fused."""
    hybrid: dict[str, HybridPart] | None = None
    """The parts of its place in the leg ``hybrid``: by leg, weight, standardised score, rank."""


class FusionDebug(_Brief):
    """The method that fused the scores."""

    fused_scores: dict[str, float] = Field(default_factory=dict[str, float])
    """As shares of the whole scale; neither cut off at 0 nor at 1, nor at the model's score. They
    give the order, except that the model's score limits each."""
    rrf_components: dict[str, RrfComponents] = Field(default_factory=dict[str, RrfComponents])
    rrf_k: int = 90
    diversity_buckets: tuple[str, ...] = ()
    """The kinds of source in ``top_k``, in their order."""
    promoted: tuple[str, ...] | None = None
    """Candidates in ``top_k`` for the sake of these kinds alone."""


class SearchDebug(Wire):
    """The account of every stage."""

    pre_filter: PreFilterDebug = PreFilterDebug()
    llm: LlmDebug = LlmDebug()
    fusion: FusionDebug = FusionDebug()


class SearchFlags(_Brief):
    """Unavailable services, and the account of every stage."""

    rag_unavailable: bool = False
    """The store could not be reached: its coverage is unknown."""
    llm_timeout: bool = False
    """The model did not answer in time: some scores are the heuristic's."""
    lexical_only: bool | None = None
    """True where an embedder is set and yet a collection was searched by words alone: it was away,
    or the collection has no vectors of it."""
    debug: SearchDebug = SearchDebug()


class HybridResult(Wire):
    """Evidence in its order, the part a person decides on, and what it adds."""

    ranked: tuple[RankedItem, ...] = ()
    top_k: tuple[RankedItem, ...] = ()
    coverage_delta: str = ""
    """The coverage that ``top_k`` adds to the store, as a sentence."""
    coverage: CoverageAccount | None = Field(default=None, exclude_if=lambda found: found is None)
    """The same as figures, and the gaps that are left."""
    recommended_ingest: tuple[IngestRecommendation, ...] = ()
    flags: SearchFlags = SearchFlags()
