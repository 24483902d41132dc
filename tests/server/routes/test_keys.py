from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from tests.server.standing import GLOBEX, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

ANALYST = {"name": "month-end report", "role": "analyst"}


def test_a_key_is_made_used_and_revoked(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as admin:
        made = admin.post("/v1/keys", json=ANALYST)
        listed = admin.get("/v1/keys").json()["keys"]
        with httpx2.Client(
            base_url=server.address, headers={"authorization": f"Bearer {made.json()['key']}"}
        ) as program:
            assert program.get("/v1/runs").status_code == 200
            assert program.get("/v1/keys").status_code == 403
        ended = admin.delete(f"/v1/keys/{made.json()['id']}")
        again = admin.delete(f"/v1/keys/{made.json()['id']}")
    assert made.status_code == 201
    assert made.json()["tenant"] == "acme"
    assert made.json()["id"] in {each["id"] for each in listed}
    assert all("key" not in each and "digest" not in each for each in listed)
    assert ended.json()["revokedAt"] == again.json()["revokedAt"] is not None


def test_a_key_may_end_by_itself(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as admin:
        made = admin.post("/v1/keys", json={**ANALYST, "expiresInDays": 7}).json()
    left = datetime.fromisoformat(made["expiresAt"]) - datetime.now(UTC)
    assert timedelta(days=6) < left < timedelta(days=7)


def test_a_key_may_do_less_than_its_role(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as admin:
        made = admin.post("/v1/keys", json={**ANALYST, "actions": ["read"]}).json()
        too_much = admin.post("/v1/keys", json={**ANALYST, "actions": ["admin"]})
    assert made["actions"] == ["read"]
    assert too_much.status_code == 422
    assert too_much.json()["errors"][0]["where"] == "body/actions"


@pytest.mark.parametrize(
    "more",
    [
        {"tenant": GLOBEX},
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "x" * 101},
        {"role": "root"},
        {"actions": []},
        {"expiresInDays": 0},
        {"expiresInDays": 3651},
        {"expiresInDays": "soon"},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(server: Standing, more: dict[str, Any]) -> None:
    with server.client(role=Role.ADMIN) as admin:
        assert admin.post("/v1/keys", json={**ANALYST, **more}).status_code == 422


def test_the_keys_of_others_are_not_there(server: Standing) -> None:
    foreign = server.keys[GLOBEX, Role.ADMIN].split("_")[1]
    with server.client(role=Role.ADMIN) as admin:
        listed = admin.get("/v1/keys").json()["keys"]
        revoked = admin.delete(f"/v1/keys/{foreign}")
    assert {each["tenant"] for each in listed} == {"acme"}
    assert revoked.status_code == 404


def test_the_audit_has_pages_and_no_secrets(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as admin:
        made = admin.post("/v1/keys", json=ANALYST).json()
        admin.get("/v1/keys")
        first = admin.get("/v1/audit", params={"limit": 2}).json()
        second = admin.get("/v1/audit", params={"limit": 2, "before": first["nextBefore"]}).json()
    ids = [each["id"] for each in (*first["entries"], *second["entries"])]
    assert ids == sorted(ids, reverse=True)
    assert len(set(ids)) == 4
    assert first["entries"][0]["action"] == "keys.read"
    assert made["key"] not in str((first, second))
