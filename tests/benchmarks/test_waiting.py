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
    # Pools fill as chance has it; if each waiting run held one, there were 40 more of them.
    more_runs = SMOKE.waiting - SMOKE.warm
    assert found["connections_after"] - found["connections_before"] < more_runs / 4
    assert found["decided"] == SMOKE.decided
    assert found["wake_ms_max"] > 0
