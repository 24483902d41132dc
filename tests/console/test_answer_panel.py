"""The panel of an answer, in a minimal host of MCP Apps in a real browser."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp.client import advertise
from mcp.types import TextResourceContents
from playwright.sync_api import Browser, expect

from tests.console.apps_host import shown_in_host
from tests.console.chromium import chromium
from tests.server.mcp.talking import MODES, talking, text_of
from tests.server.standing import BALANCE, Standing

pytestmark = pytest.mark.postgres

COURSE = "How did the balance of account 1020 develop month by month in 2025?"
NOBODY = "What was the balance of account 9999 at the end of 2024?"


def asked(
    console: Standing, question: str, language: str = "en", mode: str = "auto"
) -> tuple[str, dict[str, Any], Any]:
    """The page, the arguments and the result of a question, as a host gets them."""
    arguments = {"feature": "trustee", "question": question}

    async def talk() -> tuple[str, Any]:
        async with talking(console, mode=mode, language=language) as client:
            (tool,) = [
                each
                for each in (await client.list_tools()).tools
                if each.name == "queryFeatureInstance"
            ]
            assert tool.meta is not None
            uri = tool.meta["ui"]["resourceUri"]
            assert uri.startswith("ui://")
            listed = {each.uri: each for each in (await client.list_resources()).resources}
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            for each in (content, listed[uri]):
                assert each.mime_type == "text/html;profile=mcp-app"
                assert each.meta == {"ui": {"csp": {}, "prefersBorder": True}}
            return content.text, await client.call_tool(tool.name, arguments)

    page, result = asyncio.run(talk())
    return page, arguments, result


def wired(result: Any) -> dict[str, Any]:
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


# Before the browser is there: its event loop runs in this thread.
@pytest.mark.parametrize("mode", MODES)
def test_a_client_without_panels_reads_all_of_it_in_the_text(console: Standing, mode: str) -> None:
    _, _, result = asked(console, BALANCE, mode=mode)
    read = json.loads(text_of(result))["data"]
    data = result.structured_content["data"]
    assert read["text"] == data["text"]
    sentences = {name: fact["sentence"] for name, fact in data["facts"]["facts"].items()}
    assert read["exact"] == sentences
    (receipt,) = read["receipts"]
    assert receipt["callId"] == data["sources"][0]["receipt"]["callId"]
    assert receipt["rows"] == 1
    assert receipt["sql"].startswith("SELECT")
    assert "shown" not in read


def test_the_model_of_a_client_with_panels_is_asked_not_to_retype(console: Standing) -> None:
    panels = advertise("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})

    async def talk() -> Any:
        async with talking(console, extensions=(panels,)) as client:
            assert client.server_capabilities.extensions == {"io.modelcontextprotocol/ui": {}}
            asked = {"feature": "trustee", "question": BALANCE}
            return await client.call_tool("queryFeatureInstance", asked)

    read = json.loads(text_of(asyncio.run(talk())))["data"]
    assert "Don't retype figures" in read["shown"]
    assert read["exact"]


@pytest.fixture(scope="module")
def answers(console: Standing) -> dict[str, tuple[str, dict[str, Any], Any]]:
    german = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
    return {
        "course": asked(console, COURSE),
        "balance": asked(console, german, "de"),
        "nobody": asked(console, NOBODY),
    }


@pytest.fixture(scope="module")
def browser(answers: object) -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def test_the_panel_shows_the_answer_of_the_console_with_chart_sentences_and_receipts(
    browser: Browser, answers: dict[str, tuple[str, dict[str, Any], Any]]
) -> None:
    page, arguments, result = answers["course"]
    data = result.structured_content["data"]
    with shown_in_host(browser, page, arguments, wired(result)) as view:
        shown = view.shown
        expect(shown.locator("svg.course circle")).to_have_count(12)
        expect(shown.locator(".trust .good")).to_be_visible()
        shown.locator("details.all > summary").click()
        expect(shown.locator("table.figures tbody tr")).to_have_count(12)
        shown.locator("details.exact > summary").click()
        for fact in data["facts"]["facts"].values():
            expect(shown.locator("details.exact")).to_contain_text(fact["sentence"][:60])
        shown.locator("details.source > summary").first.click()
        expect(shown.locator("details.source pre").first).to_contain_text("SELECT")
        expect(shown.locator(".run code")).to_have_text(data["traceId"])
        shown.locator(".text .mark.good").first.click()
        expect(shown.locator(".pop:popover-open .line").first).to_be_visible()
        methods = view.methods()
        assert methods[:3] == [
            "ui/notifications/sandbox-proxy-ready",
            "ui/initialize",
            "ui/notifications/initialized",
        ]
        assert {each.rsplit("/", 1)[-1] for each in view.requests} == {
            "host.html",
            "given.json",
            "sandbox.html",
        }


def test_the_panel_is_as_high_as_its_answer_and_wears_the_hosts_colours(
    browser: Browser, answers: dict[str, tuple[str, dict[str, Any], Any]]
) -> None:
    page, arguments, result = answers["balance"]
    figure = result.structured_content["data"]["facts"]["shown"]
    with shown_in_host(browser, page, arguments, wired(result), theme="dark") as view:
        first = view.shown.locator(".figure-first")
        expect(first).to_contain_text(next(iter(figure.values()))["columns"][0]["texts"][0])
        html = view.shown.locator("html")
        expect(html).to_have_attribute("lang", "de")
        expect(html).to_have_css("color-scheme", "dark")
        view.page.evaluate("window.change({ theme: 'light' })")
        expect(html).to_have_css("color-scheme", "light")
        frame = view.page.locator("#sandbox")
        height = view.shown.locator("html").evaluate("one => one.scrollHeight")
        expect(frame).to_have_css("height", f"{height}px")
        before = height
        view.shown.locator("details.exact > summary").click()
        view.page.wait_for_function("before => sandbox.clientHeight > before", arg=before)
        view.shown.locator(".mark.good").first.click()  # what is behind it has room, too
        expect(view.shown.locator(".pop:popover-open")).to_be_in_viewport(ratio=1)
        view.page.evaluate("window.teardown()")
        view.page.wait_for_function("window.seen.some(each => each.id === 'end' && each.result)")


def test_nothing_green_where_there_is_no_figure(
    browser: Browser, answers: dict[str, tuple[str, dict[str, Any], Any]]
) -> None:
    page, arguments, result = answers["nobody"]
    with shown_in_host(browser, page, arguments, wired(result), width=390) as view:
        expect(view.shown.locator(".trust")).to_contain_text("No figure from your data")
        expect(view.shown.locator(".trust .good, .mark.good")).to_have_count(0)
        narrow = view.shown.locator("html").evaluate("one => one.scrollWidth <= one.clientWidth")
        assert narrow


def test_a_suggestion_is_written_by_the_host_and_markup_stays_text(
    browser: Browser, answers: dict[str, tuple[str, dict[str, Any], Any]]
) -> None:
    page, arguments, _ = answers["balance"]
    html = '<ul class="choices"><li><a href="/console/ask?q=x">Which year?</a></li></ul>'
    result = {"content": [], "_meta": {"veridical/panel": {"html": html, "language": "en"}}}
    with shown_in_host(browser, page, arguments, result) as view:
        view.shown.locator(".choices a").click()
        view.page.wait_for_function("window.seen.some(each => each.method === 'ui/message')")
        sent = next(each for each in view.messages() if each.get("method") == "ui/message")
        assert sent["params"] == {
            "role": "user",
            "content": {"type": "text", "text": "Which year?"},
        }
    bare = {"content": [{"type": "text", "text": "<b>5</b>"}]}
    with shown_in_host(browser, page, arguments, bare) as view:
        expect(view.shown.locator("#answer")).to_have_text("<b>5</b>")
