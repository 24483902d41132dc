"""The documents of a runtime: one search for all features that have collections."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from veridical.contracts.extras import require
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import FeatureSearch, RuntimeSettings
from veridical.store.settings import read_own_database
from veridical.tools.evidence_shelf import EvidenceShelf

if TYPE_CHECKING:
    from veridical.search.evidence import EvidenceSearch

_SECONDS = 10
"""The longest time for a search; the run has more to do."""


@contextmanager
def opened_documents(settings: RuntimeSettings) -> "Generator[EvidenceSearch | None]":
    """The search of these settings, closed when the block ends; none where no feature needs one.

    Raises ``SetupError`` and ``MissingExtraError``. The database is not used yet.
    """
    named = next((each for each in settings.features if each.search.collections), None)
    if named is None:
        yield None
        return
    require("search")
    from veridical.search.embeddings.opened import opened_embedder
    from veridical.search.embeddings.remembered import RememberingEmbedder
    from veridical.search.evidence import EvidenceSearch
    from veridical.search.score.summaries import SummaryCache
    from veridical.store.connection import Store, UnreachableError

    embedder = opened_embedder(settings.score.embedder)
    try:
        database = settings.own_database or read_own_database()
        store = Store(
            database.database_url, pgbouncer=database.pgbouncer, statement_seconds=_SECONDS
        )
    except (ValidationError, UnreachableError) as error:
        raise SetupError(SetupProblem.NO_DOCUMENTS, feature=named.name) from error
    search = EvidenceSearch(
        store.tenant,
        settings.score,
        embedder=RememberingEmbedder(embedder) if embedder else None,
        summaries=SummaryCache(settings.score.rag_cache_ttl_s),
    )
    try:
        yield search
    finally:
        search.close()
        store.close()


def shelf_of(search: "EvidenceSearch | None", feature: FeatureSearch) -> EvidenceShelf | None:
    """The collections that a feature may search; none where it has none."""
    if search is None or not feature.collections:
        return None
    return EvidenceShelf(
        collections=feature.collections,
        search=search.search,
        existing=search.existing,
        current=search.current,
        local_tenant=feature.tenant,
        freshness_mode=feature.freshness_mode,
    )
