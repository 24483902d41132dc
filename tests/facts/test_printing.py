"""Values as people read them, in three languages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.evidence.column import CellKind
from veridical.evidence.dimension import COUNT, NUMBER, SHARE, Dimension, Quantity
from veridical.facts.fact import Part, Role
from veridical.facts.kernel.value import FactError, Value
from veridical.facts.printing import Printer, read_format

EN, DE, ZH = (Printer(each) for each in (Language.EN, Language.DE, Language.ZH))
_EUR = Dimension(Quantity.MONEY, "EUR")
_CHF = Dimension(Quantity.MONEY, "CHF")
_TIME = Dimension(Quantity.DURATION)


def _figure(number: float, dimension: Dimension = NUMBER, scale: float = 1.0) -> Value:
    return Value(CellKind.FIGURE, number, dimension, scale)


@pytest.mark.parametrize(
    ("value", "english", "german", "chinese"),
    [
        (Value(CellKind.DAY, "2025-10-01"), "October 1, 2025", "1. Oktober 2025", "2025年10月1日"),
        (Value(CellKind.PERIOD, "2025-03"), "March 2025", "März 2025", "2025年3月"),
        (Value(CellKind.PERIOD, "Q3 2025"), "Q3 2025", "3. Quartal 2025", "2025年第三季度"),
        (Value(CellKind.PERIOD, "2024"), "2024", "2024", "2024"),
        (_figure(1234.5, _EUR), "€1,234.50", "1.234,50 €", "1,234.50欧元"),
        (_figure(1_500_000.0, _CHF, 1e6), "CHF 1,500,000", "1.500.000 CHF", "1,500,000瑞士法郎"),
        (_figure(0.1234, SHARE), "12.3%", "12,3 %", "12.3%"),
        (_figure(1310.0, COUNT), "1,310", "1.310", "1,310"),
        (_figure(5400.0, _TIME, 60.0), "90 minutes", "90 Minuten", "90分钟"),
        (_figure(86_400.0, _TIME, 86_400.0), "1 day", "1 Tag", "1天"),
        (Value(CellKind.FLAG, value=True), "yes", "ja", "是"),
    ],
)  # fmt: skip
def test_a_value_is_printed_as_its_language_does(
    value: Value, english: str, german: str, chinese: str
) -> None:
    assert (EN.value(value), DE.value(value), ZH.value(value)) == (english, german, chinese)


def test_a_place_is_an_ordinal() -> None:
    form = read_format("o")
    second, last = _figure(2.0, COUNT), _figure(22.0, COUNT)
    assert EN.value(second, form) == "second"
    assert EN.value(last, form) == "22nd"
    assert DE.value(last, form) == "22."
    assert ZH.value(second, form) == "第二"


def test_a_limit_keeps_all_its_decimals() -> None:
    assert EN.part(Part(Role.LIMIT, _figure(337.25))) == "337.25"
    assert EN.part(Part(Role.LIMIT, _figure(145_636.65, _EUR))) == "€145,636.65"
    assert EN.part(Part(Role.LIMIT, _figure(0.12345, SHARE))) == "12.345%"


@pytest.mark.parametrize("printer", [EN, DE, ZH])
@given(share=st.floats(0, 1, exclude_min=True, exclude_max=True, allow_subnormal=False),
       digits=st.none() | st.integers(0, 3))  # fmt: skip
def test_nearly_all_is_never_all_and_hardly_any_never_none(
    printer: Printer, share: float, digits: int | None
) -> None:
    if not 1e-7 < share < 1 - 1e-7:
        return
    form = read_format("" if digits is None else str(digits))
    text = printer.value(_figure(share, SHARE), form)
    assert float(re.sub(r"[^\d.]", "", text.replace(",", "."))) not in (0.0, 100.0), text


def test_almost_all_is_printed_with_the_decimals_that_it_takes() -> None:
    assert EN.value(_figure(0.9951, SHARE), read_format("0")) == "99.5%"
    assert EN.value(_figure(0.99996, SHARE)) == "99.996%"
    assert EN.value(_figure(0.0004, SHARE), read_format("0")) == "0.04%"


@given(st.text(max_size=12))
def test_a_format_is_read_or_refused(text: str) -> None:
    try:
        form = read_format(text)
    except FactError:
        return
    assert form.digits is None or 0 <= form.digits <= 6


def test_german_beside_francs_is_written_as_in_switzerland() -> None:
    swiss = Printer(Language.DE, {"CHF"})
    assert swiss.value(_figure(1234.5, _CHF)) == "1'234.50 CHF"
    assert swiss.value(_figure(0.1234, SHARE)) == "12.3 %"


def test_computed_figures_of_one_column_have_the_same_decimals() -> None:
    assert EN.evened([_figure(0.4, SHARE), None, _figure(0.853, SHARE)]) == ["40.0%", "–", "85.3%"]
    assert EN.evened([_figure(3.0), _figure(4.0)]) == ["3", "4"]


def test_money_has_two_decimals_or_none() -> None:
    assert EN.value(_figure(7887.84, _EUR), read_format("1")) == "€7,887.84"
