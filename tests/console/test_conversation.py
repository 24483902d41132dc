"""Conversations: kept by the server for their owner, listed by when they went on, and at short
addresses that outlive the page."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.responses import Response

from tests.console.chromium import sign_in, window
from tests.console.pages import SAME, signed_in, token_of
from tests.console.stored import kept_conversation
from tests.server.rights import belongings
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.console.conversation import (
    CONVERSATION_COOKIE,
    Conversation,
    conversation,
    forget,
    last_conversation,
    remember,
)
from veridical.console.rail import groups_of
from veridical.contracts.question import MOST_TURNS
from veridical.server.identity import Role
from veridical.store.conversations import (
    LONGEST_TITLE,
    Owner,
    SavedConversation,
    list_conversations,
)

pytestmark = pytest.mark.postgres
QUESTION = "What was the balance of account 1020 at the end of 2024?"
NEXT = "And the year before?"
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def _with_cookie(text: str) -> Request:
    headers = [(b"cookie", f"{CONVERSATION_COOKIE}={text}".encode())]
    return Request({"type": "http", "headers": headers})


def _cookie(response: Response) -> str:
    return response.headers["set-cookie"].partition("=")[2].partition(";")[0]


def test_a_form_may_name_a_turn_twice_and_old_ones_are_left_out() -> None:
    assert conversation("books", ["a", "b", "a", ""]) == Conversation("books", ("a", "b"))
    turns = [str(place) for place in range(MOST_TURNS + 5)]
    assert conversation("", turns).with_turn("new").thread == (*turns[6:], "new")


def test_the_address_leads_to_the_last_turn() -> None:
    assert Conversation("books", ()).address == "/console/ask"
    assert Conversation("a&b", ("x", "y")).address == "/console/ask?feature=a%26b&t=x&t=y#t-y"
    assert Conversation("books", ("x", "y"), "abc").address == "/console/c/abc#t-y"


def test_only_a_kept_conversation_is_remembered() -> None:
    response = Response()
    remember(response, Conversation("books", ("x",), "a-b_c"))
    assert last_conversation(_with_cookie(_cookie(response))).id == "a-b_c"
    for text in ("", "no id", "x" * 99, "/etc", "é"):
        assert last_conversation(_with_cookie(text)) == Conversation()
    forgotten, never_kept = Response(), Response()
    forget(forgotten)
    remember(never_kept, Conversation("books"))
    for response in (forgotten, never_kept):
        assert "Max-Age=0" in response.headers["set-cookie"]


def test_the_list_is_by_when_they_went_on() -> None:
    now = datetime(2026, 3, 10, 0, 30, tzinfo=UTC)
    ages = {"a": 0, "b": 1, "c": 7, "d": 8, "e": 100}
    found = [
        SavedConversation(name, name, "", (), name == "e", now - timedelta(days=days))
        for name, days in ages.items()
    ]
    groups = {name: [each.id for each in group] for name, group in groups_of(found, now)}
    assert groups == {"pinned": ["e"], "today": ["a"], "last_week": ["b", "c"], "older_ones": ["d"]}


def test_nobody_else_finds_opens_or_changes_it(console: Standing) -> None:
    trace = belongings(console).trace
    made = kept_conversation(console, f"{Role.ANALYST} of {ACME}", trace, title="My secret plan")
    for role, tenant in ((Role.ADMIN, ACME), (Role.ANALYST, GLOBEX)):
        with signed_in(console, role, tenant) as client:
            token = {"csrf": token_of(client)}
            assert client.get(f"/console/c/{made}").status_code == 404
            for do in ("rename", "pin", "delete"):
                sent = {**token, "do": do, "title": "mine"}
                response = client.post(f"/console/c/{made}", data=sent, headers=SAME)
                assert response.status_code == 404
            asked = client.post(
                "/console/ask",
                data={**token, "c": made, "feature": "trustee", "question": QUESTION},
                headers=SAME,
            )
            assert made not in asked.headers["location"]
            client.cookies.set(CONVERSATION_COOKIE, made)
            assert "secret" not in client.get("/console/conversations").text
            assert "secret" not in client.get("/console/ask").text
    with signed_in(console, Role.ANALYST) as client:
        there = client.get(f"/c/{made}").headers["location"]
        assert "My secret plan" in client.get(there).text


def test_secrets_stay_out_of_titles_and_long_ones_are_cut(console: Standing) -> None:
    owner = Owner(ACME, "a careless person")
    kept_conversation(
        console, owner.person, title="Use sk-abcdefghijklmnopqrstuvwx1234 " + "x" * 300
    )
    with console.services.store.tenant(ACME) as connection:
        (found,) = list_conversations(connection, owner, 10)
    assert "abcdefghijkl" not in found.title
    assert len(found.title) <= LONGEST_TITLE


def _ask(page: Page, question: str, turns: int) -> None:
    page.fill("#question", question)
    page.click("#ask button.primary")
    expect(page.locator("article.turn")).to_have_count(turns)


@with_and_without
def test_it_outlives_page_language_and_browser(
    browser: Browser, console: Standing, scripts: bool
) -> None:
    context = window(browser, locale="en", java_script_enabled=scripts)
    page = context.new_page()
    sign_in(page, console, Role.ANALYST)
    _ask(page, QUESTION, 1)
    expect(page).to_have_url(re.compile(r"/console/c/[\w-]{12}(#.*)?$"))
    address = page.url.partition("#")[0]
    expect(page.locator(".rail .conversations li.current a").first).to_have_text(QUESTION)
    page.click(".languages [value=de]")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("article.turn")).to_have_count(1)
    page.click(".languages [value=en]")
    _ask(page, NEXT, 2)
    assert page.url.partition("#")[0] == address
    page.reload()
    expect(page.locator("article.turn h2")).to_have_text([QUESTION, NEXT])
    other = window(browser, java_script_enabled=scripts).new_page()
    sign_in(other, console, Role.ANALYST)
    other.click(f".rail a[href='{address.removeprefix(console.address)}']")
    expect(other.locator("article.turn h2")).to_have_text([QUESTION, NEXT])
    other.context.close()
    context.close()


def test_it_is_found_renamed_pinned_and_deleted_without_scripts(
    browser: Browser, console: Standing
) -> None:
    context = window(browser, locale="en", java_script_enabled=False)
    page = context.new_page()
    sign_in(page, console, Role.APPROVER)
    _ask(page, QUESTION, 1)
    _ask(page, NEXT, 2)
    mine = page.locator(".rail .conversations li.current")
    mine.locator("summary").click()
    mine.locator("input[name=title]").fill("Cash at year-end")
    mine.locator("button[value=rename]").click()
    expect(mine).to_contain_text("Cash at year-end")
    mine.locator("summary").click()
    mine.locator("button[value=pin]").click()
    expect(page.locator(".rail h2").first).to_have_text("Pinned")
    for words, count in (("cash at", 1), ("year before", 1), ("100%_", 0)):
        page.goto(f"{console.address}/console/conversations")
        page.fill("#find", words)
        page.keyboard.press("Enter")
        expect(page.locator(".conversations a", has_text="Cash at year-end")).to_have_count(count)
    page.goto(f"{console.address}/console/ask")
    expect(page.locator("article.turn")).to_have_count(2)
    mine.locator("summary").click()
    mine.locator("button[value=delete]").click()
    expect(page.locator("article.turn")).to_have_count(0)
    expect(page.locator(".conversations a", has_text="Cash at year-end")).to_have_count(0)
    context.close()
