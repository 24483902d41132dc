"""Collecting evidence: what is searched, proposed and stored once a person has approved it."""

from pydantic import Field

from veridical.contracts.search_candidate import ScoreRequest
from veridical.contracts.search_ingest import (
    ApprovalStatus,
    IngestStatus,
    IngestSummary,
    IngestTask,
    VectorOutcome,
)
from veridical.contracts.search_result import HybridResult, RankedItem
from veridical.contracts.wire import Wire


class CollectTask(Wire):
    """A search whose approved results are to be stored."""

    request: ScoreRequest
    """The context and the results that are proposed. Their texts are what is stored."""
    collection: str = Field(min_length=1, max_length=200)
    """Takes in what is approved."""
    searched: tuple[str, ...] = ()
    """Collections whose passages are ranked beside the proposed."""
    files: IngestTask | None = None
    """Files that are proposed too, by their paths on the worker's disk. Set by an operator alone:
    a worker reads any file that its user may read."""
    scored_by_model: bool = True


class CollectOutcome(Wire):
    """The ranking, the decision on it, and what has been stored since."""

    collection: str
    result: HybridResult
    status: ApprovalStatus | None = None
    """None where there was nothing to decide on."""
    approved: tuple[RankedItem, ...] = ()
    summary: IngestSummary
    """Of the approved that were not stored before."""
    statuses: dict[str, IngestStatus]
    """The same by candidate, as the verifier found them in the store."""
    titles: dict[str, str] = Field(default_factory=dict[str, str])
    """By candidate that was put up for approval."""
    sources: dict[str, str]
    """By candidate: the name that its document is stored under."""
    content_hashes: dict[str, str]
    """By candidate: of the content that was shown and approved."""
    failed: dict[str, str] = Field(default_factory=dict[str, str])
    """By candidate or path: why it was not stored, or could not be proposed."""
    vectors: VectorOutcome | None = None
    """None where no embedder is set."""
