"""The demo as the README has it installed: every page of the console in a real browser, and
nothing fails. That the sdist gives the same package is tested by ``test_build``."""

import json
import urllib.request
from collections.abc import Iterator

import pytest

from tests.console.chromium import chromium
from tests.release.console_walk import walk
from tests.release.demo import Demo, pages, running
from tests.release.environments import WHOLE, Environment


@pytest.fixture(scope="module")
def demo(environments: dict[str, Environment]) -> Iterator[Demo]:
    there = environments[WHOLE]
    with running([there.folder / "bin" / "veridical"], there.work, there.variables()) as started:
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
