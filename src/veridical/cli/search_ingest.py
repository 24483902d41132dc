"""Runs an ingest for the command line: batches in processes of their own, and a progress bar."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import typer
from psycopg.errors import ForeignKeyViolation

from veridical.cli.counted_bar import counted_bar
from veridical.cli.error_reporting import UsageError, out
from veridical.cli.search_embed import configured_embedder, run_embed
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.settings import RunsSettings
from veridical.runs.worker_store import document_store
from veridical.search.document_reading import IngestOptions
from veridical.search.ingest import (
    IngestReport,
    files_under,
    ingest,
    ingest_batch,
)
from veridical.search.store.collections import ensure_collection
from veridical.search.store.index import PostgresIndex
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
    told: dict[str, Any] = {
        "summary": summary.model_dump(by_alias=True),
        "reasons": report.reasons,
    }
    if not as_json:
        _print(report, language)
    if embedder is not None:
        vectors, lines = run_embed(settings, tenant, collection, embedder, language)
        told["vectors"] = vectors.summary
        if not as_json:
            for line in lines:
                out.print(line, highlight=False, markup=False)
    if as_json:
        print(json.dumps(told))
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
        self._place = place
        self._options = options
        self._language = language

    def __call__(self, batch: Sequence[Path]) -> Any:
        store = document_store(self._settings)
        try:
            index = PostgresIndex(store.tenant, *self._place)
            return ingest_batch(index, None, batch, self._options, self._language)
        finally:
            store.close()


def _ingested(
    found: Sequence[Path], work: _Work, processes: int, language: Language
) -> IngestReport:
    bar = counted_bar()
    with bar, ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        task = bar.add_task(message("ingest.progress", language), total=len(found))

        def tell(report: IngestReport) -> None:
            bar.update(task, completed=len(found) - report.summary.pending_count)

        def in_process(batch: Sequence[Path]) -> Any:
            return pool.submit(work, batch).result()

        return asyncio.run(ingest(found, in_process, progress=tell, at_once=processes))


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
        told = message("ingest.failed", language, path=path, reason=reason)
        out.print(told, highlight=False, markup=False)
    summary = report.summary
    told = message(
        "ingest.counted",
        language,
        files=len(report.statuses),
        ingested=summary.ingested_count,
        failed=summary.failed_count,
        pending=summary.pending_count,
        chunks=report.new_chunks,
    )
    out.print(told, highlight=False, markup=False)
