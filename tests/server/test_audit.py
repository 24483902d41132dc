import asyncio
from collections.abc import Iterator

import pytest

from tests.server.tenancy import somebody, two_tenants
from veridical.server.audit import Refusals, read_audit
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[Store]:
    with two_tenants(postgres_url) as store:
        yield store


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
