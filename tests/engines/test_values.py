import datetime as dt
import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.engines.limits import collect
from veridical.engines.values import json_value, plain, weight


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("12.50"), 12.5),
        (Decimal("12345678901234567.89"), "12345678901234567.89"),
        (Decimal("NaN"), "NaN"),
        (float("inf"), "inf"),
        (dt.date(2024, 1, 2), "2024-01-02"),
        (dt.datetime(2024, 1, 2, 3, tzinfo=dt.UTC), "2024-01-02T03:00:00+00:00"),
        (dt.timedelta(days=1), "1 day, 0:00:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"\x00\xff", "00ff"),
        ([Decimal(1), {"a": dt.time(1)}], [1.0, {"a": "01:00:00"}]),
        (True, True),
        (None, None),
    ],
)
def test_values_of_json(value: Any, expected: Any) -> None:
    assert json_value(value) == expected


CELLS = (
    st.none()
    | st.text(max_size=9)
    | st.integers()
    | st.booleans()
    | st.decimals(allow_nan=True)
    | st.dates()
    | st.floats()
    | st.lists(st.decimals(allow_nan=False), max_size=2)
)


@given(st.lists(st.tuples(CELLS, CELLS, st.decimals(allow_nan=False, places=2)), max_size=8))
def test_columns_and_single_cells_agree(rows: list[tuple[Any, ...]]) -> None:
    found = plain(rows)
    assert found == [tuple(map(json_value, row)) for row in rows]
    assert json.dumps(found, allow_nan=False)
    assert weight(found) == sum(weight([row]) for row in found)


@given(st.lists(st.text(max_size=20), max_size=30), st.integers(0, 30), st.integers(0, 200))
def test_what_is_kept_fits_and_nothing_is_dropped_in_silence(
    texts: list[str], rows: int, size: int
) -> None:
    chunks = [[(text,) for text in texts[start : start + 7]] for start in range(0, len(texts), 7)]
    found = collect(["a"], chunks, rows, size)
    kept = [row[0] for row in found.rows]
    assert kept == texts[: len(kept)]
    assert len(kept) <= rows
    assert sum(map(len, kept)) <= size
    assert found.truncated == (len(kept) < len(texts))


def test_no_columns_is_no_error() -> None:
    assert plain([(), ()]) == [(), ()]
