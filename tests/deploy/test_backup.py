"""A backup taken while runs wait for people: restored, they go on."""

import asyncio
import subprocess
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert

from tests.deploy.conftest import PASSWORDS, AddressOf, run_script
from tests.deploy.places import postgres_program
from tests.runs.asked import asked, at, finished, rows, until, working
from veridical.answering.feature import Feature
from veridical.contracts.person import Approvals
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, Ruling
from veridical.runs.port import open_runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.sample.postgres import LocalPostgres
from veridical.store.connection import Store
from veridical.store.migrate import check
from veridical.store.tables import TENANTS

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
TENANT = "acme"
WAITING = 5


def _settings(url: str) -> RunsSettings:
    return RunsSettings(database_url=url, lease_seconds=2, poll_seconds=0.05, stop_seconds=5)


async def _wait_for_people(address_of: AddressOf, trustee: Feature) -> list[RunState]:
    """Runs whose evidence nobody has approved yet."""
    evidence = Approvals(evidence=True)
    with open_runs(_settings(address_of("veridical_server"))) as runs:
        async with working(_settings(address_of("veridical_work")), at(trustee)):
            started = [
                runs.start(asked(approvals=evidence), TENANT, "somebody") for _ in range(WAITING)
            ]

            def waiting() -> list[RunState] | None:
                states = [runs.state(each.run_id, TENANT) for each in started]
                found = [each for each in states if each and each.status is RunStatus.WAITING]
                return found if len(found) == WAITING else None

            return await until(waiting)


async def _go_on(address_of: AddressOf, trustee: Feature, waiting: list[RunState]) -> None:
    """Everything is approved, and comes to its end."""
    store = Store(address_of("veridical_server"))
    inbox = Inbox(store)
    approver = Decider(TENANT, "approver", may_decide=True)
    with open_runs(_settings(address_of("veridical_server")), store) as runs:
        for each in waiting:
            assert each.waiting_for
            item = inbox.item(each.waiting_for, TENANT)
            assert item
            inbox.decide(item.id, approver, Ruling(approved=True, evidence_hash=item.evidence_hash))
        async with working(_settings(address_of("veridical_work")), at(trustee)):
            for each in waiting:
                state = await finished(runs, each.run_id, TENANT)
                assert state.status is RunStatus.DONE
                assert state.answer
                assert state.answer.hitl
                assert state.answer.hitl.consulted[0].decision.decided_by == "approver"
    store.close()


def test_waiting_runs_go_on_after_a_restore(
    migrated: AddressOf, postgres_server: LocalPostgres, trustee: Feature, tmp_path: Path
) -> None:
    _add_tenant(migrated("veridical_owner"))
    waiting = asyncio.run(_wait_for_people(migrated, trustee))
    archive = tmp_path / "veridical.dump"
    _run("pg_dump", "--format=custom", "--file", archive, migrated("veridical_backup"))

    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE veridical WITH (FORCE)")
    assert run_script(postgres_server.url, PASSWORDS).returncode == 0
    address = postgres_server.url_of("veridical")
    _run("pg_restore", "--exit-on-error", "--single-transaction", "--dbname", address, archive)

    assert check(migrated("veridical_owner")) == ()
    asyncio.run(_go_on(migrated, trustee, waiting))
    store = Store(address)
    decided = rows(store, "SELECT count(*) FROM veridical.decisions WHERE NOT automatic")
    store.close()
    assert decided == [(WAITING,)]


def _add_tenant(url: str) -> None:
    store = Store(url)
    with store.operator() as connection:
        connection.execute(insert(TENANTS).values(id=TENANT, name=TENANT, scope={}))
    store.close()


def _run(program: str, *arguments: str | Path) -> None:
    command = [postgres_program(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
