"""Sample books are started ahead only where nothing else can be meant."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from veridical.cli.ask import books_ahead


@pytest.fixture(autouse=True)
def _nothing_is_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_something_else_is_named(tmp_path: Path) -> None:
    with books_ahead("", "postgresql://localhost/own", "") as started:
        assert started is None
    assert not (tmp_path / "state").exists()


def test_something_else_is_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("veridical.toml").touch()
    with books_ahead("") as started:
        assert started is None
    Path("veridical.toml").unlink()
    monkeypatch.setenv("VERIDICAL_MODEL", "any")
    with books_ahead("") as started:
        assert started is None
    assert not (tmp_path / "state").exists()


@pytest.mark.postgres
def test_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("VERIDICAL_")]:
        monkeypatch.delenv(name)
    # Not below pytest's own folder, which each pytest that starts closes to other users.
    with TemporaryDirectory(prefix="vba-") as folder:
        monkeypatch.setenv("XDG_STATE_HOME", folder)
        with books_ahead("", "") as started:
            assert started is not None
            url = started().url
            psycopg.connect(url).close()
            assert started().url == url
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(url, connect_timeout=1)
