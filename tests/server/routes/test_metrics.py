from collections.abc import Iterator

import httpx2
import psycopg
import pytest

from tests.runs.asked import away
from tests.server.conftest import Keys
from tests.server.standing import BALANCE, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.sample.postgres import LocalPostgres

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def guarded(own_database: tuple[str, Keys], trustee: Feature) -> Iterator[str]:
    url, keys = own_database
    with standing(url, trustee, keys, metrics_token="hunter2") as running:
        yield running.address


def test_somebody_on_this_machine_reads_the_counters(server: Standing) -> None:
    with server.client() as client:
        client.post("/v1/ask", json={"feature": "trustee", "question": BALANCE})
    counted = httpx2.get(f"{server.address}/metrics")
    assert counted.headers["content-type"].startswith("text/plain")
    assert (
        'veridical_answers_total{feature="trustee",kind="pattern",verdict="pass"}' in counted.text
    )
    assert 'route="/v1/ask",status="200"' in counted.text


@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-for": "127.0.0.1"},
        {"forwarded": "for=127.0.0.1"},
        {"host": "attacker.example"},
        {"host": "localhost.attacker.example:80"},
    ],
    ids=str,
)
def test_who_only_seems_to_be_on_this_machine_does_not(
    server: Standing, headers: dict[str, str]
) -> None:
    assert httpx2.get(f"{server.address}/metrics", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("header", "status"),
    [("Bearer hunter2", 200), ("Bearer hunter3", 401), ("Bearer", 401), ("hunter2", 401)],
)
def test_with_a_token_it_is_the_token_that_counts(guarded: str, header: str, status: int) -> None:
    read = httpx2.get(f"{guarded}/metrics", headers={"authorization": header})
    assert read.status_code == status


def test_without_the_token_this_machine_is_no_reason(guarded: str) -> None:
    assert httpx2.get(f"{guarded}/metrics").status_code == 401


def test_workers_are_counted_for_whoever_reads_nothing_else(
    postgres_server: LocalPostgres, trustee: Feature
) -> None:
    url = postgres_server.create_database("server_metrics")
    keys = prepare(url)
    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO veridical.workers (executor_id, version) VALUES ('a', '1'), ('b', '1')"
        )
    with standing(url, trustee, keys) as running:
        assert "veridical_workers_alive 2.0" in httpx2.get(f"{running.address}/metrics").text
    with standing(url, trustee, keys) as running, away(url):
        assert "veridical_workers_alive NaN" in httpx2.get(f"{running.address}/metrics").text
