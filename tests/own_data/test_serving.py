"""A stranger's own data served over HTTP and MCP, and its ontology edited meanwhile."""

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters

from tests.own_data.shop import ANSWER, QUESTION, make_shop
from veridical.answering.flow import answer
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.question import Question
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.reload_signal import watched_files
from veridical.host.runtime import open_runtime, reopen_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings

COMMAND = (sys.executable, "-c", "from veridical.cli.main import app; app()")
WAS, BECOMES = "en: 'Sales {period}'", "en: 'Turnover {period}'"
PATIENCE = 60.0


def edit(ontology: Path, was: str = WAS, becomes: str = BECOMES) -> None:
    text = ontology.read_text("utf-8")
    assert was in text
    ontology.write_text(text.replace(was, becomes), "utf-8")


def test_an_edit_is_swapped_whole_and_a_broken_one_keeps_the_old(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, ontology = make_shop(tmp_path)
    feature = FeatureSettings(name="shop", database=database, ontology=ontology)
    settings = RuntimeSettings(features=(feature,))
    everybody = Caller(scope=Scope({}, frozenset({"*"})))

    async def asked(current: CurrentRuntime) -> str:
        session = current.session("shop", everybody, lambda event: None)
        return (await answer(Question(text=QUESTION, feature="shop"), session)).text

    async def until(holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.02)

    async def serve() -> None:
        async with open_runtime(settings) as first:
            current = CurrentRuntime(first, lambda: reopen_runtime(settings))
            with watched_files(lambda: current.files, current.renew, seconds=0.04):
                assert ANSWER in await asked(current)
                edit(ontology)
                await until(lambda: current.now is not first)
                renewed = current.now
                assert "Turnover" in await asked(current)
                assert renewed.feature("shop").ontology_hash in caplog.text
                edit(ontology, "field: amount", "field: amuont")
                await until(lambda: current.is_outdated)
                assert current.now is renewed
                assert "BROKEN_PATTERN" in caplog.text
                assert "Turnover" in await asked(current)
                edit(ontology, "field: amuont", "field: amount")
                await until(lambda: not current.is_outdated)
            await current.close()

    with caplog.at_level(logging.INFO, "veridical.host"):
        asyncio.run(serve())


@contextmanager
def served(folder: Path, *options: str) -> Generator[tuple[str, str]]:
    """The address and the key of a server that runs until the block ends."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONUNBUFFERED": "1"}
    environment.pop("VERIDICAL_RUNS_DATABASE_URL", None)
    log = folder / "log.txt"
    with log.open("w") as written:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0", *options],
            cwd=folder,
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _started(log, process)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _started(log: Path, process: subprocess.Popen[bytes]) -> tuple[str, str]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        found = re.search(
            r"curl (http\S+)/v1/ask -H 'Authorization: Bearer (\S+)'", log.read_text()
        )
        if found:
            return found[1], found[2]
        time.sleep(0.1)
    raise AssertionError(log.read_text())


@pytest.mark.postgres
@pytest.mark.slow
def test_over_http(tmp_path: Path) -> None:
    database, ontology = make_shop(tmp_path)
    with served(tmp_path, "--database", database, "--ontology", str(ontology)) as (address, key):

        def asked() -> str:
            given = httpx2.post(
                f"{address}/v1/ask",
                headers={"Authorization": f"Bearer {key}"},
                json={"feature": "shop", "question": QUESTION},
                timeout=30,
            )
            assert given.status_code == 200, given.text
            return given.json()["text"]

        def is_reloaded() -> bool:
            checks: list[dict[str, Any]] = httpx2.get(f"{address}/health/ready").json()["checks"]
            return next(each["ok"] for each in checks if each["name"] == "reload")

        assert ANSWER in asked()
        edit(ontology)
        _wait(lambda: "Turnover" in asked())
        edit(ontology, "semanticType", "semanticTyp")
        _wait(lambda: not is_reloaded())
        assert ANSWER in asked()
    log = (tmp_path / "log.txt").read_text()
    assert "reloaded: shop (ontology " in log
    assert "did you mean semanticType?" in log


def _wait(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.slow
def test_over_mcp(tmp_path: Path) -> None:
    database, ontology = make_shop(tmp_path)
    place = ("--database", database, "--ontology", str(ontology))
    kept = {"VERIDICAL_TRACES": str(tmp_path / "traces"), "PATH": ""}
    if "PYTHONPATH" in os.environ:
        kept["PYTHONPATH"] = os.environ["PYTHONPATH"]
    command = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp", *place], env=kept, cwd=tmp_path
    )

    async def talk() -> None:
        async with Client(command) as client:

            async def asked() -> str:
                question = {"feature": "shop", "question": QUESTION}
                given = await client.call_tool("queryFeatureInstance", question)
                return json.dumps(given.model_dump(mode="json"))

            assert ANSWER in await asked()
            refused = await client.call_tool(
                "aggregateTable",
                {"tableName": "stock_count", "aggregate": "SUM", "field": "pieces"},
            )
            assert refused.is_error
            edit(ontology)
            async with asyncio.timeout(PATIENCE):
                while "Turnover" not in await asked():
                    await asyncio.sleep(0.2)

    asyncio.run(talk())
