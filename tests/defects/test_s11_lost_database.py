"""Databases that go away, fill up or lose their process: everything ends or goes on, in time."""

import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import psutil
import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from tests.runs.asked import asked
from tests.sample import PACK, trustee
from tests.server.standing import ACME, BALANCE, prepare, standing
from veridical.answering.feature import Feature
from veridical.runs.port import Runs, open_runs
from veridical.runs.settings import RunsSettings
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres, local_postgres

__all__ = ["trustee"]
pytestmark = [pytest.mark.postgres, pytest.mark.slow]
PATIENCE = 120.0
SOON = 30.0
"""What is over this long after the cause is gone has not been waiting for a chance."""
TOML = """
[[features]]
name = "trustee"
database = "BOOKS"

[runs]
poll_seconds = 0.1
lease_seconds = 3
stop_seconds = 2
"""
COMMAND = str(Path(sys.executable).with_name("veridical"))
HOLDING = """
import sys, time
from pathlib import Path
from veridical.sample.postgres import local_postgres
with local_postgres(Path(sys.argv[1]) if len(sys.argv) > 1 else None) as server:
    print(server.url, flush=True)
    time.sleep(600)
"""


def until(done: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short enough for a socket, and open to the user that PostgreSQL runs as."""
    made = Path(mkdtemp(prefix="vs11-"))
    made.chmod(0o755)
    yield made
    rmtree(made, ignore_errors=True)


@dataclass(frozen=True)
class Worker:
    """``veridical worker``, and what it says."""

    process: "subprocess.Popen[str]"
    log: Path

    def said(self, text: str) -> bool:
        return text in " ".join(self.log.read_text().split())


@contextmanager
def worker(folder: Path, books: str, own: str) -> Generator[Worker]:
    (folder / "veridical.toml").write_text(TOML)
    log = folder / "worker.log"
    environment = {**os.environ, "BOOKS": books, "VERIDICAL_RUNS_DATABASE_URL": own}
    with log.open("w") as said:
        process = subprocess.Popen(
            [COMMAND, "worker"], cwd=folder, env=environment, stderr=said, text=True
        )
        try:
            started = Worker(process, log)
            until(lambda: started.said("takes runs"), PATIENCE)
            yield started
        finally:
            process.kill()
            process.wait()


@contextmanager
def opened(url: str) -> Generator[Runs]:
    with open_runs(RunsSettings(database_url=url)) as runs:
        yield runs


def unfinished(runs: Runs, run_ids: list[str]) -> list[str]:
    states = {each: runs.status(each, ACME) for each in run_ids}
    return [each for each, status in states.items() if status is None or not status.is_final]


def test_s11_a_worker_without_its_database_ends_when_it_is_asked_to(
    folder: Path, postgres_server: LocalPostgres
) -> None:
    books = load_sample(PACK, postgres_server).url
    with ExitStack() as stack:
        own = stack.enter_context(local_postgres(folder / "pg")).create_database("own")
        prepare(own)
        with opened(own) as runs:
            for _ in range(150):
                runs.start(asked(), ACME, "Ada")
        with worker(folder, books, own) as started:
            until(lambda: started.said("takes runs"), PATIENCE)
            time.sleep(1)  # in the middle of something
            stack.close()
            time.sleep(10)  # its pauses have become long
            started.process.send_signal(signal.SIGTERM)
            assert started.process.wait(60) == 1
            assert started.said("without reaching its database")


def test_s11_a_worker_goes_on_soon_after_its_database_is_back(
    folder: Path, postgres_server: LocalPostgres
) -> None:
    books = load_sample(PACK, postgres_server).url
    with ExitStack() as stack:
        own = stack.enter_context(local_postgres(folder / "pg")).create_database("own")
        prepare(own)
        with opened(own) as runs:
            held = [runs.start(asked(), ACME, "Ada").run_id for _ in range(40)]
        with worker(folder, books, own) as started:
            stack.close()
            time.sleep(25)
            with local_postgres(folder / "pg"), opened(own) as runs:
                until(lambda: not unfinished(runs, held), SOON)
                assert started.process.poll() is None


@contextmanager
def holding(*arguments: str, folder: Path) -> Generator[tuple["subprocess.Popen[str]", str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(folder)},
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def servers_below(folder: Path) -> list[int]:
    """The PostgreSQL processes that have their data there."""
    found: list[int] = []
    for each in psutil.process_iter(["name", "cmdline"]):
        with suppress(psutil.NoSuchProcess):
            words = " ".join(each.info["cmdline"] or ())
            if each.info["name"] == "postgres" and str(folder) in words:
                found.append(each.pid)
    return found


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "thrown away"])
def test_s11_a_local_postgres_ends_with_a_process_that_is_killed(folder: Path, kept: bool) -> None:
    folder.chmod(0o1777)
    arguments = (str(folder / "pg"),) if kept else ()
    with holding(*arguments, folder=folder) as (process, url):
        psycopg.connect(url).close()
        assert servers_below(folder)
        process.kill()
        until(lambda: not servers_below(folder), SOON)
    if not kept:
        until(lambda: not list(folder.glob("veridical-*")), SOON)


def test_s11_a_server_that_another_process_uses_stays_until_that_is_gone_too(
    folder: Path,
) -> None:
    data = str(folder / "pg")
    with holding(data, folder=folder) as (one, url), holding(data, folder=folder) as (other, _):
        one.kill()
        time.sleep(5)
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        other.kill()
        until(lambda: not servers_below(folder), SOON)


def test_s11_a_killed_sample_server_leaves_nothing_behind(folder: Path) -> None:
    command = [COMMAND, "serve", "--sample", "--port", "0"]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert any("http://127.0.0.1" in line for line in iter(process.stdout.readline, ""))
        children = psutil.Process(process.pid).children(recursive=True)
        assert children
        assert servers_below(folder)
    finally:
        process.kill()
        process.communicate()
    until(lambda: not servers_below(folder), SOON)
    _, alive = psutil.wait_procs(children, timeout=SOON)
    assert alive == []


@dataclass(frozen=True)
class SmallDisk:
    """A database that can be made to run out of space, and get it back."""

    url: str
    filler: Path

    def fill(self) -> None:
        with suppress(OSError), self.filler.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass

    def free(self) -> None:
        self.filler.unlink()


@pytest.fixture
def small_disk(folder: Path, postgres_server: LocalPostgres) -> Iterator[SmallDisk]:
    place = folder / "small"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mounting, capture_output=True).returncode != 0:
        pytest.skip("only who may mount can have a small disk")
    try:
        table_space = place / "data"
        table_space.mkdir()
        user = pwd.getpwnam("pgserver")
        os.chown(table_space, user.pw_uid, user.pw_gid)
        name, where = Identifier("s11_small"), Literal(str(table_space))
        with psycopg.connect(postgres_server.url, autocommit=True) as connection:
            connection.execute(SQL("CREATE TABLESPACE {} LOCATION {}").format(name, where))
            connection.execute(SQL("CREATE DATABASE {} TABLESPACE {}").format(name, name))
        yield SmallDisk(postgres_server.url_of("s11_small"), place / "filler")
        with psycopg.connect(postgres_server.url, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(name))
            connection.execute(SQL("DROP TABLESPACE {}").format(name))
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_s11_what_was_accepted_on_a_full_disk_ends_soon_after_there_is_room(
    folder: Path, postgres_server: LocalPostgres, trustee: Feature, small_disk: SmallDisk
) -> None:
    books = load_sample(PACK, postgres_server).url
    keys = prepare(small_disk.url)
    body = {"feature": "trustee", "question": BALANCE}
    with (
        standing(small_disk.url, trustee, keys) as server,
        worker(folder, books, small_disk.url),
        server.client(headers={"accept-language": "en"}) as client,
    ):
        warm = [client.post("/v1/runs", json=body).json()["runId"] for _ in range(3)]
        until(lambda: not unfinished(server.services.runs, warm), PATIENCE)
        small_disk.fill()
        answers = [client.post("/v1/runs", json=body) for _ in range(60)]
        accepted = [each.json()["runId"] for each in answers if each.status_code == 202]
        refused = [each for each in answers if each.status_code != 202]
        assert refused
        assert {(each.status_code, each.json()["code"]) for each in refused} == {
            (503, "STORAGE_FULL")
        }
        assert "no space left" in refused[0].json()["detail"]
        time.sleep(15)  # the engine has tried again and again
        small_disk.free()
        until(lambda: not unfinished(server.services.runs, accepted), SOON)
