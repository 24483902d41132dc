"""Makes the pictures of the console in ``docs/images``: two servers as the tests have them, and a
real Chromium.

    python docs/screenshots.py [FOLDER] [--language de] [--only ask run]

With a folder, every page, light and dark, 1440 and 390 wide, whole, to be looked at and thrown
away. Without one, those that the documentation keeps, as high as a screen.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlencode

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.console.connected_shop import connect_shop  # noqa: E402
from tests.console.serve_command import serving  # noqa: E402

IMAGES = ROOT / "docs" / "images"
_KEPT = (
    "start",
    "ask",
    "runs",
    "run",
    "compare",
    "requirements",
    "inbox-item",
    "evidence",
    "quality",
    "quality-evals",
    "ontology",
    "data",
    "connect",
    "ontology-edit",
    "rule-effect",
    "ontology-history",
    "upkeep",
)
SHOWN = {
    *((name, "light", "en") for name in _KEPT),
    *((name, look, "en") for name, look in (("ask", "dark"), ("ask", "phone"))),
    *((name, look, "de") for name, look in (("ask", "light"), ("ontology-edit", "phone-dark"))),
    *((name, look, "de") for name, look in (("quality", "dark"),)),
    *((name, look, "zh") for name, look in (("ask", "light"), ("rule-effect", "phone"))),
    *((name, look, "zh") for name, look in (("run", "dark"),)),
}
"""The pictures that are kept: page, look, language."""
_PATIENCE = 600.0
_SERVE = "from veridical.cli.main import app; app()"
_SAID = tomllib.loads((Path(__file__).parent / "screenshots.toml").read_text("utf-8"))
"""What is asked and pasted, by language."""
_EVAL = (
    *("run", "--gold", "pack:trustee/vat", "--modes", "baseline,validator,full"),
    *("--model", "simulated:careless", "--out", "evals/vat"),
)
"""Makes a report to look at."""
_SIZES = {
    "light": (1440, 900),
    "dark": (1440, 900),
    "phone": (390, 844),
    "phone-dark": (390, 844),
}
_QUERY = {"feature": "sales", "entity": "sales"}
_RULE = urlencode({**_QUERY, "sentence": "never_sum", "subject": "amount", "look": "true"})
Shown = Iterator[tuple[str, Page]]


def main() -> None:
    """Make all pictures, or those that are kept."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="for all pictures, to look at")
    parser.add_argument("--language", choices=tuple(_SAID))
    parser.add_argument("--only", nargs="*", default=(), help="names of pages")
    given = parser.parse_args()
    everything: Path | None = given.folder
    folder = everything or IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    languages = (given.language,) if given.language else tuple(_SAID)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for server, pages in ((_shop, _shop_pages), (_sample, _sample_pages)):
            with server(Path(place)) as (address, key):
                for language in languages:
                    for look in _SIZES:
                        if not everything and not any(
                            (look, language) == each[1:] for each in SHOWN
                        ):
                            continue
                        shown = _signed_in(browser, address, key, look, language, pages)
                        for name, page in shown:
                            if given.only and name not in given.only:
                                continue
                            if everything or (name, look, language) in SHOWN:
                                _take(page, folder, name, look, language, bool(everything))
        browser.close()


def _take(page: Page, folder: Path, name: str, look: str, language: str, whole: bool) -> None:
    ending = "" if language == "en" else f"-{language}"
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    page.screenshot(path=folder / f"{name}-{look}{ending}.png", full_page=whole)


def _signed_in(
    browser: Browser,
    address: str,
    key: str,
    look: str,
    language: str,
    pages: Callable[[Page, str, str], Shown],
) -> Shown:
    scheme: Literal["light", "dark"] = "dark" if look.endswith("dark") else "light"
    width, height = _SIZES[look]
    context = browser.new_context(
        locale=language,
        color_scheme=scheme,
        reduced_motion="reduce",
        viewport={"width": width, "height": height},
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{address}/console/signin")
    page.fill("#key", key)
    page.click("main button")
    page.wait_for_url("**/console/ask*")
    yield from pages(page, address, language)
    context.close()


def _shop_pages(page: Page, address: str, language: str) -> Shown:
    """The pages about data that was connected."""
    page.goto(f"{address}/console/data")
    yield "data", page
    page.goto(f"{address}/console/data/connect")
    yield "connect", page
    page.goto(f"{address}/console/ask?feature=sales&new=true")
    yield "start", page
    page.fill("#question", _SAID[language]["shop"])
    page.click("#ask button.primary")
    page.locator("article.turn").first.wait_for()
    page.goto(f"{address}/console/ontology/edit?{urlencode(_QUERY)}")
    page.locator("#field-amount summary").click()
    form = page.locator("#field-amount form")
    unit = form.locator("[name=unit]")
    unit.fill("EUR" if unit.input_value() == "CHF" else "CHF")
    form.locator("button.primary").click()
    page.locator(".notice.good").wait_for()
    page.locator("#field-amount summary").click()
    yield "ontology-edit", page
    page.goto(f"{address}/console/ontology/history?feature=sales")
    yield "ontology-history", page
    page.goto(f"{address}/console/ontology/rules?{urlencode(_QUERY)}")
    yield "rules", page
    page.goto(f"{address}/console/ontology/rules?{_RULE}")
    yield "rule-effect", page
    page.goto(f"{address}/console/ontology/upkeep?feature=sales")
    yield "upkeep", page


def _sample_pages(page: Page, address: str, language: str) -> Shown:
    """The pages about answers, documents and requirements."""
    said = _SAID[language]
    page.goto(f"{address}/console/ask?new=true")
    for place, question in enumerate(said["questions"]):
        page.fill("#question", question)
        page.click("#ask button.primary")
        page.locator("article.turn").nth(place).wait_for()
    yield "ask", page
    wrong = page.locator("article.turn .feedback").first
    wrong.locator("summary").click()
    wrong.locator("[name=why]").fill(said["wrong"])
    wrong.locator("[value=wrong]").click()
    page.goto(f"{address}/console/runs")
    yield "runs", page
    traces = [each.get_attribute("value") for each in page.locator("[name=a]").all()[:2]]
    page.goto(f"{address}/console/runs/{traces[0]}")
    yield "run", page
    page.goto(f"{address}/console/runs/compare?a={traces[1]}&b={traces[0]}")
    yield "compare", page
    page.goto(f"{address}/console/requirements")
    page.fill("#text", said["requirements"].strip())
    page.click("button[value=rules]")
    page.locator("article").first.wait_for()
    yield "requirements", page
    page.goto(f"{address}/console/inbox")
    yield "inbox", page
    with suppress(TimeoutError):
        page.locator(".cards a").first.click(timeout=5_000)
        yield "inbox-item", page
    searched = quote(said["searched"])
    page.goto(f"{address}/console/evidence?q={searched}&freshness=law_evergreen")
    yield "evidence", page
    for name in (
        "quality",
        "quality/evals",
        "quality/reviews",
        "ontology",
        "settings",
        "admin",
        "admin/audit",
        "admin/model",
    ):
        page.goto(f"{address}/console/{name}")
        yield name.replace("/", "-"), page


@contextmanager
def _shop(folder: Path) -> Generator[tuple[str, str]]:
    """A server with data that was connected; its address and its key."""
    place = folder / "shop"
    place.mkdir()
    connect_shop(place)
    folder.chmod(0o755)  # open to the user PostgreSQL runs as
    with serving(place) as (link, key):
        yield link[1], key


@contextmanager
def _sample(folder: Path) -> Generator[tuple[str, str]]:
    """A server to try out; its address and its key."""
    folder.chmod(0o755)
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}  # not what is in use
    log = folder / "log"
    subprocess.run(  # noqa: S603 # our own program
        [sys.executable, "-m", "benchmarks.laboratory", *_EVAL],
        cwd=folder,
        env={**environment, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with log.open("w") as written:
        process = subprocess.Popen(  # noqa: S603 # our own program
            [sys.executable, "-c", _SERVE, "demo", "--no-browser", "--port", "0"],
            cwd=folder,
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        yield _printed(log, r"http://[\d.]+:\d+"), _printed(log, r"vk_\w+")
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _printed(log: Path, pattern: str) -> str:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[0]
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start: {log.read_text('utf-8', 'replace')}")


if __name__ == "__main__":
    main()
