"""Ingest of evidence: what is to be stored, who approved it, and how much of it arrived."""

from enum import StrEnum

from pydantic import Field

from veridical.contracts.language import Language
from veridical.contracts.person import Hitl
from veridical.contracts.search_result import HybridResult, RankedItem
from veridical.contracts.wire import Wire


class ApprovalStatus(StrEnum):
    """The outcome of the question to a person."""

    APPROVED = "approved"
    AUTO_APPROVED = "auto_approved"
    """no answer in time, and the selection stands as it is"""
    DENIED = "denied"


class ApprovedEvidence(Wire):
    """The result with the decision on its ``top_k``."""

    status: ApprovalStatus
    approved: tuple[RankedItem, ...]
    """The part of ``top_k`` that may be used."""
    content_hashes: dict[str, str]
    """Of each approved source as it was shown: another content needs another decision."""
    hitl: Hitl
    result: HybridResult


class IngestStatus(StrEnum):
    """The outcome of the ingest of one source."""

    INGESTED = "ingested"
    FAILED = "failed"
    PENDING = "pending"


class IngestSummary(Wire):
    """The stored part of the approved documents."""

    ingested_count: int
    failed_count: int
    pending_count: int
    success_ratio: float | None
    """The ingested among all; none where nothing was to be ingested."""


class CoverageReport(Wire):
    """The verifier's account after an ingest."""

    summary: IngestSummary
    statuses: dict[str, IngestStatus]


class IngestTask(Wire):
    """Files that a worker is to store, by their paths on its own disk."""

    collection: str = Field(min_length=1, max_length=200)
    paths: tuple[str, ...] = Field(min_length=1)
    """Files, and folders of files."""
    language: Language = Language.EN
    """For text that gives no hint."""
    version: str = ""
    policy_tags: tuple[str, ...] = ()
    trust_addresses: bool = False
    """True if the addresses that the files state are theirs."""


class VectorOutcome(Wire):
    """The progress of vectors for the chunks of a collection."""

    model: str
    """The name that the vectors are stored under."""
    vector_count: int
    """Chunks with a vector of the model now, from this run or before."""
    missing_count: int
    """Chunks that are still without one."""
    gap: str | None = None
    """The reason for missing vectors: ``embedder_away``, ``no_extension``, ``old_extension``,
    ``other_size``."""
    reason: str = ""
    """Of the gap, in the embedder's own words."""


class IngestOutcome(Wire):
    """The outcome of an ingest by a worker."""

    collection: str
    summary: IngestSummary
    chunks: int
    """Of the files that were ingested, whether they were new or there before."""
    failed: dict[str, str]
    """By path: why a file was not ingested. The first of them, where there are very many."""
    vectors: VectorOutcome | None = None
    """None where no embedder is set."""
