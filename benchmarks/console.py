"""What the console costs: the time of its heaviest pages, and what a first visit loads.

    python -m benchmarks.console --json

A server in a process of its own, with 200 runs and one run of 10,000 events. ``*_p95_ms`` is the
time of a page from the first byte sent to the last one read, over loopback, one visitor at a time.
``first_load_kb`` is what a browser with nothing kept loads for the page to ask, as it is sent.
``lcp_ms`` is the largest contentful paint of that page in Chromium with the processor slowed down
four times, the median of several visits. ``ask_p95_ms`` is the time in Chromium from Enter to the
painted answer of a known question, ``api_ask_p95_ms`` that of the same questions over ``/v1/ask``.
``viewers`` look at one run at the same time while a worker is at it, some of them with
interruptions: ``lost_steps`` counts what any of them was not sent. The last line printed is one
JSON object.
"""

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from playwright.sync_api import Page, sync_playwright

from benchmarks.command import command, show
from benchmarks.console_viewers import viewers
from benchmarks.served import served
from benchmarks.server_load.ground import SMALL, Ground, open_ground
from benchmarks.server_load.script import known_questions
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace, Answered, Event, RunStarted, ToolCalled
from veridical.server.trace_writer import TenantTraces
from veridical.store.connection import Store

_LONG = "00000000-0000-4000-8000-000000000001"
_SAME = {"sec-fetch-site": "same-origin"}
_PATIENCE = 300.0
_SLOWER = 4
_ANSWERED = """(text) => new Promise((done) => {
    const began = performance.now();
    new MutationObserver((_, observer) => {
        if (!document.querySelector("article.turn .trust")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    }).observe(document.body, { childList: true, subtree: true });
    const field = document.querySelector("#question");
    field.value = text;
    field.form.requestSubmit();
})"""


class Size(NamedTuple):
    """How much is measured."""

    runs: int
    events: int
    visits: int
    paints: int
    asks: int
    viewers: int
    steps: int


FULL = Size(runs=200, events=10_000, visits=200, paints=9, asks=100, viewers=300, steps=60)
SMOKE = Size(runs=20, events=300, visits=5, paints=1, asks=3, viewers=6, steps=3)


def figures(size: Size) -> dict[str, Any]:
    """All figures of this size."""
    with tempfile.TemporaryDirectory() as folder, open_ground(Path(folder)) as ground:
        _fill(ground, size)
        with served(Path(folder), ground.settings) as server:
            address = server.address
            return {
                **_pages(address, ground, size),
                **viewers(address, ground, size.viewers, size.steps),
                "api_ask_p95_ms": round(1000 * _p95(_api_asks(address, ground, size)), 1),
                **_browser(address, ground, size),
            }


def _fill(ground: Ground, size: Size) -> None:
    store = Store(ground.orders.runs_url)
    traces = TenantTraces(store)
    traces.save(
        [_trace(f"{place:08d}-0000-4000-8000-000000000000", 5) for place in range(size.runs)]
    )
    traces.save([_trace(_LONG, size.events)])
    store.close()


def _trace(trace_id: str, events: int) -> AgentTrace:
    now = time.time()
    question = Question(text="What was the balance of account 1020?", feature="trustee")
    started = RunStarted(at=now, question=question, caller="Ada", tenant=SMALL)
    called: list[Event] = [
        ToolCalled(
            at=now + place,
            round=place,
            tool="queryTable",
            arguments={"tableName": "AccountBalance", "filters": [{"field": "periodYear"}]},
            success=False,
            validation_failure_code="FIELD_NOT_FOUND",
            error_details={"code": "FIELD_NOT_FOUND", "hint": "There is no such field."},
        )
        for place in range(events - 2)
    ]
    answer = Answer(
        kind=AnswerKind.UNKNOWN, text="I can't say.", language=Language.EN, trace_id=trace_id
    )
    return AgentTrace(
        trace_id=trace_id, events=(started, *called, Answered(at=now + events, answer=answer))
    )


def _pages(address: str, ground: Ground, size: Size) -> dict[str, Any]:
    pages = {"runs": f"/console/runs?limit={size.runs}", "long_run": f"/console/runs/{_LONG}"}
    found: dict[str, Any] = {"runs": size.runs, "events": size.events}
    with httpx2.Client(base_url=address, timeout=_PATIENCE) as client:
        form = {"key": ground.keys[SMALL]}
        client.post("/console/signin", data=form, headers=_SAME)
        for name, path in pages.items():
            seconds = [_visit(client, path) for _ in range(size.visits)]
            found[f"{name}_p50_ms"] = round(1000 * statistics.median(seconds), 1)
            found[f"{name}_p95_ms"] = round(1000 * _p95(seconds), 1)
    return found


def _visit(client: httpx2.Client, path: str) -> float:
    began = time.perf_counter()
    response = client.get(path)
    seconds = time.perf_counter() - began
    if response.status_code != 200:
        raise RuntimeError(f"{path}: {response.status_code}")
    return seconds


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[max(0, round(0.95 * len(seconds)) - 1)]


def _questions(count: int) -> list[str]:
    """Each another one, that the console and the API are both asked."""
    return [each.text for each in known_questions()[:count]]


def _api_asks(address: str, ground: Ground, size: Size) -> list[float]:
    signed = {"authorization": f"Bearer {ground.keys[SMALL]}"}
    taken: list[float] = []
    with httpx2.Client(base_url=address, headers=signed, timeout=_PATIENCE) as client:
        for text in _questions(size.asks):
            began = time.perf_counter()
            client.post("/v1/ask", json={"feature": "trustee", "question": text}).raise_for_status()
            taken.append(time.perf_counter() - began)
    return taken


def _console_asks(page: Page, address: str, size: Size) -> list[float]:
    """Milliseconds from Enter until the answer is painted, on a page that is opened anew."""
    taken: list[float] = []
    for text in _questions(size.asks):
        page.goto(f"{address}/console/ask", wait_until="networkidle")
        taken.append(page.evaluate(_ANSWERED, text))
    return taken


def _browser(address: str, ground: Ground, size: Size) -> dict[str, Any]:
    path = shutil.which("chromium")
    if path is None:
        return {"browser": "chromium is not installed: not measured"}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        paints: list[float] = []
        loaded = 0
        for _ in range(size.paints):
            context = browser.new_context()
            page = context.new_page()
            _sign_in(page, address, ground.keys[SMALL])
            loaded, paint = _first_visit(page, address)
            paints.append(paint)
            context.close()
        page = browser.new_page()
        _sign_in(page, address, ground.keys[SMALL])
        asked = _console_asks(page, address, size)
        browser.close()
    return {
        "first_load_kb": round(loaded / 1000, 1),
        "lcp_ms": round(statistics.median(paints), 1),
        "ask_p95_ms": round(_p95(asked), 1),
    }


def _sign_in(page: Page, address: str, key: str) -> None:
    page.goto(f"{address}/console/signin")
    page.fill("#key", key)
    page.click("main button")
    page.wait_for_url("**/console/ask")


def _first_visit(page: Page, address: str) -> tuple[int, float]:
    """What is loaded without anything kept, and when the largest part is painted."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    sizes: list[int] = []

    def loaded(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    session.on("Network.loadingFinished", loaded)
    page.goto(f"{address}/console/ask", wait_until="networkidle")
    painted = page.evaluate(
        """() => new Promise((done) => {
            new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
                .observe({ type: "largest-contentful-paint", buffered: true });
        })"""
    )
    return sum(sizes), painted


def main() -> None:
    """Print the figures."""
    given = command(__doc__, smoke="as little as shows that it works").parse_args()
    show(figures(SMOKE if given.smoke else FULL), given)


if __name__ == "__main__":
    main()
