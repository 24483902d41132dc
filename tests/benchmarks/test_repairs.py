"""The benchmark of repairs: what a literal reader of a refusal repairs, and what counts."""

import pytest

from benchmarks.repairs import figures, interval

pytestmark = pytest.mark.slow


def test_refused_calls_are_repaired_from_the_refusal_alone() -> None:
    found = figures(most=24)
    assert found["refused"] >= 12
    assert found["rate"] >= 0.8
    assert 0.8 * found["repaired"] < found["same_rows"] <= found["repaired"]
    assert sum(int(each.split(" of ")[1]) for each in found["by_error"].values()) == 24 - sum(
        found["passed"].values()
    )


def test_a_few_runs_have_a_wide_interval() -> None:
    assert interval(8, 10)[0] < 0.6 < 0.75 < interval(800, 1000)[0]
    assert interval(0, 0) == [0.0, 1.0]
