"""The verifier: which approved sources the store has now, with the content that was approved."""

from veridical.contracts.search_collect import CollectOutcome
from veridical.contracts.search_ingest import IngestStatus
from veridical.search.index import SearchIndex
from veridical.search.ingest import verify_ingest


def verified_now(outcome: CollectOutcome, index: SearchIndex) -> CollectOutcome:
    """The outcome as the store has it now: what is gone or has changed since is pending."""
    stored = index.content_hashes(list(outcome.sources.values()))
    statuses = {
        name: IngestStatus.INGESTED
        if stored.get(outcome.sources[name]) == outcome.content_hashes[name]
        else IngestStatus.FAILED
        if status is IngestStatus.FAILED
        else IngestStatus.PENDING
        for name, status in outcome.statuses.items()
    }
    report = verify_ingest(tuple(statuses), statuses)
    return outcome.model_copy(update={"summary": report.summary, "statuses": statuses})
