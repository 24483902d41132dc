"""Ingest: partial success is told, repeating does nothing, two at once double nothing."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from veridical.contracts.search_ingest import IngestSummary
from veridical.contracts.step import Json
from veridical.messages import message
from veridical.search.documents import registry
from veridical.search.ingest import (
    BATCH_FILES,
    IngestReport,
    batches,
    files_under,
    ingest,
    ingest_batch,
)
from veridical.search.store.driver import rows
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(BATCH_FILES + 20):
        text = f"# Title {number}\n\nThe text of number {number}.\n"
        (tmp_path / f"{number:03}.md").write_text(text, "utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "empty.txt").write_text("  \n", "utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    return tmp_path


def _chunks(store: Store, collection: str) -> int:
    with store.tenant("acme") as connection:
        return rows(
            connection,
            "SELECT count(*) FROM veridical.search_chunks k JOIN veridical.search_collections c"
            " ON c.id = k.collection WHERE c.name = %(name)s",
            {"name": collection},
        )[0][0]


@pytest.mark.postgres
def test_partial_success_is_told_and_repeating_does_nothing(store: Store, folder: Path) -> None:
    index = PostgresIndex(store.tenant, "acme", "partial")
    paths = files_under([folder, folder / "missing.md"])
    seen: list[int] = []

    def run(batch: Sequence[Path]) -> Json:
        return ingest_batch(index, None, batch)

    def see(report: IngestReport) -> None:
        seen.append(report.summary.pending_count)

    report = asyncio.run(ingest(paths, run, progress=see))
    total = BATCH_FILES + 20
    assert report.summary == IngestSummary(
        ingested_count=total,
        failed_count=3,
        pending_count=0,
        success_ratio=round(total / (total + 3), 4),
    )
    assert {Path(each).name for each in report.reasons} == {"broken.pdf", "empty.txt", "missing.md"}
    assert seen[-1] == 0
    assert report.new_chunks == report.chunks == total == _chunks(store, "partial")

    again = asyncio.run(ingest(paths, run))
    assert (again.summary, again.chunks, again.new_chunks) == (report.summary, total, 0)
    assert _chunks(store, "partial") == total

    (folder / "000.md").write_text("# Title 0\n\nAnother text.\n", "utf-8")
    assert asyncio.run(ingest(paths, run)).new_chunks == 1
    assert _chunks(store, "partial") == total


@pytest.mark.postgres
def test_a_file_that_breaks_its_parser_fails_alone(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = "tests.search.broken_parser:parse_nothing"
    monkeypatch.setattr(registry, "PARSERS", {**registry.PARSERS, ".pdf": broken})
    index = PostgresIndex(store.tenant, "acme", "broken")
    outcome = ingest_batch(index, None, files_under([folder / "000.md", folder / "broken.pdf"]))
    assert outcome == {
        "failed": {str(folder / "broken.pdf"): message("limits.broken", "en")},
        "chunks": 1,
        "new": 1,
        "unembedded": 0,
    }


def test_files_are_named_by_absolute_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert files_under([Path(folder.name)]) == files_under([folder])


@pytest.mark.postgres
def test_two_at_once_store_each_document_once(store: Store, folder: Path) -> None:
    paths = files_under([folder])

    def run(batch: Sequence[Path]) -> Json:
        return ingest_batch(PostgresIndex(store.tenant, "acme", "two"), None, batch)

    async def both() -> None:
        await asyncio.gather(ingest(paths, run), ingest(paths[::-1], run))

    asyncio.run(both())
    assert _chunks(store, "two") == BATCH_FILES + 20


def test_batches_are_the_same_for_the_same_files(folder: Path) -> None:
    paths = files_under([folder])
    made = list(batches(paths))
    assert [path for batch in made for path in batch] == list(paths)
    assert made == list(batches(paths))
    assert len(made) == 2


def test_nothing_to_ingest_has_no_ratio() -> None:
    report = asyncio.run(ingest([], lambda _: {}))
    assert report.summary.success_ratio is None
