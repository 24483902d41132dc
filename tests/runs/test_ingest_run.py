"""An ingest as a run: workers are killed in the middle, nothing is lost and nothing doubled."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.runs.asked import rows, until
from tests.runs.conftest import OTHER, TENANT
from tests.search.embeddings.serving import ASKED, EmbeddingServer, embedding_server
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_ingest import IngestSummary, IngestTask, VectorOutcome
from veridical.contracts.trace import Ingested
from veridical.engines import Postgres
from veridical.runs.port import Runs
from veridical.runs.request import ingest_request
from veridical.runs.state import RunState, RunStatus
from veridical.search.embed import PAGE
from veridical.search.ingest import BATCH_FILES, batches, files_under
from veridical.store.connection import Store
from veridical.trace.postgres import PostgresTraces

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LONG = 180.0
BATCHES = 8
FILES = BATCHES * BATCH_FILES - 3
PARAGRAPHS = 40
FEW = 2 * PAGE + 4
"""Three pages of chunks to embed."""
TOML = """
[[features]]
name = "trustee"
database = "BOOKS"

[runs]
poll_seconds = 0.1
lease_seconds = 2
"""


@dataclass(frozen=True)
class Ground:
    """Where workers are started, and what they are to ingest."""

    folder: Path
    documents: Path
    url: str
    books: str

    @property
    def task(self) -> IngestTask:
        return IngestTask(collection="handbook", paths=(str(self.documents),))

    @contextmanager
    def worker(self) -> "Generator[subprocess.Popen[bytes]]":
        """A worker as a process of its own, gone when the block ends."""
        command = [str(Path(sys.executable).with_name("veridical")), "worker"]
        own = {"VERIDICAL_RUNS_DATABASE_URL": self.url, "BOOKS": self.books}
        started = subprocess.Popen(command, cwd=self.folder, env={**os.environ, **own})
        try:
            yield started
        finally:
            started.kill()
            started.wait()


@pytest.fixture
def ground(runs_url: str, trustee: Feature, tmp_path: Path) -> Ground:
    (tmp_path / "veridical.toml").write_text(TOML, "utf-8")
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(FILES):
        text = f"The clause {number} of the contract says what holds in case {number}.\n\n"
        (documents / f"{number:04}.md").write_text(f"# {number}\n\n{text * PARAGRAPHS}", "utf-8")
    (documents / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (documents / "empty.txt").write_text("  \n", "utf-8")
    (documents / "zero.txt").write_bytes(b"A text with \x00 in it.\n")
    return Ground(tmp_path, documents, runs_url, books.render_as_string(hide_password=False))


def started(runs: Runs, ground: Ground, tenant: str = TENANT) -> str:
    caller = Caller(language=Language.EN, name="operator", member_of=tenant)
    return runs.start(ingest_request(ground.task, caller), tenant, "operator").run_id


def stored(store: Store) -> list[tuple[str, int]]:
    """Each document by its source, as often as it is there, with the number of its chunks."""
    return [
        (row[0], row[1])
        for row in rows(
            store,
            "SELECT d.source, count(k.id) FROM veridical.search_documents d"
            " JOIN veridical.search_chunks k ON k.document = d.id WHERE d.tenant = 'acme'"
            " GROUP BY d.id, d.source ORDER BY d.source",
        )
    ]


def taken(store: Store) -> int:
    """How many batches are recorded as done."""
    sql = "SELECT count(*) FROM dbos.operation_outputs WHERE function_name LIKE 'ingest:%'"
    return rows(store, sql)[0][0]


def vectors(store: Store) -> int:
    """How many chunks have one."""
    return rows(store, "SELECT count(*) FROM veridical.search_vectors WHERE tenant = 'acme'")[0][0]


def final(runs: Runs, run_id: str) -> RunState | None:
    state = runs.state(run_id, TENANT)
    assert state is not None
    return state if state.status.is_final else None


def test_killed_workers_lose_and_double_nothing(runs: Runs, store: Store, ground: Ground) -> None:
    assert len(list(batches(files_under([ground.documents])))) == BATCHES

    async def story() -> RunState:
        run_id = started(runs, ground)
        for least in (1, 3):
            with ground.worker() as worker:
                await until(lambda least=least: taken(store) >= least, LONG)
                worker.kill()
            assert taken(store) < BATCHES
            assert final(runs, run_id) is None
        with ground.worker():
            return await until(lambda: final(runs, run_id), LONG)

    done = asyncio.run(story())
    assert done.status is RunStatus.DONE
    answer = done.answer
    assert answer is not None
    assert answer.kind is AnswerKind.INGEST
    outcome = answer.ingest
    assert outcome is not None
    assert outcome.summary == IngestSummary(
        ingested_count=FILES + 1,
        failed_count=2,
        pending_count=0,
        success_ratio=round((FILES + 1) / (FILES + 3), 4),
    )
    assert {Path(each).name for each in outcome.failed} == {"broken.pdf", "empty.txt"}
    there = stored(store)
    wanted = {str(path) for path in files_under([ground.documents])} - set(outcome.failed)
    assert [source for source, _ in there] == sorted(wanted)
    assert sum(chunks for _, chunks in there) == outcome.chunks
    terms = rows(
        store,
        "SELECT sum(s.chunks) FROM veridical.search_segments s WHERE s.tenant = 'acme'",
    )
    assert terms == [(outcome.chunks,)]

    traces = PostgresTraces(ground.url)
    trace = traces.load(done.run_id, TENANT)
    traces.close()
    assert trace is not None
    told = [event.summary for event in trace.events if isinstance(event, Ingested)]
    assert len(told) == BATCHES
    assert [each.pending_count for each in told] == sorted(
        (each.pending_count for each in told), reverse=True
    )
    assert told[-1] == outcome.summary


def test_the_command_queues_it_and_the_runs_show_how_far_it_is(
    runs: Runs, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDICAL_RUNS_DATABASE_URL", ground.url)
    run = CliRunner().invoke
    options = ["--collection", "handbook", "--tenant", TENANT, "--run", "--json"]
    queued = run(app, ["search", "ingest", str(ground.documents), *options])
    assert queued.exit_code == 0, queued.output
    told = json.loads(queued.stdout)
    assert told["status"] == "queued"
    run_id = told["runId"]

    async def story() -> None:
        with ground.worker():
            await until(lambda: final(runs, run_id), LONG)

    asyncio.run(story())
    shown = run(app, ["runs", "show", run_id, "--store", ground.url])
    assert shown.exit_code == 0, shown.output
    assert f"{FILES + 1} ingested, 2 failed, 0 pending" in shown.stdout
    assert "broken.pdf" in "".join(shown.stdout.split())  # a terminal breaks lines
    listed = run(app, ["runs", "list", "--store", ground.url, "--json"])
    assert json.loads(listed.stdout)[0]["outcome"] == "ingest"
    nobody = run(
        app,
        ["search", "ingest", "x.md", "--collection", "c", "--tenant", "nobody", "--run"],
    )
    assert nobody.exit_code != 0
    assert "no tenant nobody" in nobody.output


def few_documents(ground: Ground, address: str) -> Ground:
    """Fewer, shorter documents, and an embedder at this address."""
    documents = ground.folder / "few"
    documents.mkdir()
    for number in range(FEW):
        (documents / f"{number:04}.md").write_text(f"The car has the number {number}.\n", "utf-8")
    embedder = f'[search.embedder]\nmodel = "m"\nendpoint = "{address}"\nquery_prefix = "{ASKED}"\n'
    (ground.folder / "veridical.toml").write_text(TOML + embedder, "utf-8")
    return replace(ground, documents=documents)


def test_vectors_of_a_killed_worker_are_kept_and_completed(
    runs: Runs, store: Store, ground: Ground
) -> None:
    async def story(server: EmbeddingServer, few: Ground) -> RunState:
        run_id = started(runs, few)
        server.pauses_after = PAGE
        with few.worker() as worker:
            await until(lambda: len(server.texts) >= PAGE, LONG)
            await until(lambda: vectors(store), LONG)
            worker.kill()
        assert final(runs, run_id) is None
        server.pauses_after = None
        with few.worker():
            return await until(lambda: final(runs, run_id), LONG)

    with embedding_server() as server:
        done = asyncio.run(story(server, few_documents(ground, server.address)))
    assert done.answer is not None
    assert done.answer.ingest is not None
    told = done.answer.ingest.vectors
    assert told == VectorOutcome(model="m", vector_count=FEW, missing_count=0)
    assert f"{FEW} chunks have vectors of m, 0 have none." in done.answer.text
    assert vectors(store) == FEW
    stored_pages = [text for text in server.passages if server.passages.count(text) == 1]
    assert len(stored_pages) >= PAGE, "what was stored before is not embedded again"


def test_another_tenant_sees_nothing_of_it(runs: Runs, ground: Ground) -> None:
    run_id = started(runs, ground)
    assert runs.state(run_id, OTHER) is None
