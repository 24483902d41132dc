import time
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.server.standing import BALANCE, GLOBEX, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

ASKED = {"feature": "trustee", "question": BALANCE}
PATIENCE = 30.0


def finished(client: httpx2.Client, run_id: str) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        state = client.get(f"/v1/runs/{run_id}").json()
        if state["finishedAt"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the run did not end")


def test_a_run_is_started_and_ends_with_its_answer(worked: Standing) -> None:
    with worked.client() as client:
        response = client.post("/v1/runs", json=ASKED)
        started = response.json()
        assert response.status_code == 202
        assert response.headers["location"] == f"/v1/runs/{started['runId']}"
        ended = finished(client, started["runId"])
        trace = client.get(f"/v1/traces/{started['runId']}").json()
    assert ended["status"] == "done"
    assert "1020" in ended["answer"]["text"]
    assert [event["kind"] for event in trace["events"]][-1] == "answered"


def test_the_same_key_starts_one_run(server: Standing) -> None:
    key = {"idempotency-key": str(uuid4())}
    with server.client() as client:
        runs = [client.post("/v1/runs", json=ASKED, headers=key).json()["runId"] for _ in range(3)]
        other = client.post("/v1/runs", json={**ASKED, "language": "en"}, headers=key)
    assert len(set(runs)) == 1
    assert other.status_code == 409
    assert other.json()["code"] == "IDEMPOTENCY_CONFLICT"


def test_keys_of_two_tenants_do_not_meet(server: Standing) -> None:
    key = {"idempotency-key": str(uuid4())}
    with server.client() as one, server.client(GLOBEX) as other:
        first = one.post("/v1/runs", json=ASKED, headers=key).json()["runId"]
        second = other.post("/v1/runs", json=ASKED, headers=key).json()["runId"]
    assert first != second


@pytest.mark.parametrize("key", ["", "with blank", "x" * 201])
def test_a_key_has_a_form(server: Standing, key: str) -> None:
    with server.client() as client:
        response = client.post("/v1/runs", json=ASKED, headers={"idempotency-key": key})
    assert response.status_code == 422
    assert response.json()["errors"][0]["where"] == "header/Idempotency-Key"


def test_runs_are_listed_in_pages_the_newest_first(server: Standing) -> None:
    with server.client() as client:
        started = [client.post("/v1/runs", json=ASKED).json()["runId"] for _ in range(3)]
        first = client.get("/v1/runs", params={"limit": 2}).json()
        second = client.get("/v1/runs", params={"limit": 2, "before": first["nextBefore"]}).json()
    assert [each["runId"] for each in first["runs"]] == started[:0:-1]
    assert second["runs"][0]["runId"] == started[0]


@pytest.mark.parametrize("limit", ["0", "101", "many", "-1"])
def test_a_page_has_a_size(server: Standing, limit: str) -> None:
    with server.client() as client:
        assert client.get("/v1/runs", params={"limit": limit}).status_code == 422


def test_a_run_is_cancelled_once(server: Standing) -> None:
    with server.client() as client:
        run_id = client.post("/v1/runs", json={**ASKED, "question": "Why?"}).json()["runId"]
        states = [client.post(f"/v1/runs/{run_id}/cancel").json() for _ in range(2)]
    assert states[0]["status"] in ("cancelled", "done")
    assert states[1]["status"] == states[0]["status"]


@pytest.mark.parametrize("path", ["", "/cancel", "/events"])
def test_the_runs_of_others_are_not_there(server: Standing, path: str) -> None:
    with server.client() as client, server.client(GLOBEX, Role.ADMIN) as stranger:
        run_id = client.post("/v1/runs", json=ASKED).json()["runId"]
        method = "POST" if path == "/cancel" else "GET"
        response = stranger.request(method, f"/v1/runs/{run_id}{path}")
        nowhere = stranger.request(method, f"/v1/runs/{uuid4()}{path}")
    assert response.status_code == nowhere.status_code == 404
    assert response.json()["detail"] == nowhere.json()["detail"]


def test_what_is_started_and_stopped_is_in_the_audit(server: Standing) -> None:
    with server.client() as client, server.client(role=Role.ADMIN) as admin:
        run_id = client.post("/v1/runs", json=ASKED).json()["runId"]
        client.post(f"/v1/runs/{run_id}/cancel")
        entries = admin.get("/v1/audit", params={"limit": 20}).json()["entries"]
    noted = {(each["action"], each["subject"]) for each in entries}
    assert {("run.started", run_id), ("run.cancelled", run_id)} <= noted
