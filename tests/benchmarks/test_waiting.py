import pytest

from benchmarks.waiting import FULL, SMOKE, figures


def test_the_full_size_is_ten_thousand() -> None:
    assert FULL.waiting == 10_000
    assert FULL.warm < FULL.waiting


@pytest.mark.slow
@pytest.mark.postgres
def test_waiting_runs_hold_no_slot_and_no_connection() -> None:
    found = figures(SMOKE)
    assert found["slots_after"] == 0
    assert found["connections_after"] <= found["connections_before"] + 2
    assert found["decided"] == SMOKE.decided
    assert found["wake_ms_max"] > 0
