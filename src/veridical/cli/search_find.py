"""Searches a collection for the command line: by words, and by meaning where an embedder is set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.cli.error_reporting import UsageError
from veridical.cli.search_embed import configured_embedder
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.retry import DATABASE_ERRORS
from veridical.runs.settings import RunsSettings
from veridical.runs.worker_store import document_store
from veridical.search.evidence import hybrid_parts
from veridical.search.retrieve import Candidate, Retriever
from veridical.search.store.collections import OutdatedIndexError
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import UnreachableError
from veridical.trace.redact import redact_text

_SHOWN = 300
"""Characters of a passage."""


@dataclass(frozen=True)
class FoundPassage:
    """A passage with its place in the result."""

    rank: int
    candidate: Candidate

    def as_json(self) -> dict[str, Any]:
        """As it is printed for programs."""
        stored = self.candidate.stored
        legs = {"lexical": self.candidate.lexical, "vector": self.candidate.vector}
        date = stored.origin.detected_date
        return {
            "rank": self.rank,
            "chunk": stored.id,
            "source": stored.origin.source,
            "title": stored.origin.title,
            "section": stored.chunk.section,
            "host": stored.origin.host,
            "domainType": stored.origin.domain_type,
            "detectedDate": date.isoformat().replace("+00:00", "Z") if date else None,
            "version": stored.origin.version,
            "policyTags": list(stored.origin.policy_tags),
            "language": stored.chunk.language,
            "text": stored.chunk.text,
            "legs": {
                name: {"rank": hit.rank, "score": hit.score} for name, hit in legs.items() if hit
            },
            "hybrid": {
                name: {"weight": part.weight, "standard": part.standard}
                for name, part in hybrid_parts(self.candidate).items()
            },
        }


@dataclass(frozen=True)
class Found:
    """The passages, and what is to be told beside them."""

    passages: Sequence[FoundPassage]
    note: str = ""
    """Why words alone were searched, although an embedder is set."""


def find(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    question: str,
    limit: int,
    language: Language,
) -> Found:
    """The passages that fit best. Raises ``UsageError``."""
    embedder = configured_embedder(language)
    try:
        store = document_store(settings)
        try:
            index = PostgresIndex(store.tenant, tenant, collection)
            found = Retriever(index, embedder).retrieve(question, limit)
        finally:
            store.close()
    except OutdatedIndexError as error:
        raise UsageError(message("ingest.outdated_index", language)) from error
    except DATABASE_ERRORS as error:
        reason = _reason(error, language)
        raise UsageError(message("search.store_down", language, reason=reason)) from error
    passages = [FoundPassage(rank, each) for rank, each in enumerate(found.candidates, 1)]
    if embedder is None or found.gap is None:
        return Found(passages)
    return Found(passages, message(found.gap, language, model=embedder.model))


def _reason(error: Exception, language: Language) -> str:
    """What the database said, on one line and without secrets."""
    said = error.message(language) if isinstance(error, UnreachableError) else str(error)
    return redact_text(said.strip().partition("\n")[0])


def shown(found: Sequence[FoundPassage], language: Language) -> Iterator[str]:
    """The lines for a person."""
    if not found:
        yield message("ingest.nothing_found", language)
    for each in found:
        stored = each.candidate.stored
        yield f"{each.rank}. {stored.origin.title} · {stored.origin.source}"
        text = " ".join(stored.chunk.text.split())
        yield f"   {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"
