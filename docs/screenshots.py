"""Makes the pictures of the console in ``docs/images``: a sample server, a real Chromium.

    python docs/screenshots.py [FOLDER] [--language de]

Every page light, dark and on a phone, whole, in a folder to be looked at and thrown away. Without
a folder the few that the documentation shows, as high as a screen, in English.
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
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
SHOWN = ("ask-light", "ask-dark", "ask-phone", "requirements-light", "run-light", "ontology-light")
_PATIENCE = 600.0
_SERVE = "from veridical.cli.main import app; app()"
_SAID = tomllib.loads((Path(__file__).parent / "screenshots.toml").read_text("utf-8"))
"""What is asked and pasted, by language."""
_EVAL = (
    *("run", "--gold", "pack:trustee/vat", "--modes", "baseline,validator,full"),
    *("--model", "simulated:careless", "--out", "evals/vat"),
)
"""Makes a report to look at."""
_SIZES = {"light": (1280, 900), "dark": (1280, 900), "phone": (390, 844)}


def main() -> None:
    """Make all pictures, or those that are kept."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="for all pictures, to look at")
    parser.add_argument("--language", choices=tuple(_SAID), default="en")
    given = parser.parse_args()
    everything: Path | None = given.folder
    folder = everything or IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        _sample(Path(place)) as (address, key),
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for look in _SIZES:
            for name, page in _pages(browser, address, key, look, given.language):
                if everything or f"{name}-{look}" in SHOWN:
                    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
                    page.screenshot(
                        path=folder / f"{name}-{look}.png", full_page=everything is not None
                    )
        browser.close()


def _pages(
    browser: Browser, address: str, key: str, look: str, language: str
) -> Generator[tuple[str, Page]]:
    said = _SAID[language]
    scheme: Literal["light", "dark"] = "dark" if look == "dark" else "light"
    width, height = _SIZES[look]
    context = browser.new_context(
        locale=language, color_scheme=scheme, viewport={"width": width, "height": height}
    )
    context.set_default_timeout(_PATIENCE * 1000)
    page = context.new_page()
    page.goto(f"{address}/console/signin")
    yield "signin", page
    page.fill("#key", key)
    page.click("main button")
    page.wait_for_url("**/console/ask")
    for place, question in enumerate(said["questions"]):
        page.fill("#question", question)
        page.click("#ask button.primary")
        page.locator("article.turn").nth(place).wait_for()
    page.locator("article.turn .mark.good", has_text="CHF").first.click()
    yield "ask", page
    page.goto(f"{address}/console/runs")
    yield "runs", page
    page.locator("table.list a").first.click()
    yield "run", page
    page.goto(f"{address}/console/requirements")
    page.fill("#text", said["requirements"].strip())
    page.click("button[value=rules]")
    page.locator("article").first.wait_for()
    yield "requirements", page
    page.goto(f"{address}/console/requirements")
    page.fill("#text", said["requirements"].strip())
    page.click("button[value=team]")
    page.locator("#said").wait_for()
    yield "review", page
    page.goto(f"{address}/console/inbox")
    yield "inbox", page
    page.locator(".cards a").first.click()
    yield "inbox-item", page
    searched = quote(said["searched"])
    page.goto(f"{address}/console/evidence?q={searched}&freshness=law_evergreen")
    yield "evidence", page
    for name in (
        "quality",
        "quality/evals",
        "quality/reviews",
        "ontology",
        "ontology/upkeep?constraint=0",
        "admin",
        "admin/audit",
        "admin/model",
    ):
        page.goto(f"{address}/console/{name}")
        yield name.partition("?")[0].replace("/", "-"), page
    context.close()


@contextmanager
def _sample(folder: Path) -> Generator[tuple[str, str]]:
    """A server to try out; its address and its key."""
    folder.chmod(0o755)  # open to the user PostgreSQL runs as
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}  # not what is in use
    log = folder / "log"
    subprocess.run(  # noqa: S603 # our own program
        [sys.executable, "-m", "benchmarks.laboratory", *_EVAL],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(IMAGES.parents[1])},
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
        yield _told(log, r"http://[\d.]+:\d+"), _told(log, r"vk_\w+")
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _told(log: Path, pattern: str) -> str:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[0]
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start: {log.read_text('utf-8', 'replace')}")


if __name__ == "__main__":
    main()
