"""What holds for every operation, read from the reference itself."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.server.conftest import Keys
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.server.problem import MEDIA_TYPE

pytestmark = pytest.mark.postgres

METADATA = "/.well-known/oauth-protected-resource/mcp"
OPEN = {"/health/live", "/health/ready", "/metrics", METADATA}


@pytest.fixture(scope="module")
def reference(server: Standing) -> dict[str, Any]:
    return httpx2.get(f"{server.address}/openapi.json", timeout=60).json()


def _operations(reference: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in reference["paths"].items():
        for method, operation in operations.items():
            yield method.upper(), path, operation


def test_every_operation_is_described(reference: dict[str, Any]) -> None:
    for method, path, operation in _operations(reference):
        assert operation["summary"], (method, path)
        assert operation["description"], (method, path)
        assert operation["tags"], (method, path)
        assert "500" in operation["responses"], (method, path)
        if path not in OPEN:
            assert operation["security"], (method, path)
            assert {"401", "403", "429"} <= operation["responses"].keys(), (method, path)


def test_every_body_has_examples(reference: dict[str, Any]) -> None:
    for method, path, operation in _operations(reference):
        if "requestBody" in operation:
            [(kind, content)] = operation["requestBody"]["content"].items()
            assert kind == "application/json"
            assert content["examples"], (method, path)


def test_without_a_credential_it_is_said_how_to_sign_in(
    server: Standing, reference: dict[str, Any]
) -> None:
    with httpx2.Client(base_url=server.address) as client:
        for method, path, _ in _operations(reference):
            if path not in OPEN:
                response = client.request(method, path.replace("{", "").replace("}", ""))
                assert response.headers["www-authenticate"] == "Bearer", (method, path)


def test_what_is_not_there_is_told_as_a_problem(server: Standing) -> None:
    with server.client() as client:
        responses = {
            404: client.get("/v1/nothing"),
            405: client.put("/v1/runs"),
            422: client.get("/v1/runs", params={"limit": "x"}),
        }
    for status, response in responses.items():
        assert response.status_code == status
        assert response.headers["content-type"] == MEDIA_TYPE
        assert response.json()["requestId"] == response.headers["x-request-id"]
    assert responses[405].headers["allow"] == "GET, POST"


def test_pages_of_other_origins_get_nothing(server: Standing) -> None:
    origin = {"origin": "https://attacker.example", "access-control-request-method": "POST"}
    asked = httpx2.options(f"{server.address}/v1/ask", headers=origin)
    assert "access-control-allow-origin" not in asked.headers


def test_pages_that_are_named_may_call(own_database: tuple[str, Keys], trustee: Feature) -> None:
    url, keys = own_database
    origin = "https://console.example"
    with standing(url, trustee, keys, allowed_origins=(origin,), docs=True) as running:
        asked = httpx2.options(
            f"{running.address}/v1/ask",
            headers={
                "origin": origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization, content-type",
            },
        )
        foreign = httpx2.get(f"{running.address}/health/live", headers={"origin": "https://x.ch"})
        docs = httpx2.get(f"{running.address}/docs")
    assert asked.headers["access-control-allow-origin"] == origin
    assert "access-control-allow-credentials" not in asked.headers
    assert "access-control-allow-origin" not in foreign.headers
    assert docs.status_code == 200
    assert "cdn.jsdelivr.net" in docs.headers["content-security-policy"]


def test_the_page_of_the_reference_is_off(server: Standing) -> None:
    assert httpx2.get(f"{server.address}/docs").status_code == 404


def test_too_many_at_once_are_sent_away(own_database: tuple[str, Keys], trustee: Feature) -> None:
    url, keys = own_database
    with standing(url, trustee, keys, most_watchers=1) as running, running.client() as client:
        asked = {"feature": "trustee", "question": BALANCE, "approvals": {"evidence": True}}
        run_id = client.post("/v1/runs", json=asked).json()["runId"]
        with client.stream("GET", f"/v1/runs/{run_id}/events") as stream:
            parts = stream.iter_text()  # kept: without it the stream would be closed
            assert next(parts).startswith("retry: ")
            with running.client() as another:
                refused = another.get(f"/v1/runs/{run_id}/events")
        client.post(f"/v1/runs/{run_id}/cancel")
    assert (refused.status_code, refused.json()["code"]) == (503, "OVERLOADED")
    assert refused.headers["retry-after"] == "1"


def test_tenants_have_their_own_limits(own_database: tuple[str, Keys], trustee: Feature) -> None:
    url, keys = own_database
    with standing(url, trustee, keys) as running:
        store = running.services.store
        with store.engine.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE veridical.tenants SET limits = '{\"perMinute\": 3}' WHERE id = 'globex'"
            )
        try:
            with running.client(GLOBEX) as small, running.client(ACME) as other:
                statuses = [small.get("/v1/runs").status_code for _ in range(5)]
                limited = small.get("/v1/runs")
                assert other.get("/v1/runs").status_code == 200
        finally:
            with store.engine.begin() as connection:
                connection.exec_driver_sql(
                    "UPDATE veridical.tenants SET limits = '{\"perMinute\": 1000000}'"
                    " WHERE id = 'globex'"
                )
    assert statuses == [200, 200, 200, 429, 429]
    assert limited.json()["code"] == "RATE_LIMITED"
    assert 1 <= int(limited.headers["retry-after"]) <= 60
