from pathlib import Path

import pytest

from tests.heavy import FOLDERS, LONGEST_FIRST, TESTS, is_heavy, is_heavy_path, place


def test_heavy_files_are_known_by_what_they_use() -> None:
    heavy = {"docs", "docs/test_examples.py", "cli/test_worker.py"}
    assert [name for name in sorted(heavy) if not is_heavy_path(TESTS / name)] == []


def test_heavy_folders_exist() -> None:
    assert [name for name in FOLDERS if not (TESTS / name).is_dir()] == []


def test_what_is_pure_is_not_heavy(request: pytest.FixtureRequest) -> None:
    for name in ("gate", "gate/rules/test_cases.py", "check/test_cases.py"):
        assert not is_heavy_path(TESTS / name)
    assert not is_heavy_path(Path(__file__))
    assert not is_heavy(request.node)


def test_the_longest_files_exist_and_come_first(request: pytest.FixtureRequest) -> None:
    assert [name for name in LONGEST_FIRST if not (TESTS / name).is_file()] == []
    assert place(request.node) == len(LONGEST_FIRST)
