"""Numbers with their units: the same amount however it is written."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.requirements.tokens import read


def _only(text: str, language: str) -> tuple[str, Decimal]:
    (found,) = read(text, language).quantities
    return found.dimension, found.amount


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("within 2 s", "within 2000 ms", "en"),
        ("12 m³/h", "200 l/min", "en"),
        ("1.2 l per hour", "20 ml per minute", "en"),
        ("ten thousand files", "10,000 files", "en"),
        ("EUR 10k", "10000 EUR", "en"),
        ("2,5 Stunden", "150 Minuten", "de"),
        ("1.000 m", "1 km", "de"),
        ("2 Wochen", "14 Tage", "de"),
        ("anderthalb Stunden", "90 Minuten", "de"),
        ("vierundzwanzig Stunden", "24 h", "de"),
        ("thirty-one days", "31 days", "en"),
    ],
)
def test_same_amount(one: str, other: str, language: str) -> None:
    (first, amount), (second, same) = _only(one, language), _only(other, language)
    assert first == second
    assert abs(amount - same) < Decimal("1e-9")


@pytest.mark.parametrize(
    ("one", "other"), [("2 s", "2 min"), ("5 s", "5"), ("1 month", "30 days"), ("2 kg", "2 km")]
)
def test_other_amount(one: str, other: str) -> None:
    assert _only(one, "en") != _only(other, "en")


@given(st.integers(0, 10**9), st.sampled_from(["de", "en"]))
def test_thousands_are_read_in_both_languages(number: int, language: str) -> None:
    mark = {"de": ".", "en": ","}[language]
    _, amount = _only(f"{number:,}".replace(",", mark), language)
    assert amount == number
