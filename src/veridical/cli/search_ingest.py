"""Stores documents for the command line: in processes of their own or as a run, then with vectors
and their index."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import typer
from psycopg import Error as DatabaseError
from psycopg.errors import ForeignKeyViolation
from pydantic import ValidationError

from veridical.cli.error_reporting import UsageError, mistaken_setting, out
from veridical.cli.own_database import operator_name
from veridical.cli.terminal import counting
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_ingest import IngestTask
from veridical.messages import message
from veridical.runs.port import open_runs
from veridical.runs.request import ingest_request
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import document_store
from veridical.search.document_reading import IngestOptions
from veridical.search.embed import EmbedReport, embed_missing
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.index import SearchIndex, opened_index
from veridical.search.ingest import IngestReport, files_under, ingest, ingest_batch
from veridical.search.score.settings import Index, ScoreSettings, read_score_settings
from veridical.search.store.collections import ensure_collection
from veridical.search.store.vector_index import build_index
from veridical.search.store.vectors import EXACT_BELOW
from veridical.search.vector_gap import VectorGapError
from veridical.store.connection import UnreachableError


def run_ingest(
    settings: RunsSettings,
    tenant: str,
    collection: str,
    paths: Sequence[Path],
    options: IngestOptions,
    processes: int,
    as_json: bool,
    language: Language,
) -> None:
    """Store all files and print what became of them; the command fails where a file failed.

    With an embedder, the chunks of the collection that have no vector get one then.
    """
    found = files_under(paths)
    if not found:
        raise UsageError(message("ingest.no_files", language))
    embedder = configured_embedder(language)
    require_collection(settings, tenant, collection, language)
    work = _Work(settings, (tenant, collection), options, language)
    report = _ingested(found, work, processes, language)
    summary = report.summary
    data: dict[str, Any] = {"summary": summary.model_dump(by_alias=True), "reasons": report.reasons}
    if not as_json:
        _print(report, language)
    if embedder is not None:
        vectors, lines = run_embed(settings, tenant, collection, embedder, language)
        data["vectors"] = vectors.summary
        if not as_json:
            for line in lines:
                out.print(line)
    if as_json:
        print(json.dumps(data))
    if summary.ingested_count < len(found):
        raise typer.Exit(1)


class _Work:
    """One batch, in a process that opened a connection of its own."""

    def __init__(
        self,
        settings: RunsSettings,
        place: tuple[str, str],
        options: IngestOptions,
        language: Language,
    ) -> None:
        self._settings = settings
        self._score = search_settings(language)
        self._place = place
        self._options = options
        self._language = language

    def __call__(self, batch: Sequence[Path]) -> Any:
        store = document_store(self._settings)
        try:
            index = opened_index(self._score, store.tenant, *self._place)
            return ingest_batch(index, None, batch, self._options, self._language)
        finally:
            store.close()


def _ingested(
    found: Sequence[Path], work: _Work, processes: int, language: Language
) -> IngestReport:
    with (
        counting(message("ingest.progress", language)) as show,
        ProcessPoolExecutor(processes, get_context("spawn")) as pool,
    ):
        show(0, len(found))

        def tell(report: IngestReport) -> None:
            show(len(found) - report.summary.pending_count, len(found))

        def in_process(batch: Sequence[Path]) -> Any:
            return pool.submit(work, batch).result()

        try:
            return asyncio.run(ingest(found, in_process, progress=tell, at_once=processes))
        except ExceptionGroup as errors:
            for each in errors.exceptions:
                if isinstance(each, UnreachableError):
                    raise UsageError(each.message(language)) from each
            raise


def require_collection(
    settings: RunsSettings, tenant: str, collection: str, language: Language
) -> None:
    """Make the collection unless there is one, before any file is read. Raises ``UsageError``."""
    try:
        store = document_store(settings)
        try:
            with store.tenant(tenant) as connection:
                ensure_collection(connection, tenant, collection)
        finally:
            store.close()
    except UnreachableError as error:
        raise UsageError(error.message(language)) from error
    except ForeignKeyViolation as error:
        raise UsageError(message("ingest.no_tenant", language, tenant=tenant)) from error


def _print(report: IngestReport, language: Language) -> None:
    for path, reason in report.reasons.items():
        out.print(message("ingest.failed", language, path=path, reason=reason))
    summary = report.summary
    text = message(
        "ingest.counted",
        language,
        files=len(report.statuses),
        ingested=summary.ingested_count,
        failed=summary.failed_count,
        pending=summary.pending_count,
        chunks=report.new_chunks,
    )
    out.print(text)


def queue_ingest(
    settings: RunsSettings, tenant: str, task: IngestTask, as_json: bool, language: Language
) -> None:
    """Start the run and print where to look for it. Raises ``UsageError``."""
    require_collection(settings, tenant, task.collection, language)
    operator = operator_name()
    caller = Caller(language=language, name=operator, member_of=tenant)
    with open_runs(settings) as runs:
        state = runs.start(ingest_request(task, caller), tenant, operator)
    if as_json:
        out.print_json(state.model_dump_json(by_alias=True))
    else:
        out.print(message("ingest.queued", language, run=state.run_id))


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
    """Embed what has no vector, under a progress bar; the report, and its lines for a person.

    Raises ``UsageError``.
    """
    try:
        store = document_store(settings)
        try:
            index = opened_index(search_settings(language), store.tenant, tenant, collection)
            if renew:
                index.forget_vectors()
            with counting(message("embed.progress", language)) as show:
                report = embed_missing(index, embedder, show)
            return report, tuple(_embed_lines(report, index, embedder, language))
        finally:
            store.close()
    except UnreachableError as error:
        raise UsageError(error.message(language)) from error
    except VectorGapError as error:
        raise UsageError(message(error.gap, language, model=embedder.model)) from error


def run_index(settings: RunsSettings, embedder: Embedder, language: Language) -> str:
    """Build the index of the embedder's vectors, under a progress bar; the message for a person.

    Raises ``UsageError``.
    """
    index = search_settings(language).index
    if index is not Index.POSTGRES:
        return message("embed.own_graph", language, index=index)
    try:
        size = len(embedder.embed_query("1"))
        with counting(message("embed.indexing", language)) as show:
            build_index(settings.database_url, embedder.model, size, show)
    except EmbeddingError as error:
        text = message("embed.needs_embedder", language, model=embedder.model, reason=error)
        raise UsageError(text) from error
    except VectorGapError as error:
        raise UsageError(message(error.gap, language, model=embedder.model)) from error
    except DatabaseError as error:
        text = message("embed.index_failed", language, reason=str(error).strip())
        raise UsageError(text) from error
    return message("embed.indexed", language, model=embedder.model, size=size)


def _embed_lines(
    report: EmbedReport, index: SearchIndex, embedder: Embedder, language: Language
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
    is_large = report.size is not None and report.chunks > EXACT_BELOW
    if is_large and index.lacks_graph(model, report.size or 0):
        yield message("embed.not_indexed", language, limit=EXACT_BELOW)
