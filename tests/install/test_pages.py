"""The demo of what was installed: every page of the console in a real browser, and nothing fails.

Once as the README has it typed in a clone, once from the wheel of the clone's sdist alone.
"""

import json
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.console.chromium import chromium
from tests.install.console_walk import walk
from tests.install.demo import Demo, pages, running
from tests.install.environments import UV, WHOLE, Environment, dependency_folder, wheel_of

Command = Sequence[str | Path]


def _as_typed(there: Environment) -> Command:
    return [there.folder / "bin" / "veridical"]


def _from_the_sdist(there: Environment) -> Command:
    offline = (UV, "tool", "run", "--offline", "--no-config", "--no-index")
    where = ("--python", there.python, "--find-links", dependency_folder())
    what = ("--from", f"veridical[{WHOLE}] @ {wheel_of(there).as_uri()}")
    return [*offline, *where, *what, "veridical"]


@pytest.fixture(scope="module", params=[_as_typed, _from_the_sdist])
def demo(environments: dict[str, Environment], request: pytest.FixtureRequest) -> Iterator[Demo]:
    there = environments[WHOLE]
    with running(request.param(there), there.work, there.variables()) as started:
        yield started


def test_it_answers(demo: Demo) -> None:
    question = {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}
    headers = {"Authorization": f"Bearer {demo.key}", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{demo.address}/v1/ask", json.dumps(question).encode(), headers)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert json.load(answer)["proof"]["verdict"] == "pass"


def test_every_page_opens_and_nothing_on_it_fails(demo: Demo) -> None:
    with chromium() as browser:
        opened, complaints = walk(browser, demo)
    assert complaints == []
    assert set(pages()) - opened == set()
    assert any(path.startswith("/console/runs/") for path in opened)
