import asyncio
from dataclasses import replace
from typing import Any

import httpx2
import psycopg
import pytest

from tests.runs.asked import away, until
from tests.server.conftest import Keys
from tests.server.standing import Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.engines import Engine, Postgres
from veridical.sample.postgres import LocalPostgres

pytestmark = pytest.mark.postgres


def _ready(address: str) -> tuple[int, dict[str, bool]]:
    response = httpx2.get(f"{address}/health/ready", timeout=30)
    checks: list[dict[str, Any]] = response.json()["checks"]
    return response.status_code, {each["name"]: each["ok"] for each in checks}


def test_a_server_that_has_all_it_needs_is_ready(worked: Standing) -> None:
    asyncio.run(until(lambda: _ready(worked.address)[1]["workers"]))
    status, checks = _ready(worked.address)
    assert status == 200
    assert checks == {
        "database": True,
        "migrations": True,
        "storage": True,
        "reload": True,
        "workers": True,
        "feature:trustee": True,
    }


def test_readiness_tells_the_truth(postgres_server: LocalPostgres, trustee: Feature) -> None:
    url = postgres_server.create_database("server_health")
    keys = prepare(url)
    with standing(url, trustee, keys, ready_needs_workers=True) as running:
        status, checks = _ready(running.address)
        assert (status, checks["database"], checks["workers"]) == (503, True, False)
    with standing(url, trustee, keys) as running:
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE veridical.alembic_version SET version_num = '0001'")
        status, checks = _ready(running.address)
        assert (status, checks["migrations"]) == (503, False)
    with standing(url, trustee, keys) as running, away(url):
        status, checks = _ready(running.address)
        assert (status, checks["database"], checks["feature:trustee"]) == (503, False, True)
        assert httpx2.get(f"{running.address}/health/live").status_code == 200
        with running.client() as client:
            response = client.get("/v1/runs")
        assert (response.status_code, response.json()["code"]) == (503, "UNAVAILABLE")
        assert response.headers["retry-after"]


def test_the_log_says_why_data_does_not_answer(
    own_database: tuple[str, Keys], trustee: Feature, caplog: pytest.LogCaptureFixture
) -> None:
    url, keys = own_database
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    catalog = trustee.checker.catalog
    books = database._pool.url.render_as_string(hide_password=False)  # pyright: ignore[reportPrivateUsage]
    unreadable = Postgres(books, role="nobody_by_this_name")
    with standing(url, replace(trustee, engine=Engine(unreadable, catalog)), keys) as running:
        status, checks = _ready(running.address)
    unreadable.close()
    assert (status, checks["feature:trustee"]) == (503, False)
    assert "not ready: feature:trustee: BAD_VALUE" in caplog.text
