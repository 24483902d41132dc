"""Evidence search: ingest, retrieve, score.

``rank_candidates`` scores what any retrieval found, without a store and without a model. Each name
is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.contracts.search_candidate import HybridPart, LegRank, SearchCandidate
    from veridical.contracts.search_context import ScoringContext
    from veridical.contracts.search_result import HybridResult
    from veridical.search.embeddings.settings import EmbedderSettings
    from veridical.search.score.ranking import rank_candidates
    from veridical.search.score.settings import ScoreSettings

__all__ = [
    "EmbedderSettings",
    "HybridPart",
    "HybridResult",
    "LegRank",
    "ScoreSettings",
    "ScoringContext",
    "SearchCandidate",
    "rank_candidates",
]

_HOMES = {
    "embeddings.settings": "EmbedderSettings",
    "veridical.contracts.search_candidate": "HybridPart LegRank SearchCandidate",
    "veridical.contracts.search_result": "HybridResult",
    "score.settings": "ScoreSettings",
    "veridical.contracts.search_context": "ScoringContext",
    "score.ranking": "rank_candidates",
}

if not TYPE_CHECKING:  # a type checker must report an unknown name
    __getattr__ = lazy_names(__name__, _HOMES)
