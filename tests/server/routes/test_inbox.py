import time
from typing import Any

import httpx2
import pytest

from tests.server.routes.test_runs import ASKED, finished
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

APPROVED = {**ASKED, "approvals": {"evidence": True}}


def waiting(client: httpx2.Client, run_id: str) -> dict[str, Any]:
    """The item that a run waits for."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        state = client.get(f"/v1/runs/{run_id}").json()
        if state["waitingFor"]:
            return client.get(f"/v1/inbox/{state['waitingFor']}").json()
        time.sleep(0.05)
    raise AssertionError("the run does not wait")


def _start(server: Standing) -> dict[str, Any]:
    with server.client() as client:
        return waiting(client, client.post("/v1/runs", json=APPROVED).json()["runId"])


def _decision(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"approved": True, "evidenceHash": item["evidenceHash"], **more}


def test_an_approval_lets_the_run_go_on(worked: Standing) -> None:
    item = _start(worked)
    with worked.client(role=Role.APPROVER) as approver:
        listed = approver.get("/v1/inbox", params={"limit": 100}).json()["items"]
        decided = approver.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item))
        again = approver.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item))
        ended = finished(approver, item["runId"])
    assert item["id"] in {each["id"] for each in listed}
    assert item["subject"]["results"]
    assert decided.json() == again.json()
    assert decided.json()["decidedBy"] == "approver of acme"
    assert ended["status"] == "done"
    assert ended["answer"]["kind"] == "pattern"


def test_a_second_decision_comes_too_late(worked: Standing) -> None:
    item = _start(worked)
    with worked.client(role=Role.APPROVER) as one, worked.client(role=Role.ADMIN) as other:
        denied = one.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item, approved=False))
        late = other.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item))
    assert denied.status_code == 200
    assert late.status_code == 409
    assert late.json()["code"] == "ALREADY_DECIDED"
    assert "approver of acme" in late.json()["detail"]


def test_a_decision_is_bound_to_what_was_shown(worked: Standing) -> None:
    item = _start(worked)
    with worked.client(role=Role.APPROVER) as approver:
        other = _decision(item) | {"evidenceHash": "0" * 64}
        response = approver.post(f"/v1/inbox/{item['id']}/decision", json=other)
    assert (response.status_code, response.json()["code"]) == (409, "EVIDENCE_CHANGED")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_only_who_is_entitled_decides(worked: Standing, role: Role) -> None:
    item = _start(worked)
    with worked.client(role=role) as client:
        response = client.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item))
    assert (response.status_code, response.json()["code"]) == (403, "NOT_ALLOWED")


def test_what_waits_is_shown_to_who_decides_and_to_who_asked(worked: Standing) -> None:
    item = _start(worked)
    with worked.client(role=Role.ADMIN) as admin:
        made = admin.post("/v1/keys", json={"name": "another analyst", "role": "analyst"}).json()
    keys = {role: worked.keys[ACME, role] for role in Role} | {"another": made["key"]}
    shown: dict[str, tuple[int, bool, bool]] = {}
    for name, key in keys.items():
        signed = {"authorization": f"Bearer {key}"}
        with httpx2.Client(base_url=worked.address, headers=signed, timeout=60) as client:
            one = client.get(f"/v1/inbox/{item['id']}")
            listed = client.get("/v1/inbox", params={"limit": 100}).json()["items"]
            shown[name] = (
                one.status_code,
                "subject" in one.json(),
                item["id"] in {each["id"] for each in listed},
            )
    seen, hidden = (200, True, True), (403, False, False)
    assert shown == {
        Role.VIEWER: hidden,
        Role.ANALYST: seen,  # whose run it is
        "another": hidden,
        Role.APPROVER: seen,
        Role.ADMIN: seen,
    }


def test_another_tenant_has_no_such_item(worked: Standing) -> None:
    item = _start(worked)
    with worked.client(GLOBEX, Role.ADMIN) as stranger:
        shown = stranger.get(f"/v1/inbox/{item['id']}")
        decided = stranger.post(f"/v1/inbox/{item['id']}/decision", json=_decision(item))
        listed = stranger.get("/v1/inbox", params={"limit": 100, "all": True}).json()["items"]
    assert shown.status_code == decided.status_code == 404
    assert item["id"] not in {each["id"] for each in listed}


@pytest.mark.parametrize(
    "choice", [{"results": [99]}, {"results": []}, {"text": "2024"}, {"results": [0, 0]}], ids=str
)
def test_a_choice_must_fit_what_was_asked(worked: Standing, choice: dict[str, Any]) -> None:
    item = _start(worked)
    with worked.client(role=Role.APPROVER) as approver:
        sent = _decision(item, choice=choice)
        response = approver.post(f"/v1/inbox/{item['id']}/decision", json=sent)
    assert (response.status_code, response.json()["code"]) == (409, "UNFITTING_CHOICE")
