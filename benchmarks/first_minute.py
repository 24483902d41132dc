"""How long a newcomer waits: from ``veridical demo`` to the first verified answer in the browser.

    python -m benchmarks.first_minute --json

``first_answer_s`` runs from the start of the command, with nothing kept from an earlier time, until
Chromium shows a figure that is marked as proven. ``with_install_s`` is that, and the time to make
an environment and to install the wheel with all extras into it, compiled as pip does it; packages
may come from an index or from what uv keeps. ``cli_cold_s`` is ``veridical ask`` that opens books
of its own, ``cli_warm_s`` one that asks the demo's server, ``cli_help_s`` the list of commands;
each is the median of several, with the processor's time beside it. With ``--smoke`` nothing is
installed and each is measured once. The last line printed is one JSON object.
"""

import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from benchmarks.command import command, show

ROOT = Path(__file__).parents[1]
QUESTION = "What was the balance of account 1020 at the end of 2024?"
FIRST_ANSWER_LIMIT, COLD_LIMIT, WARM_LIMIT = 30.0, 4.0, 1.5
_PATIENCE = 600.0
_THIS = (sys.executable, "-c", "from veridical.cli.main import app; app()")
_LINK = re.compile(r"(http://[\d.]+:\d+)/console/enter\S+")
_KEY = re.compile(r"vk_\w+")


class Running(NamedTuple):
    """A demo that can be reached."""

    address: str
    link: str
    key: str
    began: float


def figures(*, smoke: bool, wheel: Path | None = None) -> dict[str, Any]:
    """All figures."""
    rounds = 1 if smoke else 5
    with tempfile.TemporaryDirectory(prefix="vfm-") as place:
        folder = Path(place)
        folder.chmod(0o755)  # open to the user PostgreSQL runs as
        found: dict[str, Any] = {"rounds": rounds}
        command: Sequence[str] = _THIS
        installed = 0.0
        if not smoke:
            command, installed = _installed(folder, wheel)
            found["install_s"] = round(installed, 1)
        with _demo(folder, command) as running:
            answered = _first_answer(running.link) - running.began
            found["first_answer_s"] = round(answered, 1)
            if not smoke:
                found["with_install_s"] = round(installed + answered, 1)
            asking = {
                "VERIDICAL_ASK_SERVER": running.address,
                "VERIDICAL_ASK_KEY": running.key,
            }
            ask = [*command, "ask", QUESTION]
            found |= _timed("cli_warm", ask, folder, asking, rounds)
        found |= _timed("cli_cold", ask, folder, {}, rounds)
        found |= _timed("cli_help", [*command, "--help"], folder, {}, rounds)
    return found


def _installed(folder: Path, wheel: Path | None) -> tuple[list[str], float]:
    """The command in a new environment, and how long it took to make. Building is not counted."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    if wheel is None:
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "wheel"))
        (wheel,) = (folder / "wheel").glob("*.whl")
    began = time.monotonic()
    _run(uv, "venv", "--quiet", "--python", sys.executable, str(folder / "venv"))
    python = folder / "venv" / "bin" / "python"
    _run(
        uv,
        "pip",
        "install",
        "--compile-bytecode",
        "--quiet",
        "--python",
        str(python),
        f"veridical[all] @ {wheel.as_uri()}",
    )
    return [str(python.with_name("veridical"))], time.monotonic() - began


def _run(*words: str) -> None:
    subprocess.run(words, cwd=ROOT, check=True, timeout=_PATIENCE)


@contextmanager
def _demo(folder: Path, command: Sequence[str]) -> Generator[Running]:
    """A demo that has never been started before, until the block ends."""
    log = folder / "log"
    began = time.monotonic()
    with log.open("w") as written:
        process = subprocess.Popen(
            [*command, "demo", "--no-browser"],
            cwd=folder,
            env=_environment(folder),
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        link = _told(log, process, _LINK)
        yield Running(link[1], link[0], _told(log, process, _KEY)[0], began)
    finally:
        process.send_signal(signal.SIGINT)  # as Ctrl+C does
        process.wait(_PATIENCE)


def _told(log: Path, process: subprocess.Popen[bytes], pattern: re.Pattern[str]) -> re.Match[str]:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if found := pattern.search(log.read_text("utf-8", "replace")):
            return found
        time.sleep(0.05)
    raise RuntimeError(f"the demo did not start: {log.read_text('utf-8', 'replace')[-2000:]}")


def _first_answer(link: str) -> float:
    """When a figure of the first answer was shown as proven."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_context(locale="en").new_page()
        page.set_default_timeout(_PATIENCE * 1000)
        page.goto(link)
        page.locator(".tour button").first.click()
        page.locator("article.turn .mark.good").first.wait_for()
        shown = time.monotonic()
        browser.close()
    return shown


def _timed(
    name: str, words: Sequence[str], folder: Path, variables: dict[str, str], rounds: int
) -> dict[str, float]:
    """Medians: the time on the clock, and that of the processor, its own children included."""
    seconds: list[float] = []
    processor: list[float] = []
    for _ in range(rounds):
        before, began = _processor(), time.monotonic()
        subprocess.run(
            words,
            cwd=folder,
            env={**_environment(folder), **variables},
            check=True,
            capture_output=True,
            timeout=_PATIENCE,
        )
        seconds.append(time.monotonic() - began)
        processor.append(_processor() - before)
    return {
        f"{name}_s": round(statistics.median(seconds), 2),
        f"{name}_cpu_s": round(statistics.median(processor), 2),
    }


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(folder: Path) -> dict[str, str]:
    """Without settings of whoever measures: a newcomer has none."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VERIDICAL_") and name != "PYTHONDONTWRITEBYTECODE"
    }
    return {**kept, "XDG_STATE_HOME": str(folder / "state"), "NO_COLOR": "1"}


def main() -> None:
    """Measure and print."""
    parser = command(__doc__, smoke="little of it: does it work at all")
    parser.add_argument("--wheel", type=Path)
    given = parser.parse_args()
    found = figures(smoke=given.smoke, wheel=given.wheel)
    limits = {
        "first_answer_s": FIRST_ANSWER_LIMIT,
        "cli_cold_s": COLD_LIMIT,
        "cli_warm_s": WARM_LIMIT,
    }
    found["within_limits"] = {name: found[name] <= limit for name, limit in limits.items()}
    show(found, given)


if __name__ == "__main__":
    main()
