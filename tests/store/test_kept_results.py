"""Kept results in PostgreSQL: shared by processes, apart by tenant, bounded, and cleared."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.store.conftest import Login
from veridical.contracts.result import Emptiness
from veridical.engines.kept_results import KeptResult, ResultKey
from veridical.engines.limits import Fetched
from veridical.store.connection import Store
from veridical.store.kept_results import StoredResults, clear_results, delete_expired_results
from veridical.store.protection import DatabaseRole

pytestmark = pytest.mark.postgres

HOUR = timedelta(hours=1)
ROOM = 10**6
ROWS = ((1, "ä\x00\ud800", None, 0.1, [2, {"x": True}]), (10**25, "", False, -1.5, []))


def result(
    *, age: timedelta = timedelta(), rows: tuple[tuple[object, ...], ...] = ROWS
) -> KeptResult:
    columns = tuple(f"c{at}" for at in range(len(rows[0])))
    return KeptResult(Fetched(columns, rows, truncated=False), None, datetime.now(UTC) - age)


def key(tenant: str = "acme", digest: str = "d", feature: str = "books") -> ResultKey:
    return ResultKey(tenant, feature, digest)


@pytest.fixture(scope="module")
def server(store: Store, login_as: Login) -> Iterator[Store]:
    with store.operator() as connection:
        for tenant in ("acme", "zeta"):
            connection.execute(
                text("INSERT INTO veridical.tenants (id, name, scope) VALUES (:t, :t, '{}')"),
                {"t": tenant},
            )
    opened = Store(login_as(DatabaseRole.APP))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def worker(login_as: Login) -> Iterator[Store]:
    opened = Store(login_as(DatabaseRole.WORKER))
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def empty(store: Store, server: Store) -> None:  # pyright: ignore[reportUnusedFunction]
    with store.operator() as connection:
        clear_results(connection)


def test_what_one_process_keeps_all_find(server: Store, worker: Store) -> None:
    first, second = StoredResults.of_worker(worker), StoredResults.of_server(server)
    assert second.find(key(), HOUR) is None
    kept = result()
    first.keep(key(), kept, HOUR, ROOM)
    for results in (first, second):
        found = results.find(key(), HOUR)
        assert found is not None
        assert found.fetched == kept.fetched
        assert found.kept_at == kept.kept_at
    nothing = KeptResult(kept.fetched, Emptiness.NO_MATCH, datetime.now(UTC))
    second.keep(key(), nothing, HOUR, ROOM)
    found = first.find(key(), HOUR)
    assert found is not None
    assert found.emptiness is Emptiness.NO_MATCH


def test_no_other_tenant_feature_or_digest_finds_it(server: Store, worker: Store) -> None:
    for results in (StoredResults.of_server(server), StoredResults.of_worker(worker)):
        results.keep(key(), result(), HOUR, ROOM)
        for other in (key("zeta"), key(digest="e"), key(feature="archive"), key("")):
            assert results.find(other, HOUR) is None
        results.keep(key(""), result(), HOUR, ROOM)
        assert results.find(key(""), HOUR) is None


ATTACKS = (
    "SELECT count(*) FROM veridical.kept_results",
    "SELECT count(*) FROM veridical.kept_results WHERE tenant = 'acme' OR true",
    "WITH gone AS (DELETE FROM veridical.kept_results RETURNING 1) SELECT count(*) FROM gone",
    "WITH changed AS (UPDATE veridical.kept_results SET content = '' RETURNING 1)"
    " SELECT count(*) FROM changed",
)


@pytest.mark.parametrize("sql", ATTACKS)
def test_the_database_itself_hides_them_from_other_tenants(
    server: Store, worker: Store, sql: str
) -> None:
    StoredResults.of_server(server).keep(key(), result(), HOUR, ROOM)
    with server.tenant("zeta") as connection:
        assert connection.execute(text(sql)).scalar_one() == 0
    with worker.system() as connection:  # a worker that names no tenant sees none
        assert connection.execute(text(sql)).scalar_one() == 0
    assert StoredResults.of_server(server).find(key(), HOUR) is not None


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO veridical.kept_results VALUES"
        " ('acme', 'books', 'd', '', 1, now(), now() + interval '1 hour')",
        "UPDATE veridical.kept_results SET tenant = 'acme'",
    ],
)
def test_nobody_keeps_rows_for_another_tenant(server: Store, sql: str) -> None:
    StoredResults.of_server(server).keep(key("zeta"), result(), HOUR, ROOM)
    with pytest.raises(DBAPIError, match="row-level security"), server.tenant("zeta") as connection:
        connection.execute(text(sql))


def test_an_operator_reads_no_rows(server: Store, login_as: Login) -> None:
    StoredResults.of_server(server).keep(key(), result(), HOUR, ROOM)
    opened = Store(login_as(DatabaseRole.OPERATOR))
    with pytest.raises(DBAPIError, match="permission denied"), opened.operator() as connection:
        connection.execute(text("SELECT content FROM veridical.kept_results"))
    with opened.operator() as connection:
        assert clear_results(connection, "zeta") == 0
        assert clear_results(connection, feature="archive") == 0
        assert clear_results(connection, "acme", "books") == 1
    opened.close()
    assert StoredResults.of_server(server).find(key(), HOUR) is None


def test_what_is_too_old_is_not_found_and_goes(server: Store, worker: Store) -> None:
    results = StoredResults.of_server(server)
    results.keep(key(), result(age=timedelta(minutes=50)), HOUR, ROOM)
    assert results.find(key(), HOUR) is not None
    assert results.find(key(), timedelta(minutes=49)) is None
    results.keep(key(digest="old"), result(age=timedelta(minutes=61)), HOUR, ROOM)
    assert results.find(key(digest="old"), timedelta(days=1)) is None
    for expected in (1, 0):
        with worker.system() as connection:
            assert delete_expired_results(connection, "acme") == expected
    assert results.find(key(), HOUR) is not None


def test_the_oldest_give_way_to_new_ones_of_the_same_tenant(server: Store) -> None:
    results = StoredResults.of_server(server)
    results.keep(key("zeta"), result(age=timedelta(minutes=30)), HOUR, 3 * 4_096)
    for at in range(5):
        age = timedelta(minutes=20 - at)
        results.keep(key(digest=f"d{at}"), result(age=age), HOUR, 3 * 4_096)
    found = [results.find(key(digest=f"d{at}"), HOUR) is not None for at in range(5)]
    assert found == [False, False, True, True, True]
    assert results.find(key("zeta"), HOUR) is not None
    results.keep(key(digest="large"), result(), HOUR, 4_095)
    assert results.find(key(digest="large"), HOUR) is None


def test_a_database_that_is_away_stops_nothing() -> None:
    store = Store("postgresql://nobody@127.0.0.1:1/nothing")
    results = StoredResults.of_server(store)
    assert results.find(key(), HOUR) is None
    results.keep(key(), result(), HOUR, ROOM)
    store.close()


def test_what_another_release_kept_is_not_used(store: Store, server: Store) -> None:
    results = StoredResults.of_server(server)
    for content in (b"", b"\x00garbage", b"x\x9c\x03\x00\x00\x00\x00\x01"):
        results.keep(key(), result(), HOUR, ROOM)
        with server.tenant("acme") as connection:
            connection.execute(
                text("UPDATE veridical.kept_results SET content = :c"), {"c": content}
            )
        assert results.find(key(), HOUR) is None
