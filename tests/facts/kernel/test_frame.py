"""Rows by their names, joined rows, columns as items."""

import pytest

from tests.facts.shops import frames
from veridical.evidence.read import read_tables
from veridical.facts.kernel.frame import as_items, frames_of
from veridical.facts.kernel.join import joined
from veridical.facts.kernel.value import FactError, Reason


def test_a_row_is_found_by_its_name_its_day_or_a_month_of_days() -> None:
    frame = frames()["r1"]
    assert frame.find("north") == (0,)
    assert frame.find(" NORTH  ") == (0,)
    assert frame.find("2024-03-20") == (1,)
    assert frame.find("March 2024") == (0, 1)
    assert frame.find("Total") == (4,)
    assert frame.find("A") == (0, 2)


def test_a_name_of_no_row_is_refused_at_once() -> None:
    for name in ("Nowhere", "x" * 100_000):
        with pytest.raises(FactError) as caught:
            frames()["r1"].find(name)
        assert caught.value.reason is Reason.NO_ROW


def test_joined_rows_have_the_same_key_and_tell_what_was_left_out() -> None:
    known = frames()
    found = joined(known["r1"], known["r2"], ("shop", "store"))
    assert [row[0] for row in found.table.rows] == ["North", "South"]
    assert found.unmatched == 2
    assert found.columns[-2:] == ("people", "r2.orders")


def test_keys_that_differ_in_their_last_digits_stay_apart() -> None:
    rows = [{"no": 1234567.0, "x": 1}, {"no": 1234568.0, "x": 2}]
    other = [{"no": 1234568.0, "y": 5}, {"no": 1234567.0, "y": 6}]
    known = frames_of(read_tables([{"rows": rows}, {"rows": other}]))
    found = joined(known["r1"], known["r2"], ("no", "no"))
    assert [row[-1] for row in found.table.rows] == [6.0, 5.0]


def test_a_key_that_is_there_twice_is_refused() -> None:
    known = frames()
    with pytest.raises(FactError) as caught:
        joined(known["r2"], known["r1"], ("store", "region"))
    assert caught.value.reason is Reason.SEVERAL_ROWS


def test_a_column_is_an_item_once() -> None:
    frame = frames()["r1"]
    found = as_items(frame, ("orders", "ORDERS"), (0,))
    assert found.table.rows == (("orders", 40.0),)


def test_the_name_of_a_total_is_none_of_a_row_that_is_nearly_called_so() -> None:
    rows = [{"shop": "Total Care Ltd", "units": 4}, {"shop": "North", "units": 6}]
    total = {"shop": "Total", "units": 10}
    frame = frames_of(read_tables([[*rows, total]]))["r1"]
    assert frame.members == (0, 1)
    assert frame.find("Total") == (2,)
    assert frame.find("Total", (0, 1)) == ()
    assert frames_of(read_tables([rows]))["r1"].find("Total", (0, 1)) == (0,)
