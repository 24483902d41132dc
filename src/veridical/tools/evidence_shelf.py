"""The documents that a caller may search: collections of one tenant, and what searches them.

The host says which collections there are; a model never names a tenant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.search_context import FreshnessMode
from veridical.contracts.search_result import SearchFlags


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """One search: what for, where, and how much of it."""

    question: str
    tenant: str
    collections: tuple[str, ...]
    freshness_mode: FreshnessMode
    language: Language
    limit: int | None = None
    """None for as many as the settings say."""


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """The best passages, each with its score, and what was not available."""

    chunks: tuple[Chunk, ...]
    flags: SearchFlags
    coverage_delta: str = ""


@dataclass(frozen=True)
class EvidenceShelf:
    """The collections that a feature may search, by their names."""

    collections: tuple[str, ...]
    search: Callable[[EvidenceQuery], FoundEvidence]
    """Never raises: what is not available is flagged."""
    existing: Callable[[str], frozenset[str] | None]
    """The names of a tenant's collections; none where they can't be read now."""
    current: Callable[[str, Sequence[str]], Mapping[str, Chunk] | None]
    """Of a tenant: the passages of these ids as they are now, without those that are gone; none
    where they can't be read now."""
    local_tenant: str = ""
    """Whose collections are searched for somebody without a credential."""
    freshness_mode: FreshnessMode = FreshnessMode.STANDARD

    def tenant_of(self, member_of: str) -> str:
        """Whose collections this caller may search; a credential always decides."""
        return member_of or self.local_tenant
