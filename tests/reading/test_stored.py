"""Days out of every encoding that a column may have."""

from datetime import date
from typing import Any

import pytest

from veridical.ontology.model import Encoding
from veridical.reading.stored import stored_date


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        (1767139200, Encoding.UNIX_SECONDS),
        (1767139200000, Encoding.UNIX_MILLISECONDS),
        (20251231, Encoding.YYYYMMDD),
        ("2025-12-31T08:00:00", Encoding.ISO_TEXT),
    ],
)
def test_one_day_in_every_encoding(value: Any, encoding: Encoding) -> None:
    assert stored_date(value, encoding) == date(2025, 12, 31)


def test_what_is_no_day_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid isoformat"):
        stored_date("soon", Encoding.ISO_TEXT)
