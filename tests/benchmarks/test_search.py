"""The benchmark of search: its own measure by hand, and a small run."""

import math

import pytest

from benchmarks.search.__main__ import figures
from benchmarks.search.ndcg import mean_ndcg, ndcg
from benchmarks.search.scale import Size


def test_ndcg_by_hand() -> None:
    relevant = {"a": 1.0, "b": 1.0}
    assert ndcg(["a", "b"], relevant) == 1.0
    assert ndcg(["x", "a"], relevant) == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))
    assert ndcg(["x"], relevant) == 0.0
    assert ndcg([*"0123456789", "a"], relevant) == 0.0
    assert mean_ndcg({"p": ["a"], "q": ["x"]}, {"p": {"a": 1.0}, "q": {"a": 1.0}}) == 0.5


@pytest.mark.postgres
@pytest.mark.slow
def test_a_small_run_loses_nothing() -> None:
    found = figures(None, frozenset(), Size((300,), 5, 300))
    assert found["recall20_unfiltered_300"] == 1.0
    assert found["recall20_half_300"] == 1.0
    assert found["lexical_exact_300"] == 1.0
    assert found["ingest_chunks_per_s"] > 0
