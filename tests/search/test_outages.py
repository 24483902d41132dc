"""The store and the model go away in the middle of a search: flags are set, what came is used."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from tests.search.evidence.library import HANDBOOK, stored
from tests.search.found import candidate, context
from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import FreshnessMode, as_meta
from veridical.contracts.search_result import HybridResult
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.model_scores import ScoringModel
from veridical.search.score.settings import ScoreSettings
from veridical.store.connection import Store
from veridical.tools.evidence_shelf import EvidenceQuery

pytestmark = pytest.mark.postgres

LEAVE = "How many days of paid leave do employees receive?"
NOWHERE = "postgresql://nobody:secret@127.0.0.1:1/none"
PATIENCE = 20.0
SILENT = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(server.accept()[0])
    kept[-1].recv(65536)
    print("asked", flush=True)
"""


@pytest.fixture(scope="module")
def search(store: Store) -> Generator[EvidenceSearch]:
    stored(store, "acme", "outage", HANDBOOK)
    made = EvidenceSearch(store.tenant, ScoreSettings())
    yield made
    made.close()


def request(**given: str) -> ScoreRequest:
    sent = candidate("sent", 1, snippet="Employees receive paid leave.", **given)
    data = ScoreResultsData(query=LEAVE, results=(sent,))
    return ScoreRequest(data=data, meta=as_meta(context(question=LEAVE)))


@contextmanager
def terminated_once_waiting(url: str) -> Generator[None]:
    """Whoever waits for the postings within the block is ended by the server."""
    with psycopg.connect(url) as holding, psycopg.connect(url, autocommit=True) as watching:
        holding.execute("LOCK TABLE veridical.search_postings IN ACCESS EXCLUSIVE MODE")
        ended: list[int] = []

        def end() -> None:
            until = time.monotonic() + PATIENCE
            while not ended and time.monotonic() < until:
                found = watching.execute(
                    "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ).fetchall()
                ended.extend(row[0] for row in found)
                time.sleep(0.02)

        thread = threading.Thread(target=end)
        thread.start()
        try:
            yield
        finally:
            thread.join()
            holding.rollback()
    assert ended


def test_an_index_that_is_killed_during_the_query_is_flagged(
    search: EvidenceSearch, search_url: str
) -> None:
    with terminated_once_waiting(search_url):
        cut = search.wait(search.scored(request(), "acme", ("outage",), Language.EN)).result
    assert cut.flags.rag_unavailable
    assert [each.candidate_id for each in cut.top_k] == ["sent"]
    again = search.wait(search.scored(request(), "acme", ("outage",), Language.EN)).result
    assert not again.flags.rag_unavailable
    assert len(again.ranked) > 1


def test_what_could_not_be_looked_up_is_not_told_as_nothing() -> None:
    nowhere = Store(NOWHERE)
    away = EvidenceSearch(nowhere.tenant, ScoreSettings())
    for language, told in (
        (Language.EN, "Try again"),
        (Language.DE, "noch"),
        (Language.ZH, "重试"),
    ):
        query = EvidenceQuery(LEAVE, "acme", ("outage",), FreshnessMode.STANDARD, language)
        found = away.search(query)
        assert (found.chunks, found.flags.rag_unavailable) == ((), True)
        assert told in found.coverage_delta
    away.close()
    nowhere.close()


@contextmanager
def silent_model() -> "Generator[tuple[subprocess.Popen[str], str]]":
    """A server that takes requests and never answers, and its address."""
    command = [sys.executable, "-c", SILENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        try:
            assert process.stdout is not None
            yield process, f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()


def scored_by(url: str, settings: ScoreSettings, search: EvidenceSearch) -> HybridResult:
    agent = AgentSettings(model="openai:scorer", base_url=url, api_key=SecretStr("none"))
    asking = EvidenceSearch(search.transaction, settings)

    async def run() -> HybridResult:
        async with open_model(agent) as model:
            scoring = ScoringModel(model)
            return (
                await asking.scored(request(), "acme", ("outage",), Language.EN, model=scoring)
            ).result

    try:
        return asyncio.run(run())
    finally:
        asking.close()


def test_a_model_that_is_killed_while_it_scores_is_done_without(search: EvidenceSearch) -> None:
    with silent_model() as (process, url):

        def kill() -> None:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "asked"
            process.kill()

        killing = threading.Thread(target=kill)
        killing.start()
        result = scored_by(url, ScoreSettings(llm_timeout_s=PATIENCE), search)
        killing.join()
    assert result.flags.debug.llm.fallback
    assert result.flags.debug.llm.llm_items == 0
    assert len(result.ranked) > 1


def test_a_model_that_never_answers_is_a_timeout(search: EvidenceSearch) -> None:
    with silent_model() as (_, url):
        result = scored_by(url, ScoreSettings(llm_timeout_s=0.5), search)
    assert result.flags.llm_timeout
    assert result.flags.debug.llm.fallback
    assert len(result.ranked) > 1


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Start the database"), ("de", "Starten"), ("zh", "请启动数据库")]
)
@pytest.mark.parametrize("explain", [(), ("--explain",)])
def test_the_command_says_what_to_do_and_shows_no_traceback(
    language: str, told: str, explain: tuple[str, ...]
) -> None:
    command = [str(Path(sys.executable).with_name("veridical")), "search", "find", LEAVE,
               "--collection", "outage", "--tenant", "acme", "--database", NOWHERE,
               "--language", language, *explain]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "secret" not in said
    if explain:
        assert done.returncode == 0
        assert "Veridical" in done.stdout
    else:
        assert done.returncode == 2
        assert told in said
        assert "rag_unavailable" in said
