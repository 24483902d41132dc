import asyncio
from collections.abc import Iterator

import pytest

from tests.server.tenancy import audit_of, somebody, two_tenants
from veridical.server.audit import Refusals, noted, read_audit
from veridical.store.audit import AuditAction
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres
KEY = "vk_" + "0a1b" * 4 + "_" + "9f8e" * 16


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[Store]:
    with two_tenants(postgres_url) as store:
        yield store


def test_what_somebody_did_is_noted_under_their_tenant(store: Store) -> None:
    asyncio.run(noted(store, somebody("globex"), AuditAction.RUN_STARTED, "run-1", {"n": 1}))
    (entry,) = audit_of(store, "run.started")
    assert (entry.tenant, entry.actor, entry.subject, entry.detail) == (
        "globex",
        "Ada",
        "run-1",
        {"n": 1},
    )


def test_secrets_do_not_get_into_the_audit(store: Store) -> None:
    detail = {"header": f"Bearer {KEY}", "url": "postgresql://a:b@c/d"}
    asyncio.run(noted(store, somebody(), AuditAction.RUN_CANCELLED, KEY, detail))
    (entry,) = audit_of(store, "run.cancelled")
    assert entry.subject == "[redacted]"
    assert entry.detail == {"header": "Bearer [redacted]", "url": "postgresql://[redacted]@c/d"}


def test_the_audit_is_read_by_its_tenant_and_that_is_noted(store: Store) -> None:
    first = asyncio.run(read_audit(store, somebody("acme")))
    assert {entry.tenant for entry in first} == {"acme"}
    second = asyncio.run(read_audit(store, somebody("acme"), limit=1))
    assert [(entry.action, entry.actor) for entry in second] == [("audit.read", "Ada")]
    assert [entry.id for entry in first] == sorted((entry.id for entry in first), reverse=True)


def test_the_audit_is_read_in_pages(store: Store) -> None:
    whole = asyncio.run(read_audit(store, somebody("acme"), limit=3))
    page = asyncio.run(read_audit(store, somebody("acme"), limit=2, before=whole[0].id))
    assert page == whole[1:3]


def test_a_database_that_is_away_lets_nobody_in_and_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refusals = Refusals(Store("postgresql:///gone?host=/nowhere"))
    asyncio.run(refusals.add("unknown key", "x"))
    assert "could not be written down" in caplog.text
