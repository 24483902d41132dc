"""Pre-filter: drops what may not or need not be scored, each with its reason."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache

from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import Dropped
from veridical.search.score.address import SourcePatterns
from veridical.search.score.freshness import oldest
from veridical.search.score.settings import ScoreSettings, Stage
from veridical.word_file import word_file

_BEGINNING = 48
"""Characters that distinguish most texts."""


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
    """The kept candidates, the most relevant first and equals by id, and the dropped ones.

    Of the same text the most relevant copy stays.
    """
    conditions = _Conditions(
        SourcePatterns(context.disallowed_sources),
        context.collection_scope,
        oldest(context.freshness_mode, now, settings),
        context.version_target,
        context.jurisdiction,
    )
    is_on = settings.runs(Stage.PREFILTER)
    kept: list[SearchCandidate] = []
    dropped: list[Dropped] = []
    ids: set[str] = set()
    texts = _Texts()
    # by relevance, then by id, then by content: never by the order of the input
    for candidate in sorted(candidates, key=lambda c: (-relevance[c.id], c.id, c.snippet)):
        reason = _forbidden(candidate, conditions)
        if reason is None and candidate.id in ids:
            reason = DropReason.DUPLICATE
        if reason is None and is_on:
            reason = _unfit(candidate, conditions)
            if reason is None and not texts.add(candidate):
                reason = DropReason.DUPLICATE
        if reason is None:
            ids.add(candidate.id)
            kept.append(candidate)
        else:
            dropped.append(Dropped.trusted({"id": candidate.id, "reason": reason.value}))
    return kept, dropped


@dataclass(frozen=True, slots=True)
class _Conditions:
    """The context's conditions for candidates, read once for all of them."""

    disallowed: SourcePatterns
    collection: str | None
    limit: datetime | None
    version: str | None
    jurisdiction: str | None


def _forbidden(candidate: SearchCandidate, conditions: _Conditions) -> DropReason | None:
    """The reason why it may never be used, also with stages switched off."""
    if conditions.disallowed.name(candidate.url):
        return DropReason.DISALLOWED_SOURCE
    scope = conditions.collection
    if scope and candidate.collection and candidate.collection != scope:
        return DropReason.COLLECTION
    return None


def _unfit(candidate: SearchCandidate, conditions: _Conditions) -> DropReason | None:
    if conditions.limit and (date := candidate.detected_date) and date < conditions.limit:
        return DropReason.STALE
    if (
        conditions.version
        and (version := candidate.version)
        and not version_fits(conditions.version, version)
    ):
        return DropReason.VERSION
    if (
        conditions.jurisdiction
        and (jurisdiction := candidate.jurisdiction)
        and not jurisdiction_fits(conditions.jurisdiction, jurisdiction)
    ):
        return DropReason.JURISDICTION
    return None


class _Texts:
    """The texts so far. Copies share one, in any case; passages of one document don't.

    A text is folded as a whole only where another one begins alike: most are new.
    """

    def __init__(self) -> None:
        self._first: dict[str, str | None] = {}
        """By their folded beginnings; none once it is among those below."""
        self._folded: set[str] = set()
        self._blank: set[str] = set()

    def add(self, candidate: SearchCandidate) -> bool:
        """Whether the candidate shows something new."""
        shown = f"{candidate.title}\n{candidate.snippet}".strip()
        if not shown:
            return _is_new(candidate.content_hash or candidate.id, self._blank)
        beginning = shown[:_BEGINNING].casefold()[:_BEGINNING]  # folding never makes it shorter
        if beginning not in self._first:
            self._first[beginning] = shown
            return True
        first = self._first[beginning]
        if first is not None:
            self._folded.add(first.casefold())
            self._first[beginning] = None
        return _is_new(shown.casefold(), self._folded)


def _is_new(text: str, known: set[str]) -> bool:
    before = len(known)
    known.add(text)
    return len(known) > before


_PARTS = re.compile(r"\d+|[a-z]+")
_SPARE = "v"
_ANY = "*"


def version_fits(target: str, found: str) -> bool:
    """Whether both name the same version as far as both go: ``3`` fits ``3.2``, not ``30``."""
    both = zip(_version(target), _version(found), strict=False)
    return all(one == other for one, other in both)


def jurisdiction_fits(target: str, found: str) -> bool:
    """Whether what holds there holds here: the same, the whole of a part, or a union of it."""
    here, there = target.strip().upper(), found.strip().upper()
    if not there or here == there or here.startswith(f"{there}-"):
        return True
    members = _unions().get(there, ())
    return _ANY in members or here.partition("-")[0] in members


def _version(text: str) -> list[str]:
    parts = _PARTS.findall(text.casefold())
    return parts[1:] if parts[:1] == [_SPARE] else parts


@cache
def _unions() -> dict[str, frozenset[str]]:
    data = word_file("veridical.search.score", "jurisdictions.toml")
    return {union: frozenset(members) for union, members in data["within"].items()}
