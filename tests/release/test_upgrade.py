"""From 0.2 to this release, with the wheel alone: runs, keys, settings and ontologies are kept.

``release_0_2/record.sh`` has recorded what an installation of 0.2 leaves behind.
"""

import json
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any

import psycopg
import pytest

from tests.deploy.places import postgres_program
from tests.docs.markdown import fences
from tests.release.environments import WHOLE, Environment
from tests.sample import PACK
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

LEFT = Path(__file__).with_name("release_0_2")
KEY, APPROVER = ((LEFT / name).read_text().strip() for name in ("key", "approver-key"))
ANSWER = (LEFT / "answer.txt").read_text("utf-8").strip()
_PATIENCE = 120.0
_ROLES = """
DO $$ DECLARE role text; BEGIN
  FOREACH role IN ARRAY ARRAY['app', 'worker', 'operator', 'tracer', 'dbos'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'veridical_' || role) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', 'veridical_' || role);
    END IF;
  END LOOP;
END $$
"""
_AS_IF_RECORDED_NOW = """
DO $$ DECLARE late interval; place record; BEGIN
  SELECT now() - max(created_at) INTO late FROM veridical.run_requests;
  FOR place IN SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'veridical' AND table_name <> 'audit'
        AND data_type = 'timestamp with time zone' LOOP
    EXECUTE format('UPDATE veridical.%I SET %I = %I + $1',
                   place.table_name, place.column_name, place.column_name) USING late;
  END LOOP;
END $$
"""
"""Runs are deleted and approvals expire: what was recorded must not grow old."""


@pytest.fixture(scope="module")
def url(postgres_server: LocalPostgres) -> str:
    """The database as 0.2 left it."""
    made = postgres_server.create_database("from_0_2")
    with psycopg.connect(made, autocommit=True) as connection:
        connection.execute(_ROLES)
    subprocess.run(
        [postgres_program("psql"), "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1",
         "--file", LEFT / "database.sql", made],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    with psycopg.connect(made, autocommit=True) as connection:
        connection.execute(_AS_IF_RECORDED_NOW)
    return made


@pytest.fixture(scope="module")
def there(
    environments: dict[str, Environment], tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """The whole wheel, in a folder with the settings of 0.2."""
    folder = tmp_path_factory.mktemp("upgraded")
    copy(LEFT / "veridical.toml", folder)
    return replace(environments[WHOLE], work=folder)


@pytest.fixture(scope="module")
def at(url: str, postgres_server: LocalPostgres) -> dict[str, str]:
    """The environment variables of an installation."""
    return {
        "VERIDICAL_RUNS_DATABASE_URL": url,
        "BOOKS_DATABASE_URL": load_sample(PACK, postgres_server).url,
        "VERIDICAL_API_KEY": "no-model-is-asked-here",
        "VERIDICAL_SERVER_PORT": "0",
    }


@pytest.fixture(scope="module")
def upgraded(there: Environment, url: str, at: dict[str, str]) -> str:
    """The database when its owner has upgraded it."""
    before = there.run("db", "check", **at)
    assert before.returncode == 1, before.stderr
    assert "0004" in before.stdout + before.stderr
    done = there.run("db", "upgrade", **at)
    assert done.returncode == 0, done.stderr
    after = there.run("db", "check", **at)
    assert after.returncode == 0, after.stdout + after.stderr
    return url


def test_every_row_is_kept(upgraded: str) -> None:
    recorded = _rows_recorded()
    assert recorded["run_requests"] == 2
    with psycopg.connect(upgraded) as connection:
        for table, count in recorded.items():
            held = connection.execute(f"SELECT count(*) FROM veridical.{table}").fetchone()  # pyright: ignore
            assert held is not None
            assert held[0] >= count, table


def _rows_recorded() -> dict[str, int]:
    """How many rows of each table 0.2 left."""
    text = (LEFT / "database.sql").read_text("utf-8")
    copied = re.findall(r"^COPY veridical\.(\w+) .* FROM stdin;\n((?:.*\n)*?)\\\.$", text, re.M)
    ours = {table: lines.count("\n") for table, lines in copied}
    return {table: count for table, count in ours.items() if table != "workers"}


@pytest.mark.usefixtures("upgraded")
def test_the_commands_of_an_operator_show_what_was_there(
    there: Environment, at: dict[str, str]
) -> None:
    keys = there.run("key", "list", "--tenant", "sample", **at).stdout
    assert "month-end report" in keys
    assert "chief" in keys
    assert "300" in there.run("tenant", "show", "sample", **at).stdout
    waiting = json.loads(there.run("inbox", "list", "--json", **at).stdout)
    assert [each["kind"] for each in waiting] == ["evidence"]


@pytest.mark.usefixtures("upgraded")
def test_old_keys_read_old_runs_and_finish_what_waited(
    there: Environment, at: dict[str, str]
) -> None:
    with _started(there, "serve", at) as served, _started(there, "worker", at):
        found = _until(lambda: re.search(r"http://[\d.:]+\d", served.read_text()), served)
        address: str = found[0]

        def call(path: str, key: str = KEY, body: object = None) -> Any:
            return _call(address + path, key, body)

        runs = call("/v1/runs")["runs"]
        by_status = {each["status"]: each["runId"] for each in runs}
        assert by_status.keys() == {"done", "waiting"}
        assert call(f"/v1/runs/{by_status['done']}")["answer"]["text"] == ANSWER

        waiting = f"/v1/runs/{by_status['waiting']}"

        def approve() -> None:
            wanted = _until(lambda: call(waiting)["waitingFor"], served)
            item = call(f"/v1/inbox/{wanted}", APPROVER)
            decision = {"approved": True, "evidenceHash": item["evidenceHash"]}
            call(f"/v1/inbox/{item['id']}/decision", APPROVER, decision)
            _until(lambda: call(waiting)["waitingFor"] != wanted, served)

        approve()  # what 0.2 asked
        approve()  # and again: this release shows more of a result, and what was shown is approved
        _until(lambda: call(waiting)["status"] == "done", served)
        answer = call(waiting)["answer"]
        assert answer["hitl"]["consulted"][0]["decision"]["decidedBy"] == "chief"
        assert "CHF" in answer["text"]

        again = {
            "feature": "trustee",
            "question": "Wie hoch war der Saldo von Konto 1020 Ende 2024?",
        }
        assert call("/v1/ask", body=again)["proof"]["verdict"] == "pass"


def test_an_ontology_written_for_0_2_refuses_the_same(there: Environment) -> None:
    written, tried, printed = list(fences(LEFT / "write-an-ontology.txt"))[:3]
    assert written.value("file") == "shop.py"
    (there.work / "shop.py").write_text(written.content)
    (there.work / "tried.py").write_text(tried.content)
    done = subprocess.run(
        [there.python, "tried.py"],
        cwd=there.work, env=there.variables(), capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == printed.content
    report = there.run("ontology", "report", "shop:ontology")
    assert report.returncode == 0, report.stderr


@contextmanager
def _started(there: Environment, command: str, at: dict[str, str]) -> Generator[Path]:
    """A command that goes on, asked to stop at the end; where it tells what it does."""
    told = there.work / f"{command}.log"
    with told.open("w") as log:
        process = subprocess.Popen(
            [there.folder / "bin" / "veridical", command],
            cwd=there.work, env=there.variables() | at, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield told
        process.terminate()
        assert process.wait(_PATIENCE) == 0, told.read_text()
    finally:
        process.kill()
        process.wait()


def _until(found: Callable[[], Any], told: Path) -> Any:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.2)
    raise AssertionError(told.read_text()[-2000:])


def _call(address: str, key: str, body: object) -> Any:
    request = urllib.request.Request(
        address,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answered:
        return json.load(answered)
