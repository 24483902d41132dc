"""Links to answers: for who may see the run, until they expire or are revoked."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.console.pages import SAME, signed_in, token_of, visitor
from tests.console.stored import shared_answer
from tests.server.rights import belongings
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres


def test_an_answer_is_shared_seen_by_a_colleague_and_revoked(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ANALYST)
    page.fill("#question", BALANCE)
    page.keyboard.press("Enter")
    turn = page.locator("article.turn").last
    turn.get_by_text("Share", exact=True).click()
    turn.locator("select[name=days]").select_option("1")
    turn.get_by_role("button", name="Create link").click()
    page.wait_for_url("**/console/s/*")
    expect(page.locator("h1")).to_have_text(BALANCE)
    path = page.url.removeprefix(console.address)
    expect(page.locator("#link")).to_have_text(page.url)
    with signed_in(console, Role.VIEWER) as colleague:
        seen = colleague.get(path)
        assert seen.status_code == 200
        assert "Revoke link" not in seen.text
        form = {"csrf": token_of(colleague)}
        assert colleague.post(f"{path}/revoke", data=form, headers=SAME).status_code == 404
        page.get_by_role("button", name="Revoke link").click()
        page.wait_for_url("**/console/shares")
        ended = colleague.get(path)
        assert ended.status_code == 410
        assert "no longer works" in ended.text
        assert "CHF" not in ended.text


def test_a_link_is_no_right(console: Standing) -> None:
    path = f"/console/s/{shared_answer(console, 'somebody', belongings(console).trace)}"
    with visitor(console) as client:
        assert client.get(path).headers["location"].startswith("/console/signin")
    with signed_in(console, Role.ADMIN, GLOBEX) as client:
        assert client.get(path).status_code == 404
        form = {"csrf": token_of(client)}
        assert client.post(f"{path}/revoke", data=form, headers=SAME).status_code == 404
    with signed_in(console, Role.VIEWER) as client:
        assert client.get(path).status_code == 200


def test_a_link_expires(console: Standing) -> None:
    trace = belongings(console).trace
    expired = shared_answer(console, "somebody", trace, days=-1)
    with signed_in(console, Role.ADMIN) as client:
        assert client.get(f"/console/s/{expired}").status_code == 410
        assert expired not in client.get("/console/shares").text


def test_people_list_their_own_links_and_administrators_those_of_all(console: Standing) -> None:
    trace = belongings(console).trace
    mine = shared_answer(console, f"{Role.ANALYST} of {ACME}", trace)
    theirs = shared_answer(console, "somebody", trace)
    with signed_in(console, Role.ANALYST) as client:
        listed = client.get("/console/shares").text
        assert mine in listed
        assert theirs not in listed
    with signed_in(console, Role.ADMIN) as client:
        assert {mine, theirs} <= set(
            re.findall(r"/console/s/([\w-]+)\"", client.get("/console/shares").text)
        )
        form = {"csrf": token_of(client), "next": "/console/shares"}
        client.post(f"/console/s/{theirs}/revoke", data=form, headers=SAME)
        assert client.get(f"/console/s/{theirs}").status_code == 410
        assert "share.revoked" in client.get("/console/admin/audit").text
