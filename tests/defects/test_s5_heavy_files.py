"""Heavy files and texts cost the server and its other tenants nothing, and never hold it up."""

import asyncio
import io
import threading
import time
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from prometheus_client import Gauge

from benchmarks.hostile_files.archives import XLSX
from tests.console.pages import SAME, signed_in, token_of
from tests.sample import trustee
from tests.server.conftest import own_database
from tests.server.standing import BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import limits_for
from veridical.requirements.files.reading import read_requirements
from veridical.server.identity import ACTIONS, Identity, Role
from veridical.server.limited_work import LimitedWork
from veridical.server.limits import ConcurrencyLimit
from veridical.server.problem import ProblemCode, ProblemError

__all__ = ["own_database", "trustee"]

ROW = '<row><c t="inlineStr"><is><t>The pump shall stop within 3 s.</t></is></c></row>'
SENTENCE = "The system shall be fast and 99 % available if users or admins want it. "
BATCH = {"items": [(SENTENCE * 100)[:7_500]] * 10}
ASKED = {"feature": "trustee", "question": BALANCE}
_FORK_SERVER = "veridical.limited_process.fork_server"
SECONDS = 5.0
"""By the clock, on a machine with other things to do."""


def _declares_all_cells() -> bytes:
    """A workbook with one requirement that claims to fill a whole sheet."""
    return XLSX[1].packed(ROW)


def _is_at_work() -> bool:
    """Whether the fork server has a process that does something."""
    started = psutil.Process().children()
    servers = [
        each for each in started if "veridical.limited_process.fork_server" in each.cmdline()
    ]
    return any(each.children() for each in servers)


@pytest.fixture(scope="module")
def server(own_database: Any, trustee: Feature) -> Generator[Standing]:
    url, keys = own_database
    with standing(url, trustee, keys, furnish=add_console) as running:
        with running.client() as client:
            client.post("/v1/ask", json=ASKED)
            client.post("/api/v1/validate/batch", json={"items": ["The app shall be fast."]})
        yield running


def test_s5_a_sheet_is_as_large_as_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(_declares_all_cells())
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        assert b"XFD1048576" in archive.read("xl/worksheets/sheet1.xml")
    read_requirements(path)  # what is loaded at the first use is not what is measured
    began = time.monotonic()
    assert [each.text for each in read_requirements(path)] == ["The pump shall stop within 3 s."]
    assert time.monotonic() - began < SECONDS


@pytest.mark.postgres
def test_s5_a_heavy_batch_delays_nobody(server: Standing) -> None:
    told: list[int] = []

    def post() -> None:
        with server.client() as client:
            told.append(client.post("/api/v1/validate/batch", json=BATCH).status_code)

    busy = threading.Thread(target=post)
    busy.start()
    slowest = 0.0
    with server.client(GLOBEX) as other:
        while busy.is_alive():
            for ask in (
                lambda: httpx2.get(f"{server.address}/health/live"),
                lambda: other.post("/v1/ask", json=ASKED),
            ):
                asked = time.monotonic()
                assert ask().status_code == 200
                slowest = max(slowest, time.monotonic() - asked)
    assert told in ([200], [422])  # a slow machine ends it, in words
    assert slowest < SECONDS


@pytest.mark.postgres
def test_s5_a_hostile_upload_is_refused_in_words(server: Standing) -> None:
    bomb = XLSX[-1].made(" ", 100_000)
    with signed_in(server, Role.ANALYST) as client:
        page = client.post(
            "/console/requirements",
            data={"csrf": token_of(client), "text": "", "by": "rules"},
            files={"file": ("needs.xlsx", bomb)},
            headers=SAME,
        )
    assert page.status_code == 200
    assert "Unpacked, the archive is larger than" in page.text


@pytest.mark.parametrize("how", ["stop", "cancel"])
def test_s5_neither_a_stop_nor_a_client_that_leaves_waits_for_work(how: str) -> None:
    async def story() -> float:
        gauge = Gauge(f"s5_{how}", "", registry=None)
        limited = LimitedWork(2, ConcurrencyLimit(8, gauge))
        somebody = Identity("acme", "Ada", Role.ANALYST, ACTIONS[Role.ANALYST], key_id="k")
        async with limited.at_work():
            running = asyncio.create_task(limited.run(somebody, _endless))
            while not await asyncio.to_thread(_is_at_work):
                assert not running.done()
            began = time.monotonic()
            if how == "stop":
                await limited.end()
                with pytest.raises(ProblemError) as told:
                    await running
                assert told.value.code is ProblemCode.CLOSING
                with pytest.raises(ProblemError):
                    await limited.run(somebody, _endless)
            else:
                running.cancel()
                while await asyncio.to_thread(_is_at_work):
                    pass
            return time.monotonic() - began

    assert asyncio.run(story()) < SECONDS


def _endless() -> bytes:
    return run_limited("tests.defects.endless_work:sleep", b"", limits_for(100_000_000))
