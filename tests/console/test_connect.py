"""From an empty folder to the first proven answer, in the browser: a file, and a database."""

import os
import stat
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.chromium import window
from tests.console.serve_command import serving
from tests.own_data.shop import fill_postgres
from veridical.engines.stored_addresses import STORED_ADDRESSES
from veridical.sample.postgres import LocalPostgres

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

MOST_SECONDS = 60.0
SHOPS = ("North", "South", "South")
SALES = "\n".join(
    (
        "sale_id,sold_on,shop,amount",
        *(
            f"{number},2024-{number % 12 + 1:02}-15,{SHOPS[number % 3]},{number}.50"
            for number in range(1, 201)
        ),
    )
)
TOTAL = "20,200"


@contextmanager
def measured(source: str) -> Generator[None]:
    """Prints how long the block takes, and limits the work of the processes that end in it."""
    wall, before = time.monotonic(), os.times()
    yield
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    print(
        f"from an empty folder to the first answer over {source}:"
        f" {time.monotonic() - wall:.1f} s, {used:.1f} s of processor time"
    )
    assert used < MOST_SECONDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("empty")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = window(browser, locale="en-GB", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    yield page
    context.close()


def _first_answer(page: Page, address: str, key: str) -> tuple[str, dict[str, Any]]:
    """The first question of the page, and its answer as the server's records have it."""
    button = page.locator(".questions button").first
    question = button.inner_text()
    button.click()
    turn = page.locator("#turns > article").last
    turn.wait_for()
    trace = (turn.get_attribute("id") or "").removeprefix("t-")
    with httpx2.Client(base_url=address, headers={"authorization": f"Bearer {key}"}) as client:
        events = client.get(f"/v1/traces/{trace}").raise_for_status().json()["events"]
    return question, events[-1]["answer"]


def test_a_file_is_connected_and_its_first_question_answered(page: Page, folder: Path) -> None:
    path = folder / "sales.csv"
    path.write_text(SALES)
    with measured("a file"), serving(folder) as (link, key):
        page.goto(link[0])
        page.get_by_role("link", name="Connect data").click()
        page.set_input_files("#file", path)
        page.get_by_role("button", name="Connect").first.click()
        page.locator(".notice.good").wait_for()
        _, answer = _first_answer(page, link[1], key)
    assert TOTAL in answer["text"]
    assert answer["proof"]["verdict"] == "pass"
    assert [each.name for each in (folder / "connected/sales/files").iterdir()] == ["sales.parquet"]


def test_an_address_is_connected_and_both_are_there_after_a_restart(
    page: Page, folder: Path, postgres_server: LocalPostgres
) -> None:
    url = postgres_server.create_database("connected_shop")
    fill_postgres(url)
    parts = urlsplit(url)
    password = parts.password or ""
    assert password
    with measured("a PostgreSQL address"), serving(folder) as (link, key):
        page.goto(link[0])
        page.goto(f"{link[1]}/console/data/connect")
        page.fill("#address", url.replace(f":{password}@", "@", 1))
        page.fill("#password", password)
        page.fill("#address-name", "shop")
        page.get_by_role("button", name="Connect").last.click()
        page.locator(".notice.good").wait_for()
        shown = page.content()
        question, answer = _first_answer(page, link[1], key)
        assert answer["proof"]["verdict"] == "pass"
    assert answer["sources"]
    written = [(folder / name).read_text() for name in ("serve.log", "veridical.toml")]
    assert not any(password in text for text in (shown, page.url, *written))
    kept = folder / STORED_ADDRESSES
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with serving(folder) as (link, key):
        page.goto(link[0])
        page.goto(f"{link[1]}/console/data")
        for name in ("sales", "shop"):
            expect(page.locator(f"#data-{name}")).to_be_visible()
        asked = {"feature": "shop", "question": question}
        with httpx2.Client(base_url=link[1], headers={"authorization": f"Bearer {key}"}) as client:
            again = client.post("/v1/ask", json=asked, timeout=60).raise_for_status().json()
        assert again["text"] == answer["text"]
        page.locator("#data-shop summary").click()
        page.locator("#data-shop button.danger").click()
        page.wait_for_url("**/console/data")
        expect(page.locator("#data-sales")).to_be_visible()
        expect(page.locator("#data-shop")).to_have_count(0)
    assert "SHOP_DATABASE_URL" not in kept.read_text()
