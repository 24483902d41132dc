"""Collections of garbage are nobody's work."""

import gc
from time import thread_time

import pytest

from veridical.contracts.input_budget import OverBudgetError, keep_time, time_limit, work_time


def test_a_full_collection_does_not_count() -> None:
    heap = [[number] for number in range(300_000)]
    with time_limit(0.02):
        started = thread_time()
        while thread_time() - started < 0.1:
            gc.collect()
        keep_time(now=True)
    assert heap


def _busy(seconds: float) -> None:
    started = work_time()
    while work_time() - started < seconds:
        keep_time(now=True)


def test_work_counts() -> None:
    with pytest.raises(OverBudgetError), time_limit(0.02):
        _busy(0.1)
