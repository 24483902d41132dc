"""A credential gives nobody more than itself, ends when it ends, and is named in the audit."""

import json
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from tests.sample import trustee
from tests.server.conftest import own_database
from tests.server.provider import KEY_SET, reading, token
from tests.server.standing import ACME, BALANCE, Standing, standing
from tests.server.tenancy import audit_of
from veridical.answering.feature import Feature
from veridical.server.identity import Action, Role
from veridical.server.keys import NewKey, create_key
from veridical.server.oidc import SigningKeys, TokenError, Tokens

__all__ = ["own_database", "trustee"]

LONE = "\\ud800"
SOON = 5.0
"""Seconds, on a machine with other things to do; the server looks every second."""


@pytest.fixture(scope="module")
def server(own_database: Any, trustee: Feature) -> Generator[Standing]:
    url, keys = own_database
    with standing(url, trustee, keys) as running:
        yield running


def _key(server: Standing, role: Role, actions: set[Action] | None, days: int = 0) -> NewKey:
    ends = datetime.now(UTC) + timedelta(days=days) if days else None
    with server.services.store.tenant(ACME) as connection:
        return create_key(connection, ACME, "Ada", role, actions, ends, actor="setup")


def _client(server: Standing, key: NewKey) -> httpx2.Client:
    headers = {"authorization": f"Bearer {key.key}"}
    return httpx2.Client(base_url=server.address, headers=headers, timeout=60)


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("held", "days", "asked", "where"),
    [
        ({Action.ADMIN}, 0, {"role": "admin"}, "body/actions"),
        ({Action.ADMIN}, 0, {"role": "viewer"}, "body/actions"),
        ({Action.ADMIN, Action.READ}, 0, {"role": "analyst"}, "body/actions"),
        ({Action.ADMIN}, 0, {"role": "admin", "actions": ["admin", "decide"]}, "body/actions"),
        (None, 5, {"role": "viewer"}, "body/expiresInDays"),
        (None, 5, {"role": "viewer", "expiresInDays": 6}, "body/expiresInDays"),
    ],
)
def test_e39_a_key_makes_no_key_beyond_itself(
    server: Standing, held: set[Action] | None, days: int, asked: dict[str, Any], where: str
) -> None:
    with _client(server, _key(server, Role.ADMIN, held, days)) as client:
        refused = client.post("/v1/keys", json={"name": "more", **asked})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["where"] == where


@pytest.mark.postgres
def test_e39_a_key_makes_keys_within_itself(server: Standing) -> None:
    held = {Action.ADMIN, Action.READ}
    with _client(server, _key(server, Role.ADMIN, held, 5)) as client:
        for asked in (
            {"role": "viewer", "expiresInDays": 4},
            {"role": "admin", "actions": ["admin"], "expiresInDays": 1},
        ):
            assert client.post("/v1/keys", json={"name": "less", **asked}).status_code == 201


@pytest.mark.postgres
def test_e39_audit_entries_name_the_key(server: Standing) -> None:
    key = _key(server, Role.ADMIN, None)
    waits = {"feature": "trustee", "question": BALANCE, "approvals": {"evidence": True}}
    with _client(server, key) as client:
        made = client.post("/v1/keys", json={"name": "b", "role": "viewer"}).json()["id"]
        client.delete(f"/v1/keys/{made}")
        run = client.post("/v1/runs", json=waits).json()["runId"]
        client.post(f"/v1/runs/{run}/cancel")
        client.get("/v1/audit")
        told = client.get("/v1/audit", params={"limit": 5}).json()["entries"]
    assert {entry["action"] for entry in told} == {
        "audit.read",
        "key.created",
        "key.revoked",
        "run.started",
        "run.cancelled",
    }
    assert all(entry["detail"]["keyId"] == key.id for entry in told)
    without = audit_of(server.services.store, "tenant.created")
    assert all("keyId" not in each.detail for each in without)


@pytest.mark.postgres
def test_e39_a_stream_ends_with_its_key(server: Standing) -> None:
    key = _key(server, Role.VIEWER, None)
    waits = {"feature": "trustee", "question": BALANCE, "approvals": {"evidence": True}}
    with server.client() as asker, server.client(role=Role.ADMIN) as admin:
        run = asker.post("/v1/runs", json=waits).json()["runId"]
        with (
            _client(server, key) as client,
            ThreadPoolExecutor() as pool,
            client.stream("GET", f"/v1/runs/{run}/events") as stream,
        ):
            parts = stream.iter_text()
            assert next(parts).startswith("retry")
            rest = pool.submit(lambda: "".join(parts))
            time.sleep(1.5)
            assert not rest.done()
            assert admin.delete(f"/v1/keys/{key.id}").status_code == 200
            assert "credential has ended" in rest.result(SOON)
        asker.post(f"/v1/runs/{run}/cancel")


BODIES = {
    "/v1/check": [
        '{"feature": "trustee", "call": {"tool": "executeSqlSafe", "sql": "SELECT \'%s\'"}}',
        '{"feature": "trustee", "call": {"tool": "queryTable", "tableName": "%s"}}',
        '{"feature": "trustee", "call": {"tool": "queryTable", "tableName": "a", "limit": "%s"}}',
        '{"feature": "%s", "call": {"tool": "queryTable", "tableName": "a"}}',
        '{"feature": "trustee", "call": {"tool": "%s", "tableName": "a"}}',
        '{"feature": "trustee", "call": {"tool": "queryTable", "tableName": "a"}, "%s": 1}',
    ],
    "/v1/gate": ['{"answer": "%s", "evidence": []}', '{"answer": "a", "evidence": {"%s": 1}}'],
    "/v1/ask": ['{"feature": "trustee", "question": "%s"}', '{"feature": "%s", "question": "a"}'],
    "/v1/runs": ['{"feature": "trustee", "question": "a", "approvals": {"calls": ["%s"]}}'],
    "/v1/keys": ['{"name": "%s", "role": "viewer"}', '{"name": "a", "role": "%s"}'],
    "/v1/chat/completions": [
        '{"model": "%s", "messages": [{"role": "user", "content": "a"}]}',
        '{"model": "veridical:trustee", "messages": [{"role": "user", "content": "%s"}]}',
        '{"model": "veridical:trustee", "messages": [{"role": "%s", "content": "a"}]}',
    ],
    "/v1/inbox/0123456789abcdef/decision": ['{"approved": true, "evidenceHash": "%s"}'],
}


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("path", "body"), [(path, body) for path, bodies in BODIES.items() for body in bodies]
)
def test_e39_half_a_character_is_a_mistake_of_the_caller(
    server: Standing, path: str, body: str
) -> None:
    with server.client(role=Role.ADMIN, headers={"content-type": "application/json"}) as client:
        told = client.post(path, content=(body % LONE).encode())
    assert 400 <= told.status_code < 500, told.text
    assert json.loads(told.content)


@pytest.mark.postgres
@pytest.mark.parametrize(
    "path",
    [
        "/v1/runs/%ED%A0%80",
        "/v1/ontology/%ED%A0%80",
        "/v1/models/%ED%A0%80",
        "/v1/runs?before=%ED%A0%80",
        "/v1/runs?%ED%A0%80=1&limit=%ED%A0%80",
        "/v1/traces/%00",
    ],
)
def test_e39_so_it_is_in_an_address(server: Standing, path: str) -> None:
    with server.client() as client:
        assert 400 <= client.get(path).status_code < 500
        odd = [(b"accept-language", b"\xed\xa0\x80"), (b"last-event-id", b"\xff")]
        assert client.get("/v1/runs", headers=odd).status_code < 500


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "x" * 201},
        {"tenant": "x" * 201},
        {"exp": time.time() + 10 * 365 * 86_400},
        {"exp": 1e300},
        {"exp": float("inf")},
        {"exp": float("nan")},
        {"iat": time.time() - 30 * 86_400},
        {"iat": time.time() + 3_600},
        {"nbf": time.time() + 3_600},
    ],
    ids=[
        *("long sub", "long tenant", "exp in ten years", "huge exp", "exp of infinity"),
        *("exp of nan", "old iat", "iat to come", "nbf to come"),
    ],  # the times differ from process to process: no part of a name
)
def test_e39_a_token_is_short_and_ends_soon(claims: dict[str, Any]) -> None:
    settings = reading()
    tokens = Tokens(settings, SigningKeys(settings, lambda: KEY_SET))
    assert tokens.read(token()).expires_at is not None
    with pytest.raises(TokenError):
        tokens.read(token(**claims))
