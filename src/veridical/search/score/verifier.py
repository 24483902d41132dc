"""Coverage verifier: how much of the approved evidence arrived in the store."""

from collections import Counter
from collections.abc import Mapping, Sequence

from veridical.contracts.search_ingest import CoverageReport, IngestStatus, IngestSummary

_DIGITS = 4


def verify_ingest(approved: Sequence[str], statuses: Mapping[str, IngestStatus]) -> CoverageReport:
    """The state of each approved source; one that nothing is known of is pending."""
    found = {name: statuses.get(name, IngestStatus.PENDING) for name in approved}
    counts = Counter(found.values())
    ingested = counts[IngestStatus.INGESTED]
    return CoverageReport(
        summary=IngestSummary(
            ingested_count=ingested,
            failed_count=counts[IngestStatus.FAILED],
            pending_count=counts[IngestStatus.PENDING],
            success_ratio=round(ingested / len(found), _DIGITS) if found else None,
        ),
        statuses=found,
    )
