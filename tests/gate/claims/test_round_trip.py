"""A number that is written the way a country writes it is read back, with its exactness."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.claims import find_claims
from veridical.reading.numbers import read_figure

PLACES = st.integers(min_value=0, max_value=4)
WHOLE = st.integers(min_value=0, max_value=999_999_999_999)


def written(group: str, point: str) -> Callable[[Decimal], str]:
    return lambda number: f"{number:,f}".replace(",", "\0").replace(".", point).replace("\0", group)


LOCALES: dict[str, Callable[[Decimal], str]] = {
    "de-CH": written("'", "."),
    "de-CH curly": written("’", "."),
    "de-DE": written(".", ","),
    "en": written(",", "."),
    "de-AT": written("\u00a0", ","),
    "narrow": written("\u202f", ","),
    "thin": written("\u2009", "."),
    "bare": "{:f}".format,
}


@pytest.mark.parametrize("locale", LOCALES)
@given(units=WHOLE, places=PLACES)
def test_one_of_the_readings_is_the_number(locale: str, units: int, places: int) -> None:
    number = Decimal(units).scaleb(-places)
    said = LOCALES[locale](number)
    for text in (f"Total CHF {said}.", f"Total {said} %", f"Wert {said} dann."):
        (claim,) = [each for each in find_claims(text) if each.readings]
        halves = {each.half_step for each in claim.readings if each.value == float(number)}
        assert halves, (text, claim)
        assert any(abs(half * 2 * 10**places - 1) < 1e-9 for half in halves)


@pytest.mark.parametrize("locale", LOCALES)
@given(units=WHOLE, places=PLACES, negative=st.booleans())
def test_a_cell_is_read_alike(locale: str, units: int, places: int, negative: bool) -> None:
    number = Decimal(units).scaleb(-places)
    said = LOCALES[locale](number)
    readings = read_figure(f"({said})" if negative else said)
    assert (-float(number) if negative else float(number)) in {each.value for each in readings}


@pytest.mark.parametrize(
    ("scale", "factor"),
    [
        (" Mio.", 10**6),
        (" million", 10**6),
        (" Mrd.", 10**9),
        ("k", 10**3),
        ("万", 10**4),
        ("亿", 10**8),
    ],
)
@given(
    units=st.integers(min_value=1, max_value=99_999), places=st.integers(min_value=1, max_value=2)
)
def test_a_scale_multiplies_value_and_step(
    scale: str, factor: int, units: int, places: int
) -> None:
    number = Decimal(units).scaleb(-places)
    (claim,) = find_claims(f"收入 {number:f}{scale}")
    exact = float(number * factor)
    (reading,) = [each for each in claim.readings if each.scale == factor]
    assert reading.value == pytest.approx(exact, rel=1e-12)
    assert reading.half_step == pytest.approx(0.5 * factor * 10.0**-places)
