"""Embeds chunks for the command line, and builds the index of their vectors."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from psycopg import Error as DatabaseError
from pydantic import ValidationError

from veridical.cli.counted_bar import counted_bar
from veridical.cli.error_reporting import UsageError, mistaken_setting
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.settings import RunsSettings
from veridical.runs.worker_store import document_store
from veridical.search.embed import EmbedReport, embed_missing
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.score.settings import ScoreSettings, read_score_settings
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vector_index import build_index, has_index
from veridical.search.store.vectors import EXACT_BELOW
from veridical.search.vector_gap import VectorGapError
from veridical.store.connection import Store, UnreachableError


def search_settings(language: Language) -> ScoreSettings:
    """The settings of ``[search]``. Raises ``UsageError``."""
    try:
        return read_score_settings()
    except ValidationError as error:
        raise mistaken_setting(error, language) from error


def configured_embedder(language: Language) -> Embedder | None:
    """The embedder of ``[search]``; none where none is set. Raises ``UsageError``."""
    return opened_embedder(search_settings(language).embedder)


def needed_embedder(language: Language) -> Embedder:
    """The embedder of ``[search]``. Raises ``UsageError`` where none is set."""
    embedder = configured_embedder(language)
    if embedder is None:
        raise UsageError(message("embed.no_embedder", language))
    return embedder


def run_embed(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    embedder: Embedder,
    language: Language,
    *,
    renew: bool = False,
) -> tuple[EmbedReport, tuple[str, ...]]:
    """Embed what has no vector, under a progress bar; the report, and what is to be told of it.

    Raises ``UsageError``.
    """
    try:
        store = document_store(settings)
        try:
            index = PostgresIndex(store.tenant, tenant, collection)
            if renew:
                index.forget_vectors()
            with _bar(message("embed.progress", language)) as show:
                report = embed_missing(index, embedder, show)
            return report, tuple(_told(report, store, tenant, embedder, language))
        finally:
            store.close()
    except UnreachableError as error:
        raise UsageError(error.message(language)) from error
    except VectorGapError as error:
        raise UsageError(message(error.gap, language, model=embedder.model)) from error


def run_index(settings: RunsSettings, embedder: Embedder, language: Language) -> str:
    """Build the index of the embedder's vectors, under a progress bar; what is to be told.

    Raises ``UsageError``.
    """
    try:
        size = len(embedder.embed_query("1"))
        with _bar(message("embed.indexing", language)) as show:
            build_index(settings.database_url, embedder.model, size, show)
    except EmbeddingError as error:
        told = message("embed.needs_embedder", language, model=embedder.model, reason=error)
        raise UsageError(told) from error
    except VectorGapError as error:
        raise UsageError(message(error.gap, language, model=embedder.model)) from error
    except DatabaseError as error:
        told = message("embed.index_failed", language, reason=str(error).strip())
        raise UsageError(told) from error
    return message("embed.indexed", language, model=embedder.model, size=size)


def _told(
    report: EmbedReport, store: Store, tenant: str, embedder: Embedder, language: Language
) -> Iterator[str]:
    model = embedder.model
    yield message("embed.counted", language, count=report.embedded, model=model)
    if report.gap is not None:
        yield message(report.gap, language, model=model)
        if report.reason:
            yield message("embed.reason", language, reason=report.reason)
    if report.missing:
        key = "embed.missing" if report.gap is not None else "embed.refused"
        yield message(key, language, count=report.missing)
    if report.others:
        yield message("embed.other_models", language, models=", ".join(report.others), model=model)
    if report.weight is not None:
        yield message("embed.weighed", language, weight=f"{report.weight:.2f}")
    if report.size is not None and report.chunks > EXACT_BELOW:
        with store.tenant(tenant) as connection:
            is_there = has_index(connection, model, report.size)
        if not is_there:
            yield message("embed.not_indexed", language, limit=EXACT_BELOW)


@contextmanager
def _bar(title: str) -> Generator[Callable[[int, int], None]]:
    bar = counted_bar()
    with bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
