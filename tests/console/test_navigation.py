"""The navigation by job: each person's sections, what waits for them, modules that are off, colours
by choice, and the checklist."""

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.console.pages import signed_in
from tests.server.rights import belongings
from tests.server.standing import ACME, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.console.navigation import SECTIONS, current_place, navigation
from veridical.console.one_time_link import OneTimeLink
from veridical.runs.inbox_item import Decider
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import ACTIONS, Role
from veridical.server.settings import Module

pytestmark = pytest.mark.postgres
QUESTION = "What was the balance of account 1020 at the end of 2024?"
JOBS = ["ask", "inbox", "evidence", "requirements", "data", "quality", "settings"]


def _paths(role: Role, *, maintains: bool = False) -> dict[str, list[str]]:
    found = navigation(ACTIONS[role], tuple(Module), maintains=maintains)
    return {section.name: [each.path for each in section.places] for section in found}


def test_each_role_has_the_pages_it_may_open() -> None:
    viewer, admin = _paths(Role.VIEWER), _paths(Role.ADMIN)
    assert list(viewer) == [each for each in JOBS if each not in {"evidence", "requirements"}]
    assert viewer["quality"] == ["/console/runs"]
    assert list(admin) == JOBS
    assert "/console/admin/model" not in admin["settings"]
    assert "/console/admin/model" in _paths(Role.ADMIN, maintains=True)["settings"]


def test_modules_that_are_off_are_not_there() -> None:
    found = navigation(ACTIONS[Role.ADMIN], (), maintains=True)
    assert [each.name for each in found] == ["ask", "inbox", "data", "quality", "settings"]


def test_a_page_belongs_to_the_section_with_the_longest_address() -> None:
    where = {
        "/console/runs/abc": ("quality", "/console/runs"),
        "/console/quality/reviews": ("quality", "/console/quality/reviews"),
        "/console/admin/keys/1/revoke": ("settings", "/console/admin"),
        "/console/ask/files": ("ask", "/console/ask"),
    }
    for path, expected in where.items():
        found = current_place(SECTIONS, path)
        assert found is not None
        assert (found[0].name, found[1].path) == expected
    assert current_place(SECTIONS, "/console/asked") is None


def test_only_what_somebody_can_decide_is_counted(console: Standing) -> None:
    inbox = console.services.inbox
    approver = Decider(ACME, "an approver", may_decide=True)
    asker = Decider(ACME, "somebody", may_decide=True)
    reader = Decider(ACME, "a reader", may_decide=False)
    before = [inbox.count_for(each) for each in (approver, asker, reader)]
    belongings(console)
    after = [inbox.count_for(each) for each in (approver, asker, reader)]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 0, 0]
    with signed_in(console, Role.APPROVER) as client:
        counted = client.get("/console/inbox").text
        assert f'<span class="count">{after[0]}<' in counted
    with signed_in(console, Role.ANALYST) as client:
        assert 'class="count"' not in client.get("/console/inbox").text


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_colours_are_chosen_and_stay(browser: Browser, console: Standing, scripts: bool) -> None:
    context = window(browser, color_scheme="light", java_script_enabled=scripts, locale="en")
    page = context.new_page()
    sign_in(page, console, Role.VIEWER, where="settings")
    seen: list[str] = []
    for theme in ("dark", "light", "system"):
        page.click(f"main button[value={theme}]")
        expect(page.locator(f"main button[value={theme}]")).to_have_attribute(
            "aria-pressed", "true"
        )
        page.click(".bar nav a[href='/console/inbox']")
        expect(page.locator("main h1")).to_be_visible()
        seen.append(page.locator("html").evaluate("element => getComputedStyle(element).color"))
        page.goto(f"{console.address}/console/settings")
    dark, light, system = seen
    assert dark != light == system
    context.close()


@pytest.fixture(scope="module")
def demo(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[tuple[Standing, str]]:
    url = postgres_server.create_database("navigation_own")
    keys = prepare(url)
    link = OneTimeLink(keys[ACME, Role.ADMIN], with_tour=True)
    furnish = partial(add_console, link=link)
    with standing(
        url, trustee, keys, furnish=furnish, console_modules=(Module.EVIDENCE,)
    ) as running:
        yield running, link.path()


def test_a_module_that_is_off_has_no_pages_and_no_step(
    browser: Browser, demo: tuple[Standing, str]
) -> None:
    """And the checklist ticks off what was really done: with the answer, and on later pages."""
    server, path = demo
    context = window(browser, locale="en")
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator(".tour li")).to_have_count(4)
    expect(page.locator(".tour h2")).to_contain_text("0 of 4")
    page.fill("#question", QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".tour li.done")).to_have_count(1)
    expect(page.locator(".tour li.done")).to_contain_text("Ask a question")
    page.click(".bar nav a[href='/console/inbox']")
    expect(page.locator(".tour h2")).to_contain_text("1 of 4")
    answered = page.goto(f"{server.address}/console/requirements")
    assert answered is not None
    assert answered.status == 404
    expect(page.locator(".bar nav a[href='/console/requirements']")).to_have_count(0)
    context.close()
