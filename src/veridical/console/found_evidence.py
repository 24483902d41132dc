"""What a search found, for approvers and readers of a run: scores, reasons, flags, coverage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from veridical.contracts.person import SELECTED
from veridical.contracts.search_candidate import CoverageDimension
from veridical.contracts.search_collect import CollectOutcome
from veridical.contracts.search_ingest import IngestStatus
from veridical.contracts.search_result import CoverageAccount, RankedItem

_DIMENSIONS = frozenset(each.value for each in CoverageDimension)
_MOODS = {IngestStatus.INGESTED: "good", IngestStatus.FAILED: "bad", IngestStatus.PENDING: "open"}
_FLAGS = {
    "ragUnavailable": "search.rag_unavailable",
    "llmTimeout": "search.llm_timeout",
    "lexicalOnly": "collect.lexical_only",
}
"""Unavailable services, and the messages for them."""


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """One candidate with everything that explains its place."""

    candidate_id: str
    title: str
    score: float
    model_score: float | None
    reason: str
    risk_flags: tuple[str, ...]
    gap_tags: tuple[str, ...]
    facets: tuple[tuple[str, float], ...]
    """Dimensions and facets of its own, the best covered first."""
    recommended: str = ""
    """Why it is worth taking into the store."""
    url: str = ""
    date: str = ""
    remarks: tuple[str, ...] = ()
    """Names of messages."""
    status: IngestStatus | None = None
    failed: str = ""
    """Why it was not stored."""

    @property
    def dimensions(self) -> frozenset[str]:
        """The names that have a message; others are a tenant's own."""
        return _DIMENSIONS

    @property
    def mood(self) -> str:
        """How the store's state of it is coloured."""
        return _MOODS[self.status] if self.status else ""


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One dimension before and after the selection."""

    dimension: str
    stored: float
    selected: float
    effect: str
    """``added`` or ``gap``; empty for neither."""


@dataclass(frozen=True, slots=True)
class CoverageView:
    """What a selection adds to the store."""

    delta: str
    rows: tuple[CoverageRow, ...]
    flags: tuple[str, ...]
    fallback: str = ""
    """Why no model scored."""


def found_evidence(given: Mapping[str, Any]) -> FoundEvidence:
    """A result of an inbox item."""
    known = {name: given[name] for name in _RANKED if name in given}
    remarks = {
        "already_stored": given.get("stored"),
        "changed_since": given.get("changed"),
        "beside_selection": not given.get(SELECTED, True),
    }
    return _evidence(
        RankedItem.model_validate(known),
        title=given.get("title") or "",
        recommended=given.get("recommended") or "",
        url=given.get("url") or "",
        date=(given.get("detectedDate") or "")[:10],
        remarks=tuple(name for name, holds in remarks.items() if holds),
    )


def collected_evidence(outcome: CollectOutcome) -> tuple[FoundEvidence, ...]:
    """The ranking of a finished run, each with what the store has of it now."""
    reasons = {each.candidate_id: each.reason for each in outcome.result.recommended_ingest}
    approved = {each.candidate_id for each in outcome.approved}
    return tuple(
        _evidence(
            each,
            title=outcome.titles.get(each.candidate_id, each.candidate_id),
            recommended=reasons.get(each.candidate_id, ""),
            remarks=("approved_one",) if each.candidate_id in approved else (),
            status=outcome.statuses.get(each.candidate_id),
            failed=outcome.failed.get(each.candidate_id, ""),
        )
        for each in outcome.result.ranked
    )


def coverage_view(subject: Mapping[str, Any]) -> CoverageView | None:
    """The coverage that an inbox item shows; none for items of another kind."""
    if "coverageDelta" not in subject:
        return None
    account = CoverageAccount.model_validate(subject.get("coverage") or {})
    flags: Mapping[str, Any] = subject.get("flags") or {}
    return _coverage(
        subject["coverageDelta"],
        account,
        (text for name, text in _FLAGS.items() if flags.get(name)),
        flags.get("fallback") or "",
    )


def collected_coverage(outcome: CollectOutcome) -> CoverageView:
    """The coverage of a finished run."""
    result = outcome.result
    flags = result.flags.model_dump(by_alias=True)
    return _coverage(
        result.coverage_delta,
        result.coverage or CoverageAccount(),
        (text for name, text in _FLAGS.items() if flags.get(name)),
        result.flags.debug.llm.fallback or "",
    )


_RANKED = frozenset(field.alias or name for name, field in RankedItem.model_fields.items())


def _evidence(item: RankedItem, **more: Any) -> FoundEvidence:
    facets = [*((name.value, share) for name, share in item.facet_coverage.items())]
    facets += item.custom_facets.items()
    return FoundEvidence(
        candidate_id=item.candidate_id,
        score=item.score,
        model_score=item.model_score,
        reason=item.reason,
        risk_flags=item.risk_flags,
        gap_tags=item.gap_tags,
        facets=tuple(sorted(facets, key=lambda each: (-each[1], each[0]))),
        **more,
    )


def _coverage(
    delta: str, account: CoverageAccount, flags: Iterable[str], fallback: str
) -> CoverageView:
    rows = [
        CoverageRow(
            each.value,
            account.stored.get(each, 0.0),
            account.selected.get(each, 0.0),
            "added" if each in account.added else "gap" if each in account.gaps else "",
        )
        for each in CoverageDimension
        if each in account.stored or each in account.selected or each in account.gaps
    ]
    return CoverageView(delta, tuple(rows), tuple(flags), fallback)
