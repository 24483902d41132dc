"""A run that goes on: its steps appear while they happen, and whoever comes back misses none."""

import re
import time

import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.console.pages import signed_in
from tests.runs.asked import asked
from tests.server.standing import ACME, BALANCE, Standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.console.step_view import RenderedSteps, rendered_step, step_of
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt
from veridical.contracts.step import Progress
from veridical.contracts.trace import Answered, ToolCalled
from veridical.runs.state import RunStatus, WatchedEvent
from veridical.server.identity import Role

_ANSWER = Answer(kind=AnswerKind.UNKNOWN, text="<b>no</b>", language=Language.EN, trace_id="r")


def test_a_step_is_rendered_once_for_each_language_and_forgotten_after_many() -> None:
    steps = RenderedSteps(rendered_step, most=2)
    event = WatchedEvent(sequence=7, event=Answered(at=1.0, answer=_ANSWER))
    first = steps.message("r", event, Language.EN)
    assert steps.message("r", event, Language.EN) is first
    assert steps.message("r", event, Language.DE) != first
    assert steps.message("other", event, Language.EN) is not first
    assert steps.message("r", event, Language.EN) is not first


def test_a_message_has_a_number_and_text_is_never_markup() -> None:
    event = WatchedEvent(sequence=7, event=Answered(at=1.0, answer=_ANSWER))
    told = RenderedSteps(rendered_step).message("r", event, Language.EN).decode()
    assert told.startswith("id: 7\ndata: ")
    assert told.endswith("\n\n")
    assert told.count("\n\n") == 1
    assert "&lt;b&gt;no&lt;/b&gt;" in told
    assert "<b>no" not in told


def test_one_row_is_no_rows() -> None:
    receipt = Receipt(
        call_id="c", query_hash="", ontology_hash="", sql="", row_count=1, truncated=False,
        elapsed_ms=1,
    )  # fmt: skip
    call = ToolCalled(at=1.0, round=1, tool="t", arguments={}, success=True, receipt=receipt)
    assert step_of(call, Language.EN).text == "t: 1 row"
    assert step_of(call, Language.DE).text == "t: 1 Zeile"


def test_what_a_model_drafts_is_not_shown() -> None:
    writing = WatchedEvent(sequence=None, event=Progress(stage="writing", round=1, text="a draft"))
    assert RenderedSteps(rendered_step).message("r", writing, Language.EN) == b""


@pytest.mark.postgres
class TestOverHttp:
    def test_all_steps_come_in_order_and_then_the_end(
        self, console: Standing, trustee: Feature
    ) -> None:
        run_id = console.services.runs.start(asked(), ACME, "Ada").run_id
        with signed_in(console, Role.VIEWER) as client:
            waiting = client.get(f"/console/runs/{run_id}").text
            assert "hx-sse:connect" in waiting
            with (
                client.stream("GET", f"/console/runs/{run_id}/events") as stream,
                working(console.services.runs.settings, trustee),
            ):
                text = "".join(stream.iter_text())
            numbers = _numbers(text)
            assert numbers == list(range(len(numbers)))
            assert text.endswith("event: done\ndata: \n\n")
            assert 'id="answer"' not in text
            assert "#answer" in text
            for seen in numbers:
                again = client.get(
                    f"/console/runs/{run_id}/events", headers={"last-event-id": str(seen)}
                )
                assert _numbers(again.text) == numbers[seen + 1 :]
                assert again.text.endswith("event: done\ndata: \n\n")
            assert "hx-sse:connect" not in client.get(f"/console/runs/{run_id}").text

    def test_a_cancelled_run_says_so(self, console: Standing) -> None:
        runs = console.services.runs
        run_id = runs.start(asked(), ACME, "Ada").run_id
        with signed_in(console, Role.VIEWER) as client:
            with client.stream("GET", f"/console/runs/{run_id}/events") as stream:
                runs.cancel(run_id, ACME, "Ada")
                text = "".join(stream.iter_text())
            assert "cancelled" in text
            page = client.get(f"/console/runs/{run_id}").text
        assert runs.state(run_id, ACME).status is RunStatus.CANCELLED  # type: ignore[union-attr]
        assert "cancelled" in page
        assert "hx-sse:connect" not in page

    def test_the_answer_of_a_long_run_stands_on_every_page(
        self, console: Standing, trustee: Feature
    ) -> None:
        run_id = console.services.runs.start(asked(), ACME, "Ada").run_id
        with signed_in(console, Role.VIEWER) as client:
            with working(console.services.runs.settings, trustee):
                client.get(f"/console/runs/{run_id}/events")
            first = client.get(f"/console/runs/{run_id}?after=-1").text
            later = client.get(f"/console/runs/{run_id}?after=2").text
        assert BALANCE in later
        assert first.count('class="answer') == later.count('class="answer') == 1


@pytest.mark.postgres
class TestInTheBrowser:
    def test_the_page_follows_a_run_to_its_answer(
        self, browser: Browser, console: Standing, trustee: Feature
    ) -> None:
        run_id = console.services.runs.start(asked(), ACME, "Ada").run_id
        context = window(browser, locale="de")
        page = context.new_page()
        sign_in(page, console, Role.VIEWER, where="runs")
        page.goto(f"{console.address}/console/runs/{run_id}")
        expect(page.locator("#state")).to_have_text("in der Warteschlange")
        with working(console.services.runs.settings, trustee):
            expect(page.locator("#answer .mark.good").first).to_be_visible()
            expect(page.locator("#state")).to_have_text("beendet")
        shown = page.locator("#steps > li").count()
        assert page.locator("#count").inner_text() == str(shown)
        share = page.locator(".tools .take", has_text="Teilen")
        share.locator("summary").click()  # what has just arrived, without another load
        share.locator("select").select_option("1")
        share.locator("button").click()
        expect(page.locator("#link")).to_contain_text("/console/s/")
        expect(page.locator(".mark.good").first).to_be_visible()
        page.goto(f"{console.address}/console/runs/{run_id}")
        expect(page.locator("#steps > li")).to_have_count(shown)
        context.close()

    def test_without_scripts_it_is_loaded_again(
        self, browser: Browser, console: Standing, trustee: Feature
    ) -> None:
        run_id = console.services.runs.start(asked(), ACME, "Ada").run_id
        context = window(browser, java_script_enabled=False)
        page = context.new_page()
        sign_in(page, console, Role.VIEWER, where="runs")
        page.goto(f"{console.address}/console/runs/{run_id}")
        with working(console.services.runs.settings, trustee):
            until = time.monotonic() + 60
            while page.locator("main a", has_text="Reload").count() and time.monotonic() < until:
                with page.expect_navigation():
                    page.locator("main a", has_text="Reload").click()
        expect(page.locator("#answer")).to_contain_text("CHF")
        context.close()


def _numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"^id: (\d+)$", text, re.M)]
