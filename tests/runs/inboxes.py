"""An inbox on a real database, with runs that ask."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, insert, text

from veridical.contracts.person import ItemKind, PersonNeeded, Waiting
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, Ruling
from veridical.store.connection import Store
from veridical.store.migrate import upgrade
from veridical.store.tables import RUN_REQUESTS, TENANTS

ACME, GLOBEX = "acme", "globex"
ASKER = "Ada"
GRACE = Decider(ACME, "Grace", may_decide=True, may_ask=True)
RESULTS = [{"tool": "queryTable", "rows": [[1]]}, {"tool": "queryTable", "rows": [[2]]}]


class Woken(list[str]):
    """The runs that were let go on."""

    def wake(self, connection: Connection, run_id: str, seconds: float = 0) -> None:
        self.append(run_id)


@pytest.fixture(scope="module")
def kept(postgres_url: str) -> Iterator[Store]:
    upgrade(postgres_url)
    store = Store(postgres_url, connections=10)
    with store.operator() as connection:
        for tenant in (ACME, GLOBEX):
            connection.execute(insert(TENANTS).values(id=tenant, name=tenant, scope={}))
    yield store
    store.close()


@pytest.fixture
def woken() -> Woken:
    return Woken()


@pytest.fixture
def inbox(kept: Store, woken: Woken) -> Inbox:
    """Empty at first."""
    as_owner(kept, "DELETE FROM veridical.run_requests")
    return Inbox(kept, wake_run=woken.wake)


def as_owner(store: Store, sql: str, **values: Any) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(sql), values)


def a_run(store: Store, tenant: str = ACME, asked_by: str = ASKER) -> str:
    run_id = str(uuid4())
    with store.tenant(tenant) as connection:
        connection.execute(
            insert(RUN_REQUESTS).values(
                run_id=run_id, tenant=tenant, asked_by=asked_by, request={}, workflow_id=run_id
            )
        )
    return run_id


def needed(kind: ItemKind = ItemKind.EVIDENCE, name: str = "", **subject: Any) -> PersonNeeded:
    shown: dict[str, Any] = {"question": "Wie viel?"}
    shown |= {"results": RESULTS} if kind is ItemKind.EVIDENCE else {}
    return PersonNeeded(
        name=name or f"{kind}.1",
        kind=kind,
        subject=shown | subject,
        reversible=kind is ItemKind.EVIDENCE,
    )


def waiting(inbox: Inbox, run_id: str, asked: PersonNeeded, tenant: str = ACME) -> Waiting:
    """How the run is told that it has to wait."""
    with pytest.raises(Waiting) as found:
        inbox.settled(run_id, tenant, asked)
    return found.value


def asked_about(
    inbox: Inbox, store: Store, asked: PersonNeeded | None = None, tenant: str = ACME
) -> tuple[str, str]:
    """A run that waits, and the item that it waits for."""
    run_id = a_run(store, tenant)
    return run_id, waiting(inbox, run_id, asked or needed(), tenant).item


def ruling(asked: PersonNeeded | None = None, *, approved: bool = True, **choice: Any) -> Ruling:
    shown = (asked or needed()).evidence_hash
    return Ruling(approved=approved, choice=choice, evidence_hash=shown)


def let_time_pass(store: Store, item: str, hours: float) -> None:
    as_owner(
        store,
        "UPDATE veridical.inbox SET asked_at = asked_at - make_interval(secs => :seconds),"
        " warn_at = warn_at - make_interval(secs => :seconds),"
        " notified_at = notified_at - make_interval(secs => :seconds),"
        " expires_at = expires_at - make_interval(secs => :seconds) WHERE id = :item",
        seconds=hours * 3600,
        item=item,
    )
