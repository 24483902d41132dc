"""What one run costs: processor time, transactions, write-ahead log, bytes that stay.

Real runs go through a real worker on a PostgreSQL that writes to disk as it would in production.
The model is scripted and answers at once, so that what is left is Veridical, DBOS and PostgreSQL.
Processor time is counted, not time that passes: other work on the machine hardly changes it.
"""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy import insert

from benchmarks.command import command, show
from benchmarks.served import own_database
from veridical.answering.feature import Feature, open_feature
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.ontology.pack import load_pack
from veridical.runs.dbos_setup import enqueue
from veridical.runs.port import Runs, open_runs
from veridical.runs.request import FrozenCaller, RunRequest, RunSegment
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.runs.worker import Worker
from veridical.sample.books import Sample, load_sample
from veridical.sample.caller import sample_caller
from veridical.sample.postgres import LocalPostgres, local_postgres
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole
from veridical.store.tables import TENANTS

_TENANT = "unit-costs"
_PACK = load_pack("trustee")
_CLIENT = ("m-001", "m-001-a")
_KNOWN = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
_OPEN = "How did our bank account develop, and what should we make of it?"
_YEARS = (2023, 2024, 2025)
_SQL = (
    'SELECT "periodYear", "closingBalance" FROM "TrusteeDataAccountBalance"'
    ' WHERE "accountNumber" = \'1020\' AND "periodMonth" = 12 AND "periodYear" = {year}'
)
_BALANCES = (
    'SELECT "periodYear", "closingBalance" FROM "TrusteeDataAccountBalance"'
    ' WHERE "accountNumber" = \'1020\' AND "periodMonth" = 12'
    ' AND "mandateId" = %s AND "featureInstanceId" = %s'
)
_TICKS = os.sysconf("SC_CLK_TCK")
_WARM_UP = 20
_RUNNING = 2
"""Runs of one tenant at once, where many tenants wait."""
_SETTLE_SECONDS = 10.0
_IDLE_SECONDS = 5.0
_PATIENCE = 600.0


@dataclass(frozen=True)
class Spent:
    """What was used up to a moment."""

    worker_ms: float
    postgres_ms: float
    transactions: int
    wal_bytes: int
    engine_bytes: int
    own_bytes: int
    steps: int
    seconds: float

    def each(self, since: "Spent", count: int) -> dict[str, float]:
        """What one run has used."""
        return {
            "steps": round((self.steps - since.steps) / count, 1),
            "worker_cpu_ms": round((self.worker_ms - since.worker_ms) / count, 2),
            "postgres_cpu_ms": round((self.postgres_ms - since.postgres_ms) / count, 2),
            "transactions": round((self.transactions - since.transactions) / count, 1),
            "wal_kb": round((self.wal_bytes - since.wal_bytes) / count / 1024, 1),
            "engine_kb": round((self.engine_bytes - since.engine_bytes) / count / 1024, 1),
            "own_kb": round((self.own_bytes - since.own_bytes) / count / 1024, 1),
        }


@dataclass(frozen=True)
class _Kind:
    """A kind of run, and how it should end."""

    question: str
    approvals: Approvals = NO_APPROVALS
    end: RunStatus = RunStatus.DONE

    def request(self) -> RunRequest:
        """What a client asks for."""
        return RunRequest(
            feature=_PACK.name,
            question=Question(text=self.question, feature=_PACK.name),
            caller=FrozenCaller.of(sample_caller(_PACK, *_CLIENT)),
            approvals=self.approvals,
        )


@dataclass(frozen=True)
class Ground:
    """Where the runs go on."""

    url: str
    folder: Path
    runs: Runs
    feature: Feature
    balances: Mapping[int, Decimal]
    """What the scripted model reads out of its results, by year."""

    def spent(self) -> Spent:
        """All that was used so far."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            row = connection.execute(_COUNTED).fetchone()
        assert row is not None
        return Spent(
            worker_ms=time.process_time() * 1000,
            postgres_ms=_postgres_ms(self.folder),
            transactions=int(row[0]),
            wal_bytes=int(row[1]),
            engine_bytes=int(row[2]),
            own_bytes=int(row[3]),
            steps=int(row[4]),
            seconds=time.monotonic(),
        )


_SIZE = """(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
    WHERE c.relnamespace = '{schema}'::regnamespace AND c.relkind = 'r')"""
_COUNTED = f"""
    SELECT (SELECT xact_commit + xact_rollback FROM pg_stat_database
            WHERE datname = current_database()),
        (SELECT wal_bytes FROM pg_stat_wal),
        {_SIZE.format(schema="dbos")}, {_SIZE.format(schema="veridical")},
        (SELECT count(*) FROM dbos.operation_outputs)
"""
_OTHER_WORKER = """
    INSERT INTO veridical.workers (executor_id, version, seen_at)
    VALUES ('another', '1', now() + interval '1 day')
"""
_TAKEN = """
    UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'another',
        started_at_epoch_ms = extract(epoch FROM now()) * 1000
    WHERE status = 'ENQUEUED' AND split_part(workflow_uuid, '-', 1)::int < %s
"""


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="a few runs of each kind")
    options = parser.parse_args()
    figures = run(20, 20) if options.smoke else run(400, 1000)
    show(figures, options)


def run(count: int, tenants: int) -> dict[str, Any]:
    """All figures, each over this many runs; the last with so many tenants that wait."""
    with TemporaryDirectory(prefix="vunit-") as folder:
        Path(folder).chmod(0o755)  # the user that PostgreSQL runs as must reach it
        data = Path(folder) / "pg"
        with local_postgres(data) as server:
            url, sample = _prepared(server), load_sample(_PACK, server)
            feature = open_feature(_PACK, sample.database())
            with open_runs(_settings(url)) as runs:
                ground = Ground(url, data, runs, feature, _balances(sample))
                try:
                    return asyncio.run(_figures(ground, count, tenants))
                finally:
                    feature.engine.database.close()


def _balances(sample: Sample) -> dict[int, Decimal]:
    with psycopg.connect(sample.url) as connection:
        rows = connection.execute(_BALANCES, _CLIENT).fetchall()
    return dict(rows)


def _prepared(server: LocalPostgres) -> str:
    url = own_database(server, "unit_costs")
    store = Store(url)
    with store.operator() as connection:
        connection.execute(insert(TENANTS).values(id=_TENANT, name=_TENANT, scope={}))
    store.close()
    return url


def _settings(url: str) -> RunsSettings:
    return RunsSettings(database_url=url, tenant_concurrency=16)


async def _figures(ground: Ground, count: int, tenants: int) -> dict[str, Any]:
    known, agent = _Kind(_KNOWN), _Kind(_OPEN)
    waiting = _Kind(_KNOWN, Approvals(evidence=True), RunStatus.WAITING)
    figures: dict[str, Any] = {"runs": count}
    async with _working(ground):
        for kind in (known, agent):  # everything is imported, planned and cached once
            await _all(ground, kind, _WARM_UP)
        for name, kind in (("known", known), ("agent", agent), ("waiting", waiting)):
            figures[name] = await _measured(ground, kind, count)
        figures["idle_worker"] = await _idle(ground)
    figures["idle_worker_of_queued_tenants"] = await _crowded(ground, tenants)
    return figures


async def _crowded(ground: Ground, tenants: int) -> dict[str, float]:
    """What a worker costs in a second in which many tenants have runs that must wait, since others
    of theirs go on at another worker."""
    await asyncio.to_thread(_crowd, ground, tenants)
    async with _working(ground, tenant_concurrency=_RUNNING), asyncio.timeout(_PATIENCE):
        await asyncio.sleep(_SETTLE_SECONDS)
        load = await asyncio.to_thread(ground.runs.load)
        if (load.queued, load.running) != (tenants, tenants * _RUNNING):
            raise SystemExit(f"the tenants do not wait as they should: {load}")
        return {"tenants": tenants, **await _idle(ground)}


def _crowd(ground: Ground, tenants: int) -> None:
    """A queued run of each tenant, and as many as it may have at another worker."""
    request = _Kind(_KNOWN).request()
    with ground.runs.store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        for run_id, tenant in product(range(_RUNNING + 1), range(tenants)):
            segment = RunSegment(
                run_id=f"{run_id}-{tenant}",
                tenant=f"{_TENANT}-{tenant}",
                asked_by="benchmark",
                request=request,
            )
            enqueue(ground.runs.client, connection, segment)
    with psycopg.connect(ground.url) as connection:
        connection.execute(_OTHER_WORKER)
        connection.execute(_TAKEN, (_RUNNING,))


async def _measured(ground: Ground, kind: _Kind, count: int) -> dict[str, float]:
    before = await asyncio.to_thread(ground.spent)
    await _all(ground, kind, count)
    await asyncio.sleep(1.0)  # what is told in the background is written by then
    return (await asyncio.to_thread(ground.spent)).each(before, count)


async def _idle(ground: Ground) -> dict[str, float]:
    """What a worker costs in a second in which there is nothing to do."""
    before = await asyncio.to_thread(ground.spent)
    await asyncio.sleep(_IDLE_SECONDS)
    after = await asyncio.to_thread(ground.spent)
    seconds = after.seconds - before.seconds
    return {
        "worker_cpu_ms_per_s": round((after.worker_ms - before.worker_ms) / seconds, 1),
        "postgres_cpu_ms_per_s": round((after.postgres_ms - before.postgres_ms) / seconds, 1),
        "transactions_per_s": round((after.transactions - before.transactions) / seconds, 1),
        "connections": await asyncio.to_thread(_connections, ground),
    }


def _connections(ground: Ground) -> int:
    with psycopg.connect(ground.url) as connection:
        row = connection.execute(
            "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return row[0]


async def _all(ground: Ground, kind: _Kind, count: int) -> None:
    """Start so many runs, and wait until each is where its kind ends."""

    def start() -> set[str]:
        request = kind.request()
        return {ground.runs.start(request, _TENANT, "benchmark").run_id for _ in range(count)}

    started = await asyncio.to_thread(start)
    async with asyncio.timeout(_PATIENCE):
        while await _is_busy(ground):
            await asyncio.sleep(0.5)
    states = [await asyncio.to_thread(ground.runs.state, run_id, _TENANT) for run_id in started]
    ended = {state and state.status for state in states}
    answered = {state.answer.kind for state in states if state and state.answer}
    if ended != {kind.end} or answered - {AnswerKind.PATTERN, AnswerKind.AGENT}:
        raise SystemExit(f"the runs did not go as they should: {ended} {answered}")


async def _is_busy(ground: Ground) -> bool:
    load = await asyncio.to_thread(ground.runs.load)
    return bool(load.queued or load.running)


@asynccontextmanager
async def _working(ground: Ground, **changed: int) -> AsyncGenerator[None]:
    model = _model(ground.balances)
    worker = Worker(
        ground.runs.settings.model_copy(update=changed),
        lambda _, caller, emit: Session(ground.feature, caller, model, emit=emit),
    )
    stop = asyncio.Event()
    working = asyncio.create_task(worker.work(stop))
    try:
        yield
    finally:
        stop.set()
        await working


def _model(balances: Mapping[int, Decimal]) -> FunctionModel:
    """Three queries, one in each round, then an answer that rests on them."""
    told = ", ".join(f"{balances[year]:,.2f} CHF at the end of {year}" for year in _YEARS)

    async def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        place = sum(isinstance(message, ModelResponse) for message in messages)
        if place == len(_YEARS):
            return ModelResponse([TextPart(f"Account 1020 held {told}.")])
        arguments = {"sql": _SQL.format(year=_YEARS[place])}
        return ModelResponse([ToolCallPart("executeSqlSafe", arguments, f"call-{place}")])

    return FunctionModel(play, model_name="instant")


def _postgres_ms(folder: Path) -> float:
    """Processor time of the server and of all that it has ever started."""
    leader = int((folder / "postmaster.pid").read_text().splitlines()[0])
    used = 0
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            used += _ticks(place, leader)
    return used * 1000 / _TICKS


def _ticks(place: Path, leader: int) -> int:
    try:
        stat = (place / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0  # it has ended meanwhile; its time is among its parent's then
    own, of_children = sum(map(int, stat[11:13])), sum(map(int, stat[13:15]))
    if int(place.name) == leader:
        return own + of_children
    return own if int(stat[1]) == leader else 0


if __name__ == "__main__":
    main()
