"""The documents that a caller may search: collections of one tenant, and their search.

The host names the collections; a model never names a tenant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.search_context import FreshnessMode, ScoringContext
from veridical.contracts.search_result import SearchFlags


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """One search: question, collections and limit."""

    question: str
    tenant: str
    collections: tuple[str, ...]
    freshness_mode: FreshnessMode
    language: Language
    limit: int | None = None
    """None for the number in the settings."""
    context: ScoringContext | None = None
    """The caller's context; the question and the mode above count where it says otherwise."""
    by_model: bool = False
    """Whether a model scores the passages too."""

    @property
    def scoring_context(self) -> ScoringContext:
        """The whole context of the search."""
        fixed = {"question": self.question, "freshness_mode": self.freshness_mode}
        if self.context is None:
            return ScoringContext.model_validate(fixed)
        return self.context.model_copy(update=fixed)


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """The best passages with their scores, and flags for unavailable parts."""

    chunks: tuple[Chunk, ...]
    flags: SearchFlags
    coverage_delta: str = ""


@dataclass(frozen=True)
class EvidenceShelf:
    """The collections that a feature may search, by their names."""

    collections: tuple[str, ...]
    search: Callable[[EvidenceQuery], FoundEvidence]
    """Never raises: unavailable parts are flagged."""
    existing: Callable[[str], frozenset[str] | None]
    """The names of a tenant's collections; None if they can't be read now."""
    current: Callable[[str, Sequence[str]], Mapping[str, Chunk] | None]
    """The current passages with these ids of a tenant; None if they can't be read now."""
    local_tenant: str = ""
    """The tenant of callers without a credential."""
    freshness_mode: FreshnessMode = FreshnessMode.STANDARD
    can_score: bool = False
    """Whether there is a model that can score passages."""

    def tenant_of(self, member_of: str) -> str:
        """The tenant whose collections this caller may search; a credential always decides."""
        return member_of or self.local_tenant
