"""The local PostgreSQL opens nobody's folders, and nobody else reaches its socket."""

import stat
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from time import sleep
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from veridical.sample.postgres import local_postgres

pytestmark = pytest.mark.postgres


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def private() -> Iterator[Path]:
    folder = Path(mkdtemp(prefix="vp-"))
    yield folder
    rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("below", ["pg", f"{'long' * 20}/{'path' * 10}/pg"], ids=["short", "long"])
def test_e41_private_folders_stay_private(private: Path, below: str) -> None:
    data = private / below
    data.parent.mkdir(parents=True, exist_ok=True)
    assert mode(private) == 0o700
    with local_postgres(data) as server:
        assert mode(private) == 0o700
        assert mode(data) == 0o700
        (host,) = parse_qs(urlsplit(server.url).query)["host"]
        socket = Path(host) / ".s.PGSQL.5432"
        assert socket.exists()
        ways = [folder for folder in (Path(host), *Path(host).parents) if mode(folder) & 0o007 == 0]
        assert ways, "every folder on the way to the socket is open to everybody"
        with psycopg.connect(server.create_database("kept")) as connection:
            connection.execute("CREATE TABLE t AS SELECT generate_series(1, 1000) AS a")
            assert connection.execute("SELECT count(*) FROM t").fetchone() == (1000,)
    assert mode(private) == 0o700
    with local_postgres(data) as server:
        assert server.has_database("kept")


def test_e41_nobody_connects_without_the_password(private: Path) -> None:
    data = private / "pg"
    with local_postgres(data) as server:
        parts = urlsplit(server.url)
        assert parts.password
        (kept,) = data.glob("veridical_password*")
        assert mode(kept) == 0o600
        assert kept.read_text() == parts.password
        sleep(0.5)  # the server reads its rules beside
        for login in ("postgres:", "postgres", "postgres:wrong"):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(parts._replace(netloc=f"{login}@").geturl())
        with local_postgres(data) as again:
            assert again.url == server.url
    with local_postgres(data) as later:
        assert urlsplit(later.url).password == parts.password
        assert later.has_database("postgres")


def test_e41_data_of_an_earlier_release_gets_a_password(private: Path) -> None:
    data = private / "pg"
    with local_postgres(data):
        pass
    (data / "veridical_password").unlink()
    (data / "pg_hba.conf").write_text("local all all trust\n")
    with local_postgres(data) as server:
        sleep(0.5)
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(urlsplit(server.url)._replace(netloc="postgres@").geturl())
        assert server.has_database("postgres")
