"""Approvals that protect: no silence, no slip of a finger and no second key approves anything."""

import getpass
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from typer.testing import CliRunner

from tests.console.chromium import chromium, sign_in, window
from tests.console.pages import SAME, signed_in, token_of, visitor
from tests.sample import trustee
from tests.server.serving import wait_until
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.console.mount import add_console
from veridical.runs.inbox_item import InboxDeadlines
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.keys import create_key

__all__ = ["trustee"]
pytestmark = pytest.mark.postgres
ASKED = {"feature": "trustee", "question": BALANCE, "approvals": {"evidence": True}}


@pytest.fixture(scope="module")
def server(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Standing]:
    url = postgres_server.create_database("s10_approvals")
    with standing(url, trustee, prepare(url), furnish=add_console) as running:
        yield running


@pytest.fixture
def worker(server: Standing, trustee: Feature) -> Iterator[None]:
    """Gone with the test: a process has one engine."""
    with working(server.services.runs.settings, trustee):
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def client_of(server: Standing, key: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=server.address, headers={"authorization": f"Bearer {key}"}, timeout=60
    )


def made(server: Standing, name: str, role: Role, person: str = "", tenant: str = ACME) -> str:
    """A key that the operator made."""
    with server.services.store.operator() as connection:
        return create_key(connection, tenant, name, role, actor="operator", person=person).key


def item_of(server: Standing, asker: httpx2.Client) -> dict[str, Any]:
    """What a run of this person waits for."""
    run = asker.post("/v1/runs", json=ASKED).raise_for_status().json()["runId"]
    wait_until(lambda: asker.get(f"/v1/runs/{run}").json()["status"] == "waiting")
    return asker.get(f"/v1/inbox/{asker.get(f'/v1/runs/{run}').json()['waitingFor']}").json()


def decided(client: httpx2.Client, item: dict[str, Any], *, approved: bool) -> httpx2.Response:
    ruling = {"approved": approved, "evidenceHash": item["evidenceHash"]}
    return client.post(f"/v1/inbox/{item['id']}/decision", json=ruling)


def status(server: Standing, item: dict[str, Any]) -> str:
    found = server.services.inbox.item(item["id"], item["tenant"])
    assert found is not None
    return found.status


@pytest.mark.usefixtures("worker")
def test_s10_a_key_that_the_requester_made_approves_nothing_of_theirs(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as ada:
        second = ada.post("/v1/keys", json={"name": "Grace", "role": "admin"}).json()["key"]
        with client_of(server, second) as grace:
            third = grace.post("/v1/keys", json={"name": "Hal", "role": "approver"}).json()["key"]
        item = item_of(server, ada)
        for key in (second, third):
            with client_of(server, key) as other:
                refused = decided(other, item, approved=True)
                assert (refused.status_code, refused.json()["code"]) == (403, "OWN_REQUEST")
                theirs = item_of(server, other)
            assert decided(ada, theirs, approved=True).status_code == 403
        with server.client(role=Role.APPROVER) as somebody:
            assert decided(somebody, item, approved=True).status_code == 200


@pytest.mark.usefixtures("worker")
def test_s10_one_person_with_two_keys_of_the_operator(server: Standing) -> None:
    asking = made(server, "report of Ada", Role.ANALYST, person="Ada")
    deciding = made(server, "laptop of Ada", Role.APPROVER, person="ada ")
    with client_of(server, asking) as one, client_of(server, deciding) as other:
        item = item_of(server, one)
        assert decided(other, item, approved=True).status_code == 403
        assert decided(other, item, approved=False).status_code == 200  # a denial harms nobody


@pytest.mark.usefixtures("worker")
def test_s10_the_console_offers_nobody_their_own_approval(server: Standing) -> None:
    with server.client(role=Role.ADMIN) as asker, signed_in(server, Role.ADMIN) as page:
        item = item_of(server, asker)
        shown = page.get(f"/console/inbox/{item['id']}").text
        assert 'value="deny"' in shown
        assert 'value="approve"' not in shown
        form = {"csrf": token_of(page), "decision": "approve", "evidenceHash": item["evidenceHash"]}
        refused = page.post(f"/console/inbox/{item['id']}", data=form, headers=SAME)
        assert refused.status_code == 403
    assert status(server, item) == "pending"


@pytest.mark.usefixtures("worker")
def test_s10_nor_does_the_command_line(server: Standing) -> None:
    key = made(server, "report", Role.ANALYST, person=getpass.getuser())
    with client_of(server, key) as asker:
        item = item_of(server, asker)
    url = server.services.runs.settings.database_url
    given = ("inbox", "decide", item["id"], "--evidence", item["evidenceHash"], "--approve")
    refused = CliRunner().invoke(app, (*given, "--database", url))
    assert refused.exit_code == 2
    assert "someone other" in " ".join(refused.output.split()).casefold()
    assert status(server, item) == "pending"


@pytest.mark.parametrize("approve", [False, True])
def test_s10_silence_is_a_denial_unless_the_owner_has_said_otherwise(
    server: Standing, trustee: Feature, approve: bool
) -> None:
    deadlines = InboxDeadlines(
        evidence=8 / 3600, approve_unanswered=("evidence",) if approve else ()
    )
    settings = server.services.runs.settings.model_copy(update={"deadlines": deadlines})
    with (
        working(settings, trustee),
        server.client() as asker,
        signed_in(server, Role.APPROVER) as page,
    ):
        item = item_of(server, asker)
        assert item["autoApprove"] is approve
        said = "Approved automatically on" if approve else "Denied automatically on"
        for path in ("/console/inbox", f"/console/inbox/{item['id']}"):
            assert said in page.get(path).text
        run = item["runId"]
        wait_until(lambda: asker.get(f"/v1/runs/{run}").json()["status"] == "done")
        answer = asker.get(f"/v1/runs/{run}").json()["answer"]
    assert answer["hitl"]["autoApproved"] is approve
    assert answer["hitl"]["consulted"][0]["decision"]["approved"] is approve
    assert ("1'104'822.67" in answer["text"]) is approve


def test_s10_no_risky_call_is_ever_approved_by_silence() -> None:
    with pytest.raises(ValueError, match="approveUnanswered"):
        InboxDeadlines.model_validate({"approveUnanswered": ["call"]})


def opened_item(browser: Browser, server: Standing, key: str) -> tuple[Page, dict[str, Any]]:
    with client_of(server, key) as asker:
        item = item_of(server, asker)
    page = window(browser, locale="en").new_page()
    sign_in(page, server, Role.APPROVER, where="inbox")
    page.goto(f"{server.address}/console/inbox/{item['id']}")
    return page, item


@pytest.mark.usefixtures("worker")
def test_s10_one_key_on_the_keyboard_approves_nothing(browser: Browser, server: Standing) -> None:
    page, item = opened_item(browser, server, server.keys[ACME, Role.ANALYST])
    page.keyboard.press("a")
    page.keyboard.press("Alt+a")
    expect(page.locator("#press")).to_contain_text("Press Enter to confirm: Approve")
    page.locator("input[name=result]").first.focus()
    page.keyboard.press("Enter")
    time.sleep(1)
    assert status(server, item) == "pending"
    page.reload()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.good")).to_contain_text("approved")
    assert status(server, item) == "decided"
    page.close()


def test_s10_revoking_asks_first_also_without_scripts(browser: Browser, server: Standing) -> None:
    key = made(server, "old robot", Role.VIEWER)
    context = window(browser, locale="en", java_script_enabled=False)
    page = context.new_page()
    sign_in(page, server, where="admin")
    row = page.locator("tr", has_text="old robot")
    row.locator("text=Revoke").click()
    expect(page.locator("main")).to_contain_text("can't be restored")
    with client_of(server, key) as robot:
        assert robot.get("/v1/runs").status_code == 200
    page.click("text=Revoke for good")
    expect(page.locator("tr", has_text="old robot")).to_contain_text("revoked")
    context.close()


def test_s10_a_form_without_confirmation_revokes_nothing(server: Standing) -> None:
    key = made(server, "still here", Role.VIEWER)
    with signed_in(server) as admin:
        path = f"/console/admin/keys/{key.split('_')[1]}/revoke"
        asked = admin.post(path, data={"csrf": token_of(admin)}, headers=SAME)
        assert "Revoke for good" in asked.text
    with visitor(server) as client:
        given = {"key": key}
        assert client.post("/console/signin", data=given, headers=SAME).status_code == 303


def test_s10_ones_own_last_key_to_administer_needs_a_word_more(server: Standing) -> None:
    own = server.keys[GLOBEX, Role.ADMIN].split("_")[1]
    path = f"/console/admin/keys/{own}/revoke"
    with signed_in(server, tenant=GLOBEX) as admin:
        shown = admin.get(path).text
        assert "last key that can administer" in shown
        assert "signs you out" in shown
        form = {"csrf": token_of(admin), "confirmed": "yes"}
        assert admin.post(path, data=form, headers=SAME).status_code == 200
        assert admin.get("/console/admin").status_code == 200
        with server.client(GLOBEX, Role.ADMIN) as program:
            refused = program.delete(f"/v1/keys/{own}")
            assert (refused.status_code, refused.json()["code"]) == (409, "LAST_ADMIN_KEY")
        made(server, "another", Role.ADMIN, tenant=GLOBEX)
        assert "last key that can administer" not in admin.get(path).text
        assert admin.post(path, data=form, headers=SAME).status_code == 303
        assert admin.get("/console/admin").status_code == 303
