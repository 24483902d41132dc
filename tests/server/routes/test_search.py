"""``/v1/search`` and the tool over MCP: each tenant finds its own documents and no others."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.search.embeddings.serving import EmbeddingServer, embedding_server
from tests.search.evidence.library import HANDBOOK, stored
from tests.server.conftest import Keys
from tests.server.mcp.talking import talking, text_of
from tests.server.standing import ACME, GLOBEX, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.contracts.search_context import TOO_FEW_BUCKETS
from veridical.contracts.search_result import HybridResult
from veridical.host.documents import shelf_of
from veridical.host.settings import FeatureSearch
from veridical.sample.postgres import LocalPostgres
from veridical.search.embed import embed_missing
from veridical.search.embeddings.endpoint import EndpointEmbedder
from veridical.search.embeddings.remembered import RememberingEmbedder
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.settings import Index, ScoreSettings
from veridical.search.store.index import PostgresIndex
from veridical.server.identity import Role
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

LEAVE = "How many days of paid leave do employees receive?"
OWN = FeatureSearch(collections=("handbook", "drafts"))
RESULT = {"id": "doc-1", "title": "Leave", "snippet": "Paid leave is 25 days.", "url": "a.example"}


@pytest.fixture(scope="module")
def own_database(postgres_server: LocalPostgres) -> tuple[str, Keys]:
    url = postgres_server.create_database("search_route_own")
    return url, prepare(url)


@pytest.fixture(scope="module")
def searching(own_database: tuple[str, Keys], trustee: Feature) -> Iterator[Standing]:
    url, keys = own_database
    store = Store(url)
    stored(store, ACME, "handbook", HANDBOOK)
    documents = EvidenceSearch(store.tenant, ScoreSettings())
    feature = replace(trustee, evidence=shelf_of(documents, OWN))
    with standing(url, feature, keys, documents=documents) as running:
        yield running
    documents.close()
    store.close()


def body(**more: Any) -> dict[str, Any]:
    return {"feature": "trustee", "data": {"query": LEAVE}, **more}


def test_what_a_tenant_stored_is_ranked_for_it_alone(searching: Standing) -> None:
    with searching.client() as acme, searching.client(GLOBEX) as globex:
        mine = acme.post("/v1/search", json=body())
        named = acme.post("/v1/search", json=body(collection="handbook"))
        theirs = globex.post("/v1/search", json=body())
        theirs_named = globex.post("/v1/search", json=body(collection="handbook"))
        nowhere = globex.post("/v1/search", json=body(collection="nowhere"))
    assert mine.status_code == 200, mine.text
    found = HybridResult.model_validate(mine.json())
    assert found.top_k
    assert found.top_k[0].candidate_id.startswith("doc-")
    assert mine.json()["topK"] == named.json()["topK"]
    assert found.flags.debug.fusion.rrf_components[found.top_k[0].candidate_id].rrf_term == 1
    assert theirs.json()["ranked"] == []
    assert (theirs_named.status_code, nowhere.status_code) == (404, 404)
    assert theirs_named.json()["detail"] == nowhere.json()["detail"]


def test_results_of_another_search_are_scored_with_their_context(searching: Standing) -> None:
    context = {"question": LEAVE, "freshness_mode": "law_evergreen", "collection_scope": "other"}
    sent = {"feature": "trustee", "data": {"results": [RESULT]}}
    with searching.client() as client:
        scored = client.post("/v1/search", json={**sent, "meta": {"scoring_context": context}})
    assert [each["candidateId"] for each in scored.json()["ranked"]] == ["doc-1"]


@pytest.mark.parametrize(
    ("meta", "told"),
    [
        ({"question": LEAVE, "min_diversity_buckets": 0}, TOO_FEW_BUCKETS),
        ({"purpose": "none"}, "question"),
    ],
)
def test_a_context_that_is_not_right_is_refused(
    searching: Standing, meta: dict[str, Any], told: str
) -> None:
    with searching.client() as client:
        refused = client.post("/v1/search", json=body(meta={"scoring_context": meta}))
    assert refused.status_code == 422
    assert told in refused.text


def test_a_naive_date_is_refused(searching: Standing) -> None:
    result = {**RESULT, "detectedDate": "2024-06-01T09:00:00"}
    with searching.client() as client:
        refused = client.post(
            "/v1/search", json={"feature": "trustee", "data": {"results": [result]}}
        )
    assert refused.status_code == 422
    assert "timezone" in refused.text


def test_a_store_that_is_down_is_flagged(own_database: tuple[str, Keys], trustee: Feature) -> None:
    url, keys = own_database
    away = Store("postgresql://nobody@127.0.0.1:1/none")
    documents = EvidenceSearch(away.tenant, ScoreSettings())
    feature = replace(trustee, evidence=shelf_of(documents, OWN))
    sent = body(data={"query": LEAVE, "results": [RESULT]}, collection="handbook")
    with standing(url, feature, keys, documents=documents) as server, server.client() as client:
        response = client.post("/v1/search", json=sent)
    documents.close()
    assert response.status_code == 200
    told = response.json()
    assert told["flags"]["ragUnavailable"] is True
    assert [each["candidateId"] for each in told["topK"]] == ["doc-1"]
    assert told["flags"]["debug"]["llm"]["fallback"]


def test_the_tool_is_there_over_mcp_and_keeps_tenants_apart(searching: Standing) -> None:
    async def talk(tenant: str) -> tuple[set[str], dict[str, Any]]:
        async with talking(searching, tenant, Role.ANALYST) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            ran = await client.call_tool("searchEvidence", {"question": LEAVE})
            return names, json.loads(text_of(ran))

    names, mine = asyncio.run(talk(ACME))
    _, theirs = asyncio.run(talk(GLOBEX))
    assert "searchEvidence" in names
    assert "25 days" in mine["data"]["chunks"][0]["text"]
    assert mine["data"]["note"]
    assert theirs["data"] == {"chunks": []}


def test_http_and_mcp_use_the_index_of_the_settings(
    own_database: tuple[str, Keys], trustee: Feature, tmp_path: Path
) -> None:
    url, keys = own_database
    settings = ScoreSettings(index=Index.LANCEDB, index_address=str(tmp_path))
    store = Store(url)
    for tenant in (ACME, GLOBEX):
        stored(store, tenant, f"kept by {tenant}", HANDBOOK, settings)
    documents = EvidenceSearch(store.tenant, settings)
    named = FeatureSearch(collections=(f"kept by {ACME}",))
    feature = replace(trustee, evidence=shelf_of(documents, named))

    async def talk(running: Standing, tenant: str) -> dict[str, Any]:
        async with talking(running, tenant, Role.ANALYST) as client:
            ran = await client.call_tool("searchEvidence", {"question": LEAVE})
            return json.loads(text_of(ran))["data"]

    with standing(url, feature, keys, documents=documents) as running:
        with running.client() as acme, running.client(GLOBEX) as globex:
            mine = HybridResult.model_validate(acme.post("/v1/search", json=body()).json())
            theirs = globex.post("/v1/search", json=body()).json()
        passages = [asyncio.run(talk(running, tenant))["chunks"] for tenant in (ACME, GLOBEX)]
    documents.close()
    store.close()
    assert mine.top_k
    assert not mine.flags.rag_unavailable
    assert theirs["ranked"] == []
    assert "25 days" in passages[0][0]["text"]
    assert passages[1] == []
    assert len(list(tmp_path.iterdir())) == 2, "a folder for each tenant"


@pytest.fixture(scope="module")
def embedding() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture(scope="module")
def by_meaning(
    own_database: tuple[str, Keys], trustee: Feature, embedding: EmbeddingServer
) -> Iterator[Standing]:
    """The same server with an embedder."""
    url, keys = own_database
    store = Store(url)
    stored(store, ACME, "handbook", HANDBOOK)
    embedder = EndpointEmbedder("m", embedding.address)
    embed_missing(PostgresIndex(store.tenant, ACME, "handbook"), embedder)
    documents = EvidenceSearch(store.tenant, ScoreSettings(), RememberingEmbedder(embedder))
    own = FeatureSearch(collections=("handbook",))
    feature = replace(trustee, evidence=shelf_of(documents, own))
    with standing(url, feature, keys, documents=documents) as running:
        yield running
    documents.close()
    store.close()


def test_an_embedder_adds_a_leg_and_may_be_away(
    by_meaning: Standing, embedding: EmbeddingServer
) -> None:
    vacation = "How long may vacation last?"  # no word of the handbook
    with by_meaning.client() as client:
        told = client.post("/v1/search", json=body(data={"query": vacation})).json()
    best = told["topK"][0]["candidateId"]
    assert told["flags"]["debug"]["fusion"]["rrfComponents"][best]["ranks"]["vector"] == 1
    assert "lexicalOnly" not in told["flags"]

    async def ask(question: str) -> dict[str, Any]:
        async with talking(by_meaning, ACME, Role.ANALYST) as client:
            ran = await client.call_tool("searchEvidence", {"question": question})
            return json.loads(text_of(ran))

    found = asyncio.run(ask(vacation))
    assert "25 days" in found["data"]["chunks"][0]["text"]
    assert "errorDetails" not in found

    embedding.is_away = True
    with by_meaning.client() as client:
        words = client.post("/v1/search", json=body()).json()
    assert words["flags"]["lexicalOnly"] is True
    assert words["flags"]["ragUnavailable"] is False
    assert words["topK"]
    flagged = asyncio.run(ask(LEAVE))
    assert flagged["errorDetails"]["flags"] == {"lexicalOnly": True}
    assert "25 days" in flagged["data"]["chunks"][0]["text"]
    embedding.is_away = False
