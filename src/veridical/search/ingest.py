"""Ingest: files into a collection, batch by batch, each content once.

A batch is parsed, cut and stored in one transaction, or failed file by file. It may be repeated at
any time, because a document that is there with the same content is left as it is. So an ingest
that was killed is started again, or taken over by another worker, and goes on where it was.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.search_ingest import CoverageReport, IngestStatus, IngestSummary
from veridical.contracts.step import Json
from veridical.messages import message
from veridical.search.chunk import Chunk, ChunkedDocument
from veridical.search.document_reading import IngestOptions, read_documents
from veridical.search.documents.parsed import UnreadableError
from veridical.search.documents.registry import is_readable
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.index import SearchIndex
from veridical.search.store.collections import OutdatedIndexError
from veridical.search.vector_gap import VectorGapError

BATCH_FILES = 64
_FILES_AT_ONCE = 4
"""Each in a process of its own, for which a thread waits."""
_BATCH_BYTES = 8_000_000
"""A batch is a transaction: that much text is a few seconds of work."""
_MOST_CHUNKS = 2_000
"""Written at once: one file may be a book, or an export of thousands of entries."""

_log = logging.getLogger("veridical.search")


@dataclass
class IngestReport:
    """The status of each file so far."""

    statuses: dict[str, IngestStatus]
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    """Of the failed."""
    chunks: int = 0
    """Of the files that were ingested, whether this ingest stored them or an earlier one."""
    new_chunks: int = 0

    @property
    def summary(self) -> IngestSummary:
        """The counts, as they are reported."""
        return verify_ingest(tuple(self.statuses), self.statuses).summary

    def note(self, batch: Sequence[Path], outcome: dict[str, Any]) -> None:
        """Add the result of ``ingest_batch``."""
        for path in map(str, batch):
            reason = outcome["failed"].get(path)
            self.statuses[path] = IngestStatus.FAILED if reason else IngestStatus.INGESTED
        self.reasons.update(outcome["failed"])
        self.chunks += outcome["chunks"]
        self.new_chunks += outcome["new"]

    def note_source(self, name: str, outcome: dict[str, Any]) -> None:
        """Add the result of one source, with the reason where it failed."""
        if outcome["failed"]:
            self.reasons[name] = outcome["failed"]
        self.statuses[name] = IngestStatus.FAILED if outcome["failed"] else IngestStatus.INGESTED
        self.chunks += outcome["chunks"]
        self.new_chunks += outcome["new"]

    def note_verified(self, missing: Iterable[str]) -> None:
        """What the verifier did not find in the store is not ingested, whatever a step said."""
        for name in missing:
            if self.statuses.get(name) is IngestStatus.INGESTED:
                self.statuses[name] = IngestStatus.PENDING


def report_on(sources: Iterable[Path | str]) -> IngestReport:
    """The report of an ingest that has yet to begin."""
    return IngestReport({str(each): IngestStatus.PENDING for each in sources})


def files_under(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The files that are named, and those with a parser in the folders that are named.

    By their absolute paths: a document is the same from any working directory.
    """
    found: dict[Path, None] = {}
    for path in map(Path.absolute, paths):
        if not path.is_dir():
            found[path] = None
            continue
        for each in sorted(path.rglob("*")):
            if each.is_file() and is_readable(each):
                found[each] = None
    return tuple(found)


def batches(paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """The files in batches of like size, always the same for the same files."""
    batch: list[Path] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += path.stat().st_size if path.is_file() else 0
        if len(batch) >= BATCH_FILES or size >= _BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def ingest_batch(
    index: SearchIndex,
    embedder: Embedder | None,
    paths: Sequence[Path],
    options: IngestOptions = IngestOptions(),  # noqa: B008 # immutable
    language: Language = Language.EN,
) -> Json:
    """Store the documents of these files; for each file that failed, why, in this language.

    Chunks that the embedder could not take now are stored without vectors, and counted.
    """
    failed: dict[str, str] = {}
    documents: dict[str, ChunkedDocument] = {}
    with ThreadPoolExecutor(_FILES_AT_ONCE) as threads:
        for path, read in zip(paths, threads.map(partial(_read, options), paths), strict=True):
            if isinstance(read, UnreadableError):
                failed[str(path)] = read.message(language) or type(read).__name__
            elif isinstance(read, OSError):
                failed[str(path)] = str(read) or type(read).__name__
            else:
                found = {document.origin.source: document for document in read}
                if not documents.keys().isdisjoint(found):
                    failed[str(path)] = message("ingest.same_address", language)
                else:
                    documents |= found
    new = unembedded = 0
    for part in _parts(documents.values()):
        try:
            written = index.write(part)
        except OutdatedIndexError:
            reason = message("ingest.outdated_index", language)
            failed = {str(path): reason for path in paths}
            return {"failed": failed, "chunks": 0, "new": new, "unembedded": 0}
        new += len(written)
        if embedder is not None and written and not _embedded(index, embedder, written):
            unembedded += len(written)
    chunks = sum(len(each.chunks) for each in documents.values())
    return {"failed": failed, "chunks": chunks, "new": new, "unembedded": unembedded}


def _read(options: IngestOptions, path: Path) -> list[ChunkedDocument] | UnreadableError | OSError:
    try:
        return read_documents(path, options)
    except (UnreadableError, OSError) as error:
        return error


def _embedded(index: SearchIndex, embedder: Embedder, written: Sequence[tuple[int, Chunk]]) -> bool:
    """Whether the chunks have vectors now; ``embed_missing`` completes what has none."""
    try:
        vectors = embedder.embed([chunk.text for _, chunk in written])
        numbers = [number for number, _ in written]
        index.write_vectors(embedder.model, zip(numbers, vectors, strict=True))
    except (EmbeddingError, VectorGapError) as error:
        _log.warning("chunks were stored without vectors: %s", error)
        return False
    return True


async def ingest(
    paths: Sequence[Path],
    run_batch: Callable[[Sequence[Path]], Json],
    progress: Callable[[IngestReport], object] = lambda _: None,
    at_once: int = 2,
) -> IngestReport:
    """Store all files, some batches at once."""
    report = report_on(paths)
    places = asyncio.Semaphore(at_once)

    async def run(batch: tuple[Path, ...]) -> None:
        async with places:
            report.note(batch, await asyncio.to_thread(run_batch, batch))
        progress(report)

    async with asyncio.TaskGroup() as tasks:
        for batch in batches(paths):
            tasks.create_task(run(batch))
    return report


def _parts(documents: Iterable[ChunkedDocument]) -> Iterator[list[ChunkedDocument]]:
    part: list[ChunkedDocument] = []
    size = 0
    for document in documents:
        part.append(document)
        size += len(document.chunks)
        if size >= _MOST_CHUNKS:
            yield part
            part, size = [], 0
    if part:
        yield part


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
