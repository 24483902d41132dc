"""A server for trying out: sample books, a database of its own, a new key and a worker."""

import asyncio
import logging
import multiprocessing
import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

import psycopg

from veridical.cli.error_reporting import UsageError
from veridical.cli.terminal import log_to_terminal
from veridical.contracts.language import Language
from veridical.contracts.search_context import FreshnessMode
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.feature_pack import pack_of
from veridical.host.reload_signal import watched_files
from veridical.host.runtime import open_runtime, reopen_runtime
from veridical.host.settings import (
    FeatureSearch,
    FeatureSettings,
    RuntimeSettings,
    read_runtime_settings,
)
from veridical.messages import message
from veridical.ontology.pack import load_pack
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.process_end import end_process
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker
from veridical.sample.books import load_sample
from veridical.sample.caller import SAMPLE_TENANT
from veridical.sample.folder import sample_folder
from veridical.sample.postgres import LocalPostgres, Started, local_postgres
from veridical.server.identity import FeatureScopes, Role
from veridical.server.keys import create_key, keys, revoke_key
from veridical.server.tenants import TenantError, change_scope, create_tenant
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

_PACK = "trustee"
_DOCUMENTS = "research"
"""The pack whose documents can be searched."""
_DATABASE = "veridical"
_TENANT = "sample"
_ACTOR = "veridical serve --sample"
_KEY = "demo"
"""The name of the key, as the console shows it."""
_PATIENCE = 30.0
_PAUSE = 1.0
"""Seconds before a worker that ended is replaced."""
_LOOK = 0.5
_CLAIM = "SELECT pg_try_advisory_lock(%s)"
_TRYING_OUT = 0x73616D706C65
"""The key of the lock that a server for trying out holds."""

_log = logging.getLogger("veridical.sample")


@dataclass(frozen=True)
class SampleServer:
    """Settings and key of the sample server."""

    runtime: RuntimeSettings
    runs: RunsSettings
    key: str
    tenant: str


@contextmanager
def sample_server(
    language: Language,
    own: FeatureSettings | None = None,
    *,
    documents: bool = False,
    started: Started | None = None,
) -> Generator[SampleServer]:
    """Everything it needs, until the block ends; with data of one's own instead of the sample
    books, with documents to search where they are wanted, and with a PostgreSQL that is
    ``started`` already where there is one. Raises ``UsageError`` where another one is running."""
    pack = pack_of(own) if own else load_pack(_PACK)
    if own and pack.has_tenants:
        raise UsageError(message("serve.own_has_tenants", language, feature=own.name))
    running = nullcontext(started()) if started else local_postgres(sample_folder())
    with running as postgres, the_only_one(postgres, language):
        with ThreadPoolExecutor(1, "veridical-tables") as beside:  # neither needs the other
            preparing = beside.submit(own_database, postgres)
            feature = own or FeatureSettings(name=_PACK, database=load_sample(pack, postgres).url)
            runs = RunsSettings(database_url=preparing.result())
        tenant = f"own-{own.name.lower()}"[:60] if own else _TENANT
        columns = next(iter(pack.tenant_columns.values()), ())
        values = SAMPLE_TENANT if columns else ()
        allowed = {name: (value,) for name, value in zip(columns, values, strict=True)}
        key = new_key(runs, tenant, {pack.name: allowed})
        if documents:
            feature = _with_documents(feature, runs)
        with working(runs, feature):
            yield SampleServer(_runtime(feature), runs, key, tenant)


@contextmanager
def the_only_one(
    postgres: LocalPostgres, language: Language, problem: str = "serve.sample_runs"
) -> Generator[None]:
    """Holds a lock, so that only one process gets this far: a second one would revoke the first
    one's key.

    The connection holds the lock, so that it is released with a process that was killed.
    """
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        row = connection.execute(_CLAIM, (_TRYING_OUT,)).fetchone()
        if row != (True,):
            raise UsageError(message(problem, language))
        yield


def _runtime(feature: FeatureSettings | None) -> RuntimeSettings:
    """The settings with this feature, or with those that they have by now."""
    settings = read_runtime_settings()
    return replace(settings, features=(feature,)) if feature else settings


def own_database(postgres: LocalPostgres) -> str:
    """The server's own database, kept between starts so that earlier runs can be looked up."""
    url = postgres.url_of(_DATABASE)
    if not postgres.has_database(_DATABASE):
        url = postgres.create_database(_DATABASE)
    upgrade(url)
    prepare_engine(RunsSettings(database_url=url))
    return url


def new_key(runs: RunsSettings, tenant: str, scope: FeatureScopes) -> str:
    """A key for all of it. Those of earlier times are ended: each is good for one start."""
    store = Store(runs.database_url, connections=1)
    try:
        with store.operator() as connection:
            try:
                create_tenant(connection, tenant, tenant, scope, actor=_ACTOR)
            except TenantError:  # there from an earlier time
                change_scope(connection, tenant, scope, actor=_ACTOR)
        with store.tenant(tenant) as connection:
            for earlier in keys(connection, tenant):
                revoke_key(connection, earlier.id, actor=_ACTOR)
            return create_key(connection, tenant, _KEY, Role.ADMIN, actor=_ACTOR).key
    finally:
        store.close()


def _with_documents(feature: FeatureSettings, runs: RunsSettings) -> FeatureSettings:
    """The feature with the documents of the pack that has some. Only what changed is read."""
    from veridical.search.document_reading import IngestOptions
    from veridical.search.index import opened_index
    from veridical.search.ingest import batches, files_under, ingest_batch
    from veridical.search.score.settings import read_score_settings

    documents = load_pack(_DOCUMENTS).documents
    if documents is None:
        return feature
    store = Store(runs.database_url)
    try:
        index = opened_index(read_score_settings(), store.tenant, _TENANT, _DOCUMENTS)
        for batch in batches(files_under([documents])):
            ingest_batch(index, None, batch, IngestOptions(trust_addresses=True))
    finally:
        store.close()
    # They are the same in every year.
    mode = FreshnessMode.LAW_EVERGREEN
    search = FeatureSearch(collections=(_DOCUMENTS,), tenant=_TENANT, freshness_mode=mode)
    return feature.model_copy(update={"search": search})


@contextmanager
def working(runs: RunsSettings, feature: FeatureSettings | None) -> Generator[None]:
    """A worker in a process of its own until the block ends; a new one where it was killed.
    Without a feature, it works on those of the settings."""

    def started() -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(runs, feature), name="veridical-worker"
        )
        with interrupts_held():
            process.start()
        return process

    with supervised(started):
        yield


@contextmanager
def interrupts_held() -> Generator[None]:
    """A process that is started in the block is not broken into by Ctrl+C while it is loading: it
    inherits that the signal waits, until it says how it is handled."""
    resource_tracker.ensure_running()  # else it starts in between, and lets the signal through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def supervised(start: Callable[[], BaseProcess], pause: float = _PAUSE) -> Generator[None]:
    """A process that is restarted whenever it ends, until the block does."""
    stopping = threading.Event()
    current = [start()]

    def watch() -> None:
        while not stopping.is_set():
            current[0].join(_LOOK)
            if not current[0].is_alive() and not stopping.wait(pause):
                _log.warning("%s ended: a new one is started", current[0].name)
                current[0] = start()

    watcher = threading.Thread(target=watch, name="veridical-supervisor", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopping.set()
        watcher.join()
        process = current[0]
        process.terminate()
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


def work(runs: RunsSettings, feature: FeatureSettings | None) -> None:
    """Work until asked to stop."""
    log_to_terminal()
    asyncio.run(_worked(runs, feature))


async def _worked(runs: RunsSettings, feature: FeatureSettings | None) -> None:
    await _work(runs, feature)
    end_process(0)


async def _work(runs: RunsSettings, feature: FeatureSettings | None) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    server = multiprocessing.parent_process()
    if server is not None:  # a server that was killed takes its worker along
        loop.add_reader(server.sentinel, stop.set)
    own = () if feature else (SETTINGS_FILE,)

    def settings() -> RuntimeSettings:
        return replace(_runtime(feature), own_database=runs)

    async with open_runtime(settings(), may_be_empty=True) as opened:
        current = CurrentRuntime(opened, lambda: reopen_runtime(settings(), may_be_empty=True))
        try:
            with watched_files(lambda: (*current.files, *own), current.renew):
                await Worker(runs, current.session).work(stop)
        finally:
            await current.close()
