import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.evals.records import record
from veridical.evals.storage.folder import Results, write
from veridical.ontology.errors import LoadError


def test_what_is_appended_is_read_in_its_order(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    assert results.read() == ()
    runs = (record("a"), record("b"), record("a", repeat=1))
    for run in runs:
        results.append(run)
    assert results.read() == runs
    made = results.keys()
    assert all(run.key in made for run in runs)


@settings(deadline=None, max_examples=examples(40))
@given(st.integers(1, 200))
def test_a_torn_last_line_is_a_run_that_was_not_made(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    results = Results(tmp_path_factory.mktemp("torn") / "results.jsonl")
    results.append(record("a"))
    whole = results.path.stat().st_size
    results.append(record("b"))
    with results.path.open("r+b") as file:
        file.truncate(whole + cut)
    assert [run.key.case for run in results.read()] == ["a"]
    results.drop_torn_line()
    results.append(record("b"))
    assert [run.key.case for run in results.read()] == ["a", "b"]


def test_a_broken_line_in_between_is_told(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    results.path.write_text("nonsense\n", "utf-8")
    with pytest.raises(LoadError, match="line 1"):
        results.read()


def test_what_was_there_is_replaced_or_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write(file, b"a longer one\n", os.O_TRUNC)
    write(file, b"one\n", os.O_TRUNC)
    write(file, b"two\n", os.O_APPEND)
    assert file.read_bytes() == b"one\ntwo\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_told() -> None:
    with pytest.raises(OSError, match="No space"):
        write(Path("/dev/full"), b"lost", os.O_APPEND)
