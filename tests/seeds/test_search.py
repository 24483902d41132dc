"""The source document on hybrid search and scoring, end to end: one test for each item that was
once partly there or missing, over HTTP, MCP and the command line."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from typer.testing import CliRunner

from tests.console.pages import SAME, signed_in, token_of
from tests.sample import trustee
from tests.search.evidence.library import HANDBOOK, stored
from tests.search.found import Judge
from tests.server.conftest import Keys
from tests.server.mcp.talking import talking
from tests.server.standing import ACME, GLOBEX, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.console.mount import add_console
from veridical.host.documents import shelf_of
from veridical.host.settings import FeatureSearch
from veridical.runs.settings import RunsSettings
from veridical.sample.postgres import LocalPostgres
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.settings import ScoreSettings
from veridical.server.identity import Role
from veridical.store.connection import Store

__all__ = ["trustee"]

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LEAVE = "How many days of paid leave do employees receive?"
OWN = FeatureSearch(collections=("handbook", "rules"))
LONG = 120.0
PROPOSED: list[dict[str, Any]] = [
    {
        "id": "web-1",
        "title": "Leave in the law",
        "snippet": "By policy employees receive 25 days of paid leave a year.",
        "url": "https://agency.gov/leave",
        "detected_date": "2026-11-01T09:00:00+01:00",
    },
    {"id": "web-2", "title": "Lunch", "snippet": "Paid lunch is served at noon."},
]


@pytest.fixture(scope="module")
def own_database(postgres_server: LocalPostgres) -> tuple[str, Keys]:
    url = postgres_server.create_database("seed_search")
    return url, prepare(url)


@pytest.fixture(scope="module")
def judge() -> Judge:
    """A model that knows what is irrelevant."""
    return Judge(lambda name: {"score": 7 if name in ("web-2", "text-2") else 90})


@pytest.fixture(scope="module")
def running(
    own_database: tuple[str, Keys],
    trustee: Feature,
    judge: Judge,
) -> Iterator[Standing]:
    """A server with a model, and a worker beside it."""
    url, keys = own_database
    store = Store(url)
    stored(store, ACME, "handbook", HANDBOOK)
    documents = EvidenceSearch(store.tenant, ScoreSettings())
    feature = replace(trustee, evidence=shelf_of(documents, OWN))
    runs = RunsSettings(database_url=url, lease_seconds=5, poll_seconds=0.05, stop_seconds=5)
    with ExitStack() as stack:
        stack.callback(store.close)
        stack.callback(documents.close)
        server = stack.enter_context(
            standing(
                url,
                feature,
                keys,
                documents=documents,
                model=judge.model,
                furnish=add_console,
            )
        )
        stack.enter_context(working(runs, feature, judge.model))
        yield server


def body(**more: Any) -> dict[str, Any]:
    return {"feature": "trustee", "data": {"query": LEAVE, "results": PROPOSED}, **more}


def until(found: Any) -> Any:
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.1)
    raise AssertionError("not in time")


def standing_of(server: Standing, run_id: str, **query: str) -> dict[str, Any]:
    with server.client() as client:
        shown = client.get(f"/v1/search/runs/{run_id}", params=query)
    assert shown.status_code == 200, shown.text
    return shown.json()


def waiting_item(server: Standing, run_id: str) -> dict[str, Any]:
    item = until(lambda: standing_of(server, run_id).get("waitingFor"))
    with server.client(role=Role.APPROVER) as client:
        return client.get(f"/v1/inbox/{item}").json()


def decide(server: Standing, item: dict[str, Any], *places: int) -> None:
    ruling = {
        "approved": True,
        "evidenceHash": item["evidenceHash"],
        "choice": {"results": list(places)} if places else {},
    }
    with server.client(role=Role.APPROVER) as client:
        decided = client.post(f"/v1/inbox/{item['id']}/decision", json=ruling)
    assert decided.status_code == 200, decided.text


def finished(server: Standing, run_id: str, **query: str) -> dict[str, Any]:
    until(lambda: standing_of(server, run_id)["status"] in ("done", "failed"))
    return standing_of(server, run_id, **query)


def collected(server: Standing, *places: int, **query: str) -> tuple[dict[str, Any], str]:
    """A run from its start to its end, and its id."""
    with server.client() as client:
        started = client.post("/v1/search/runs", json=body(collection="rules"))
    assert started.status_code == 202, started.text
    run_id = started.json()["runId"]
    decide(server, waiting_item(server, run_id), *places)
    return finished(server, run_id, **query), run_id


def test_llm_score_is_kept_beside_the_fused_rank(running: Standing) -> None:
    """HybridResult: a candidate that the model calls irrelevant is never shown with 100. First of
    all tests: later ones store these candidates."""
    with running.client() as client:
        answer = client.post("/v1/search", json=body()).json()
    items = {each["candidateId"]: each for each in answer["ranked"]}
    assert items["web-2"]["modelScore"] == 7
    assert items["web-2"]["score"] <= 7
    assert "OFF_TOPIC" in items["web-2"]["riskFlags"]
    assert items["web-1"]["modelScore"] == 90
    assert items["web-1"]["score"] <= 90
    assert "web-2" not in {each["candidateId"] for each in answer["topK"]}
    assert "web-2" not in {each["candidateId"] for each in answer["recommendedIngest"]}


def test_hitl_and_coverage_monitoring_search_approve_ingest_verify(running: Standing) -> None:
    """HITL Auto-Approval & Coverage Monitoring."""
    done, run_id = collected(running, names="snake_case")
    assert done["status"] == "done", done
    assert done["hitl"]["auto_approved"] is False
    assert done["collect"]["status"] == "approved"
    summary = done["collect"]["summary"]
    assert summary == {
        "ingested_count": 1,
        "failed_count": 0,
        "pending_count": 0,
        "success_ratio": 1.0,
    }
    with running.client() as client:
        again = client.post(
            "/v1/search", json={"feature": "trustee", "data": {"query": "paid leave by policy"}}
        )
    assert any(each["facetCoverage"].get("LEGAL") for each in again.json()["ranked"])
    with running.client(GLOBEX) as other:
        assert other.get(f"/v1/search/runs/{run_id}").status_code == 404


def test_hitl_approvers_see_flags_facets_and_coverage(running: Standing) -> None:
    """HITL: an approver sees why each result is where it is."""
    with running.client() as client:
        started = client.post("/v1/search/runs", json=body(collection="rules")).json()
    item = waiting_item(running, started["runId"])
    subject = item["subject"]
    assert subject["coverageDelta"]
    assert set(subject["coverage"]) == {"stored", "selected", "added", "gaps"}
    for each in subject["results"]:
        assert {"score", "reason", "gapTags", "riskFlags", "facetCoverage"} <= each.keys()
        assert each["reason"]
    scores = [each["score"] for each in subject["results"]]
    assert scores == sorted(scores, reverse=True)
    decide(running, item)


def test_hitl_in_the_console_search_approve_ingest_verify(running: Standing) -> None:
    """HITL: the whole run on pages that need no script."""
    pasted = (
        "Leave of parents\nhttps://agency.gov/parents\n"
        "By policy parents who are employees receive 70 days of paid leave.\r\n\r\n"
        "Dinner\nPaid dinner is served at seven."
    )
    runs = "/console/evidence/runs"
    with signed_in(running, Role.ANALYST) as analyst:
        given = {
            "csrf": token_of(analyst),
            "place": "trustee/rules",
            "question": LEAVE,
            "freshness": "law_evergreen",
            "texts": pasted,
        }
        started = analyst.post(runs, data=given, headers=SAME)
        assert started.status_code == 303, started.text
        address = started.headers["location"]
        item = waiting_item(running, address.rpartition("/")[2])
        waiting = analyst.get(address).text
    with signed_in(running, Role.APPROVER) as approver:
        form = approver.get(f"/console/inbox/{item['id']}").text
        ids = [each["candidateId"] for each in item["subject"]["results"]]
        ruling = {
            "csrf": token_of(approver),
            "decision": "approve",
            "evidenceHash": item["evidenceHash"],
            "result": str(ids.index("text-1")),
        }
        approver.post(f"/console/inbox/{item['id']}", data=ruling, headers=SAME)
        finished(running, address.rpartition("/")[2])
        done = approver.get(address).text
        listed = approver.get(runs)
    assert all(LEAVE in page for page in (waiting, form, done))
    for page in (waiting, form):
        assert "model: 90" in page
        assert "about text-1" in page
        assert item["subject"]["coverageDelta"] in page
        assert "Legal" in page
    assert "in the collection as approved" in done
    assert "OFF_TOPIC" not in form
    assert "OFF_TOPIC" in done
    assert address in listed.text


def test_contract_names_over_http(running: Standing) -> None:
    """HybridResult Beispiel: the document's own names, by ``control.names``."""
    asked = body(control={"names": "snake_case"})
    with running.client() as client:
        found = client.post("/v1/search", json=asked).json()
    assert {"ranked", "top_k", "coverage_delta", "recommended_ingest", "flags"} <= found.keys()
    assert {"candidate_id", "gap_tags", "risk_flags", "facet_coverage"} <= found["ranked"][0].keys()
    debug = found["flags"]["debug"]
    assert set(debug["llm"]) == {"fallback", "cache_hit", "llm_items"}
    assert {"rrf_term", "rag_bonus", "domain_bonus", "policy_bonus"} <= next(
        iter(debug["fusion"]["rrf_components"].values())
    ).keys()


def test_coverage_over_ones_own_collections_is_not_empty(running: Standing) -> None:
    """Coverage Dimensions: of what is stored, too."""
    question = "员工必须多久更换一次密码？"
    with running.client() as client:
        asked = {"feature": "trustee", "collection": "handbook", "data": {"query": question}}
        found = client.post("/v1/search", json=asked).json()
    assert found["coverage"]["stored"]
    assert found["coverage"]["gaps"]
    assert found["coverageDelta"].startswith("Stored passages cover ")
    assert any(each["gapTags"] for each in found["ranked"])


@pytest.mark.parametrize("way", ["argument", "_meta"])
def test_scoring_context_transport_over_mcp(running: Standing, way: str) -> None:
    """ScoringContext Transport: as an argument of the tool and as its metadata."""
    collected(running)
    context = {"freshness_mode": "law_evergreen", "disallowed_sources": ["file:///"]}
    given: dict[str, Any] = {"question": LEAVE, "modelScores": True}

    async def call(client: Client) -> Any:
        if way == "argument":
            return await client.call_tool("searchEvidence", {**given, "scoringContext": context})
        meta: Any = {"scoring_context": json.dumps({"question": LEAVE, **context})}
        return await client.call_tool("searchEvidence", given, meta=meta)

    async def story() -> tuple[Any, Any]:
        async with talking(running) as client:
            plain = await client.call_tool("searchEvidence", {"question": LEAVE})
            return plain, await call(client)

    plain, limited = (
        [each["source"] for each in result.structured_content["data"]["chunks"]]
        for result in asyncio.run(story())
    )
    assert any(source.endswith("leave.txt") for source in plain)
    assert limited
    assert all(source.startswith("https://agency.gov/") for source in limited)


def test_the_agents_tool_asks_the_model_for_scores(running: Standing) -> None:
    """LLM Control: the tool's passages have the model's own score if the call wants it."""

    async def story() -> Any:
        async with talking(running) as client:
            return await client.call_tool(
                "searchEvidence", {"question": LEAVE, "modelScores": True}
            )

    result = asyncio.run(story())
    chunks = result.structured_content["data"]["chunks"]
    assert {each["modelScore" if "modelScore" in each else "model_score"] for each in chunks} == {
        90
    }


def test_recommended_ingest_over_mcp_leads_to_an_approval(running: Standing) -> None:
    """recommended_ingest: another agent proposes, a person approves, the store has it."""

    async def call(arguments: dict[str, Any]) -> Any:
        async with talking(running) as client:
            return await client.call_tool("collectEvidence", arguments)

    given = {"collection": "rules", "question": LEAVE, "results": [PROPOSED[1]]}
    started = asyncio.run(call(given))
    assert started.is_error
    assert started.structured_content["errorDetails"]["code"] == "PERSON_NEEDED"
    run_id = started.structured_content["data"]["runId"]
    decide(running, waiting_item(running, run_id))
    finished(running, run_id)
    shown = asyncio.run(call({"runId": run_id})).structured_content["data"]
    assert shown["collect"]["summary"]["failedCount"] == 0
    elsewhere = asyncio.run(call({**given, "collection": "nowhere"}))
    assert elsewhere.structured_content["errorDetails"]["field"] == "collection"


def test_coverage_verifier_on_the_command_line(
    running: Standing,
    own_database: tuple[str, Keys],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """search → approve → ingest → verify with files of a folder, and a source that is gone."""
    url = own_database[0]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_RUNS_DATABASE_URL", url)
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "leave.md").write_text("# Leave\n\nUnpaid leave is at most 90 days by policy.\n")
    context = {"purpose": "summary", "freshness_mode": "law_evergreen"}
    (tmp_path / "context.json").write_text(json.dumps(context | {"question": "any"}))
    run = CliRunner().invoke
    asked = "How long is unpaid leave?"
    options = ["--collection", "rules", "--tenant", ACME, "--context", "context.json", "--json"]
    queued = run(app, ["search", "collect", "rules", "--question", asked, *options])
    assert queued.exit_code == 0, queued.output
    run_id = json.loads(queued.stdout)["runId"]
    early = run(app, ["search", "verify", run_id, "--tenant", ACME])
    assert early.exit_code == 2, early.output
    item = waiting_item(running, run_id)
    names = [Path(each["candidateId"]).name for each in item["subject"]["results"]]
    decide(running, item, names.index("leave.md"))
    finished(running, run_id)
    verified = run(app, ["search", "verify", run_id, "--tenant", ACME])
    assert verified.exit_code == 0, verified.output
    assert "In the store as approved: 1 (100%); failed: 0; pending: 0." in verified.output
    store = Store(url)
    with store.tenant(ACME) as connection:
        connection.exec_driver_sql(
            "DELETE FROM veridical.search_documents WHERE source LIKE '%%/rules/leave.md'"
        )
    store.close()
    gone = run(app, ["search", "verify", run_id, "--tenant", ACME, "--json"])
    assert gone.exit_code == 1
    assert json.loads(gone.stdout)["summary"]["pendingCount"] == 1


def test_min_diversity_buckets_message_in_the_context_of_the_command_line(
    own_database: tuple[str, Keys], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typische Validierungsfehler, as they reach a person."""
    monkeypatch.setenv("VERIDICAL_RUNS_DATABASE_URL", own_database[0])
    monkeypatch.chdir(tmp_path)
    wrong = tmp_path / "context.json"
    wrong.write_text(json.dumps({"question": "any", "min_diversity_buckets": 0}))
    told = CliRunner().invoke(
        app,
        ["search", "find", LEAVE, "--collection", "c", "--tenant", ACME, "--context", str(wrong)],
    )
    assert told.exit_code == 2
    assert "min_diversity_buckets must be at least 1" in " ".join(told.output.split())
