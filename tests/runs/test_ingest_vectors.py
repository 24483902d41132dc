"""The vectors of an ingest as a run: how far they are, and what was in their way."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.runs.conftest import TENANT
from tests.search.embeddings.serving import ASKED, EmbeddingServer, embedding_server
from veridical.cli.main import app
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_ingest import IngestTask, VectorOutcome
from veridical.contracts.step import Progress, directly
from veridical.contracts.trace import AgentTrace, Event, Ingested
from veridical.runs import vector_steps
from veridical.runs.ingest_run import run_ingest
from veridical.runs.request import RunSegment, ingest_request
from veridical.search.embed import PAGE
from veridical.store.connection import Store
from veridical.trace.jsonl import JsonLines

pytestmark = pytest.mark.postgres
COUNT = PAGE + 2
"""Two pages."""
Ingest = Callable[[], tuple[Answer, list[Event]]]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def ingest(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ingest:
    """Ingests short documents, in a folder with settings."""
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(COUNT):
        (documents / f"{number}.md").write_text(f"The car has the number {number}.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    task = IngestTask(collection="cars", paths=(str(documents),))
    request = ingest_request(task, Caller(language=Language.EN, member_of=TENANT))
    segment = RunSegment(run_id="run-1", tenant=TENANT, asked_by="Ada", request=request)

    def run() -> tuple[Answer, list[Event]]:
        events: list[Event] = []

        def emit(told: Event | Progress) -> None:
            assert not isinstance(told, Progress)
            events.append(told)

        return asyncio.run(run_ingest(segment, task, store, directly, emit)), events

    return run


def set_embedder(address: str) -> None:
    text = f'[search.embedder]\nmodel = "m"\nendpoint = "{address}"\nquery_prefix = "{ASKED}"\n'
    Path("veridical.toml").write_text(text, "utf-8")


def vectors_of(answer: Answer) -> VectorOutcome | None:
    assert answer.ingest is not None
    assert answer.ingest.summary.ingested_count == COUNT
    return answer.ingest.vectors


def test_each_part_is_told(
    ingest: Ingest, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_steps, "PAGES", 1)
    set_embedder(server.address)
    answer, events = ingest()
    assert vectors_of(answer) == VectorOutcome(model="m", vector_count=COUNT, missing_count=0)
    told = [each.vectors for each in events if isinstance(each, Ingested) and each.vectors]
    assert [(each.vector_count, each.missing_count) for each in told] == [(PAGE, 2), (COUNT, 0)]
    assert len(server.passages) == COUNT


def test_without_an_embedder_there_is_nothing_to_tell(ingest: Ingest) -> None:
    answer, events = ingest()
    assert vectors_of(answer) is None
    assert not any(isinstance(each, Ingested) and each.vectors for each in events)


def test_an_embedder_that_is_away_leaves_the_documents_and_is_told(
    ingest: Ingest, server: EmbeddingServer, tmp_path: Path
) -> None:
    server.is_away = True
    set_embedder(server.address)
    answer, events = ingest()
    vectors = vectors_of(answer)
    assert vectors is not None
    assert (vectors.gap, vectors.vector_count, vectors.missing_count) == ("embedder_away", 0, COUNT)
    JsonLines(tmp_path / "traces").save(AgentTrace(trace_id="run-1", events=tuple(events)))
    shown = CliRunner().invoke(app, ["runs", "show", "run-1", "--store", str(tmp_path / "traces")])
    told = " ".join(shown.stdout.split())
    assert f"0 chunks have vectors of m, {COUNT} have none." in told
    assert "The embedder m could not be reached" in told
    server.is_away = False
    again, _ = ingest()
    assert vectors_of(again) == VectorOutcome(model="m", vector_count=COUNT, missing_count=0)


def test_a_missing_package_is_no_reason_to_lose_the_ingest(
    ingest: Ingest, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("veridical.toml").write_text('[search.embedder]\nonnx = "models/e5"\n', "utf-8")
    monkeypatch.setattr("veridical.contracts.extras.find_spec", {}.get)
    answer, _ = ingest()
    vectors = vectors_of(answer)
    assert vectors is not None
    assert vectors.gap == "embedder_away"
    assert "onnx" in vectors.reason
