"""One server with a worker beside it: what callers promise themselves of the review."""

from collections.abc import Iterator

import pytest

from tests.sample import trustee
from tests.server.standing import Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.sample.postgres import LocalPostgres

__all__ = ["trustee"]


@pytest.fixture(scope="module")
def server(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Standing]:
    url = postgres_server.create_database("requirements_contract")
    keys = prepare(url)
    with (
        standing(url, trustee, keys) as running,
        working(running.services.runs.settings, trustee),
    ):
        yield running
