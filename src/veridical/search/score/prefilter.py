"""Pre-filter: drops what may not or need not be scored, each with its reason."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import Dropped
from veridical.search.score.address import SourcePatterns
from veridical.search.score.applicability import jurisdiction_fits, version_fits
from veridical.search.score.freshness import oldest
from veridical.search.score.settings import ScoreSettings, Stage


class DropReason(StrEnum):
    """Why a candidate was left out."""

    DISALLOWED_SOURCE = "disallowed_source"
    COLLECTION = "collection"
    """of another collection than the scope's"""
    STALE = "stale"
    VERSION = "version"
    JURISDICTION = "jurisdiction"
    DUPLICATE = "duplicate"
    """the same id or text as a better candidate"""
    MMR_LIMIT = "mmr_limit"
    """less relevant or less new than those within the limit"""


def prefilter(
    candidates: Sequence[SearchCandidate],
    relevance: Mapping[str, float],
    context: ScoringContext,
    settings: ScoreSettings,
    now: datetime,
) -> tuple[list[SearchCandidate], list[Dropped]]:
    """Those that go on, the most relevant first and equals by id, and those that were dropped.

    Of the same text the most relevant copy stays.
    """
    limit = oldest(context.freshness_mode, now, settings)
    is_on = settings.runs(Stage.PREFILTER)
    disallowed = SourcePatterns(context.disallowed_sources)
    kept: list[SearchCandidate] = []
    dropped: list[Dropped] = []
    ids: set[str] = set()
    texts: set[str] = set()
    # by relevance, then by id, then by content: never by the order of the input
    for candidate in sorted(candidates, key=lambda c: (-relevance[c.id], c.id, c.snippet)):
        reason = _forbidden(candidate, disallowed, context)
        if reason is None and candidate.id in ids:
            reason = DropReason.DUPLICATE
        if reason is None and is_on:
            reason = _unfit(candidate, context, limit)
            text = _text(candidate)
            if reason is None and text in texts:
                reason = DropReason.DUPLICATE
            if reason is None:
                texts.add(text)
        if reason is None:
            ids.add(candidate.id)
            kept.append(candidate)
        else:
            dropped.append(Dropped.trusted({"id": candidate.id, "reason": reason.value}))
    return kept, dropped


def _forbidden(
    candidate: SearchCandidate, disallowed: SourcePatterns, context: ScoringContext
) -> DropReason | None:
    """Whether it may not be used at all, whichever stages are switched off."""
    if disallowed.name(candidate.url):
        return DropReason.DISALLOWED_SOURCE
    scope = context.collection_scope
    if scope and candidate.collection and candidate.collection != scope:
        return DropReason.COLLECTION
    return None


def _unfit(
    candidate: SearchCandidate, context: ScoringContext, limit: datetime | None
) -> DropReason | None:
    date, version, jurisdiction = (
        candidate.detected_date,
        candidate.version,
        candidate.jurisdiction,
    )
    if limit and date and date < limit:
        return DropReason.STALE
    if context.version_target and version and not version_fits(context.version_target, version):
        return DropReason.VERSION
    if (
        context.jurisdiction
        and jurisdiction
        and not jurisdiction_fits(context.jurisdiction, jurisdiction)
    ):
        return DropReason.JURISDICTION
    return None


def _text(candidate: SearchCandidate) -> str:
    """What copies share: what is shown of them. Passages of one document are no copies."""
    shown = f"{candidate.title}\n{candidate.snippet}".casefold().strip()
    return shown or candidate.content_hash or candidate.id
