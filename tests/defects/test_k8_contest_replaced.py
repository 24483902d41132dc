"""An answer of the host in place of the model's can be contested like any other."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tests.balance_asked import CALL, INVENTED, QUESTION
from tests.console.chromium import sign_in
from tests.defects.console_server import Demo, Windows, browser, demo, trustee, windows
from tests.server.serving import served
from tests.server.standing import ACME, Standing
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.console.mount import add_console
from veridical.contracts.proof import GateCode
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app
from veridical.server.identity import Role
from veridical.store.false_blocks import FalseBlockReport, reports
from veridical.testing.script import Line, Script

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

_FIGURES = count(910)
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


@contextmanager
def _inventing(server: Standing) -> Generator[Standing]:
    """The same server with a model that asks rightly and types a figure, twice; each time
    another, because the same report of the same person is kept once."""
    settings = AgentSettings(model="scripted", answer_form=AnswerForm.FACTS)
    invented = INVENTED.replace("987", str(next(_FIGURES)))
    typed: Line = [("finalAnswer", {"facts": {}, "answer": invented})]
    model = Script([[CALL], typed, typed]).model
    runtime = replace(server.services.runtime, model=model, settings=settings)
    services = replace(server.services, current=CurrentRuntime(runtime))
    app = create_app(services)
    add_console(app)
    with served(app) as address:
        yield replace(server, services=services, address=address)


def _kept(server: Standing) -> tuple[FalseBlockReport, ...]:
    with server.services.store.tenant(ACME) as connection:
        return reports(connection)


def _replaced(page: Page, server: Standing) -> str:
    """A turn whose answer the host composed; the run that it came from."""
    sign_in(page, server, Role.ANALYST)
    page.fill("#question", QUESTION)
    page.click("#ask button.primary")
    turn = page.locator("article.turn")
    expect(turn.locator(".answer")).to_contain_text("closingBalance")
    expect(turn.locator(".answer .lead")).not_to_contain_text("654.32")
    return (turn.get_attribute("id") or "").removeprefix("t-")


def _contest(page: Page, note: str) -> None:
    page.locator("details.report summary").click()
    expect(page.locator("details.report code").first).to_be_visible()
    page.fill("details.report [name=note]", note)
    page.click("details.report button")
    expect(page.locator("main .notice.good")).to_be_visible()


@with_and_without
def test_k8_a_replaced_answer_is_contested_within_the_conversation(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    with _inventing(demo[0]) as server:
        trace = _replaced(page, server)
        _contest(page, "It was right.")
        (report,) = [each for each in _kept(server) if each.trace_id == trace]
        page.click("main a.button")
        expect(page.locator("article.turn h2")).to_have_text([QUESTION])
    assert report.note == "It was right."
    assert report.codes
    assert set(report.codes) <= set(GateCode)


def test_k8_and_on_the_page_of_its_run(demo: Demo, windows: Windows) -> None:
    page = windows()
    with _inventing(demo[0]) as server:
        trace = _replaced(page, server)
        page.click("text=Run details")
        expect(page).to_have_url(f"{server.address}/console/runs/{trace}")
        _contest(page, "Seen on the page of the run.")
        page.click("main a.button")
        expect(page).to_have_url(f"{server.address}/console/runs/{trace}")
        assert "Seen on the page of the run." in {each.note for each in _kept(server)}


def test_k8_a_report_of_it_can_be_agreed_to(demo: Demo, windows: Windows) -> None:
    page = windows()
    with _inventing(demo[0]) as server:
        trace = _replaced(page, server)
        _contest(page, "The administrator agrees.")
        (report,) = [each for each in _kept(server) if each.trace_id == trace]
        admin = windows()
        sign_in(admin, server, Role.ADMIN, where="quality/reviews")
        admin.locator(f"#r{report.id} button.primary").click()
        expect(admin.locator(f"#r{report.id} .notice.good")).to_be_visible()


def test_k8_who_may_only_read_is_not_offered_it(demo: Demo, windows: Windows) -> None:
    page, reader = windows(), windows()
    with _inventing(demo[0]) as server:
        trace = _replaced(page, server)
        sign_in(reader, server, Role.VIEWER)
        for where in (f"ask?t={trace}", f"runs/{trace}"):
            reader.goto(f"{server.address}/console/{where}")
            expect(reader.locator(".answer")).to_be_visible()
            expect(reader.locator("details.report")).to_have_count(0)
