from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.evals.records import HEADER, record_lists, runs
from veridical.evals.comparison.baseline import (
    BaselineError,
    as_baseline,
    read_baseline,
    write_baseline,
)
from veridical.evals.comparison.compare import modes_of, outcomes_of
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord


@settings(deadline=None)
@given(record_lists)
def test_every_outcome_is_kept(records: list[RunRecord]) -> None:
    kept = as_baseline(HEADER, records)
    assert tuple(kept.outcomes) == modes_of(records)
    for mode in ModeName:
        assert kept.of_mode(mode) == outcomes_of(records, mode)


def test_it_is_a_small_readable_file(tmp_path: Path) -> None:
    kept = as_baseline(HEADER, runs(ModeName.FULL, a="cwr", b="c c"))
    write_baseline(tmp_path / "baseline.json", kept)
    assert '"a": "cwr",\n   "b": "c-c"' in (tmp_path / "baseline.json").read_text("utf-8")
    assert read_baseline(tmp_path / "baseline.json") == kept


def test_the_order_of_the_records_does_not_matter(tmp_path: Path) -> None:
    records = runs(ModeName.FULL, a="cwr", b="ccc") + runs(ModeName.BASELINE, a="wcw")
    write_baseline(tmp_path / "one.json", as_baseline(HEADER, records))
    write_baseline(tmp_path / "other.json", as_baseline(HEADER, reversed(records)))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "header"),
        ("not json", "no baseline"),
        ('{"version": 2, "header": {}, "outcomes": {}}', "version"),
        (
            '{"header": {"gold": "g", "cases": 1, "repeats": 1, "model": "m", "version": "1"},'
            ' "outcomes": {"full": {"a": "cx"}}}',
            "other letters",
        ),
    ],
)
def test_a_file_that_is_none_is_named_with_the_reason(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BaselineError, match=words):
        read_baseline(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"gone\.json"):
        read_baseline(tmp_path / "gone.json")
