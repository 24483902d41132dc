import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.packs.trustee.books.ledger import Ledger, Leg, UnbalancedError, balance_rows, money
from veridical.packs.trustee.books.tenant import SMALL, tenants


def _ledger() -> Ledger:
    ledger = Ledger(tenants(SMALL, 1)[0], seed=1)
    ledger.open_year(2024)
    ledger.open_month(3)
    return ledger


def test_a_booking_that_does_not_balance_is_refused() -> None:
    with pytest.raises(UnbalancedError, match="CHF"):
        _ledger().post(1, "manual", "schief", (Leg("1020", 100), Leg("3400", -99)))


def test_francs_do_not_balance_euros() -> None:
    with pytest.raises(UnbalancedError, match="EUR"):
        _ledger().post(1, "manual", "gemischt", (Leg("1022", 100), Leg("3400", -100)))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(-(10**9), 10**9)), max_size=30))
def test_closing_is_opening_plus_debit_minus_credit_in_every_period(
    moves: list[tuple[int, int]],
) -> None:
    ledger = _ledger()
    ledger.open_month(1)
    ledger.post(1, "opening", "Eröffnung", (Leg("1020", 500), Leg("2800", -500)))
    for month, cents in moves:
        ledger.open_month(month)
        ledger.move(1, "Bewegung", "1020", "3400", cents)
    rows = {
        row[4]: row
        for row in balance_rows(ledger.tenant, 2024, ledger.turnovers)
        if row[2] == "1020"
    }
    assert sorted(rows) == list(range(13))
    assert all(row[8] == row[5] + row[6] - row[7] for row in rows.values())
    assert all(rows[month][5] == rows[month - 1][8] for month in range(2, 13))
    assert (rows[0][5], rows[0][8]) == (rows[1][5], rows[12][8])
    assert rows[0][8] == money(500 + sum(cents for _, cents in moves))
    assert rows[0][6] == sum(rows[month][6] for month in range(1, 13))
