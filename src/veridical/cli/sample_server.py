"""A server for trying out: sample books, a database of its own, a new key and a worker."""

import asyncio
import logging
import multiprocessing
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess

import psycopg

from veridical.cli.error_reporting import UsageError
from veridical.cli.terminal_log import log_to_terminal
from veridical.contracts.language import Language
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings, read_runtime_settings
from veridical.messages import message
from veridical.ontology.pack import Pack, load_pack
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker
from veridical.server.identity import Role
from veridical.server.keys import create_key, keys, revoke_key
from veridical.server.tenants import TenantError, create_tenant
from veridical.store.connection import Store
from veridical.store.migrate import upgrade
from veridical.testing.postgres import LocalPostgres, local_postgres
from veridical.testing.sample import SAMPLE_TENANT, load_sample
from veridical.testing.sampled import sample_folder

_PACK = "trustee"
_DATABASE = "veridical"
_TENANT = "sample"
_ACTOR = "veridical serve --sample"
_PATIENCE = 30.0
_PAUSE = 1.0
"""Before a worker that ended is replaced."""
_LOOK = 0.5
_CLAIM = "SELECT pg_try_advisory_lock(%s)"
_TRYING_OUT = 0x73616D706C65
"""The key of the lock that a server for trying out holds."""

_log = logging.getLogger("veridical.sample")


@dataclass(frozen=True)
class SampleServer:
    """What the sample server runs on, and the key to it."""

    runtime: RuntimeSettings
    runs: RunsSettings
    key: str


@contextmanager
def sample_server(language: Language) -> Generator[SampleServer]:
    """Everything it needs, until the block ends. Raises ``UsageError`` where another one is
    running."""
    pack = load_pack(_PACK)
    with local_postgres(sample_folder()) as postgres, the_only_one(postgres, language):
        books = load_sample(pack, postgres).url
        runs = RunsSettings(database_url=_own_database(postgres))
        key = _new_key(pack, runs)
        with _working(runs, books):
            yield SampleServer(_runtime(books), runs, key)


@contextmanager
def the_only_one(postgres: LocalPostgres, language: Language) -> Generator[None]:
    """Holds a lock, so that only one process gets this far: a second one would revoke the first
    one's key.

    The connection holds the lock, so that it is released with a process that was killed.
    """
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        row = connection.execute(_CLAIM, (_TRYING_OUT,)).fetchone()
        if row != (True,):
            raise UsageError(message("serve.sample_runs", language))
        yield


def _runtime(books: str) -> RuntimeSettings:
    feature = FeatureSettings(name=_PACK, database=books)
    return replace(read_runtime_settings(), features=(feature,))


def _own_database(postgres: LocalPostgres) -> str:
    """Kept from one time to the next: what was asked can be looked up again."""
    url = postgres.url_of(_DATABASE)
    if not postgres.has_database(_DATABASE):
        url = postgres.create_database(_DATABASE)
    upgrade(url)
    prepare_engine(RunsSettings(database_url=url))
    return url


def _new_key(pack: Pack, runs: RunsSettings) -> str:
    """A key for all of it. Those of earlier times are ended: each is good for one start."""
    columns = next(iter(pack.tenant_columns.values()))
    allowed = {name: (value,) for name, value in zip(columns, SAMPLE_TENANT, strict=True)}
    store = Store(runs.database_url, connections=1)
    try:
        # The tenant may be there from an earlier time.
        with suppress(TenantError), store.operator() as connection:
            create_tenant(connection, _TENANT, _TENANT, {pack.name: allowed}, actor=_ACTOR)
        with store.tenant(_TENANT) as connection:
            for earlier in keys(connection, _TENANT):
                revoke_key(connection, earlier.id, actor=_ACTOR)
            return create_key(connection, _TENANT, _ACTOR, Role.ADMIN, actor=_ACTOR).key
    finally:
        store.close()


@contextmanager
def _working(runs: RunsSettings, books: str) -> Generator[None]:
    """A worker in a process of its own until the block ends; a new one where it was killed."""

    def started() -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(runs, books), name="veridical-worker"
        )
        process.start()
        return process

    with supervised(started):
        yield


@contextmanager
def supervised(start: Callable[[], BaseProcess], pause: float = _PAUSE) -> Generator[None]:
    """A process that is restarted whenever it ends, until the block does."""
    stopping = threading.Event()
    held = [start()]

    def watch() -> None:
        while not stopping.is_set():
            held[0].join(_LOOK)
            if not held[0].is_alive() and not stopping.wait(pause):
                _log.warning("%s ended: a new one is started", held[0].name)
                held[0] = start()

    watcher = threading.Thread(target=watch, name="veridical-supervisor", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopping.set()
        watcher.join()
        process = held[0]
        process.terminate()
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


def work(runs: RunsSettings, books: str) -> None:
    """Work until asked to stop."""
    log_to_terminal()
    asyncio.run(_work(runs, books))


async def _work(runs: RunsSettings, books: str) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    server = multiprocessing.parent_process()
    if server is not None:  # a server that was killed takes its worker along
        loop.add_reader(server.sentinel, stop.set)
    async with open_runtime(_runtime(books)) as opened:
        await Worker(runs, opened.session).work(stop)
