"""Pages for several engines, typed word for word on each: a reader's server is elsewhere, so its
place and its owner's password are put in, and nothing else. ``tests/release`` types SQLite."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from benchmarks.engines.mariadb import NoMariadbError, local_mariadb
from tests.docs.markdown import TYPED_FROM_A_CLONE, documents, fences, name_of
from tests.docs.typed import Background, follow
from veridical.sample.postgres import LocalPostgres

_NAME, _READER = "shop", "shop_reader"
_PAGES = [each for each in documents() if any(fence.value("engine") for fence in fences(each))]


@pytest.fixture
def postgresql(postgres_server: LocalPostgres) -> Mapping[str, str]:
    url = postgres_server.create_database(_NAME)
    with psycopg.connect(postgres_server.url) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {_READER}".encode())
    owner, _, place = url.partition("@")
    return {
        "postgresql://postgres:secret@localhost/shop": f"{owner}@{place}",
        "localhost/shop": place,
    }


@pytest.fixture
def mariadb() -> Iterator[Mapping[str, str]]:
    """Installed where it is missing; skipped only where nobody may install anything."""
    try:
        with local_mariadb() as server:
            server.create_database(_NAME)
            yield {
                "owner:secret@localhost": f"owner:{server.password}@127.0.0.1:{server.port}",
                "localhost": f"127.0.0.1:{server.port}",
            }
    except NoMariadbError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("engine", ["postgresql", "mariadb"])
@pytest.mark.parametrize("page", _PAGES, ids=name_of)
def test_a_page_works_on_each_of_its_engines(
    page: Path, engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    places: Mapping[str, str] = request.getfixturevalue(engine)
    with Background(tmp_path) as background:
        assert follow(page, tmp_path, background, engine, places)


def test_the_page_about_ones_own_database_is_typed_on_three_engines() -> None:
    (page,) = _PAGES
    assert TYPED_FROM_A_CLONE[page] == "sqlite"
    named = [fence.value("engine") for fence in fences(page) if fence.value("engine")]
    assert named == ["sqlite", "postgresql", "mariadb"]
