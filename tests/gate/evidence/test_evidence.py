"""Sheets and indexes: what is found in which cell."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from veridical.gate.claim import Days
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit, Measure
from veridical.gate.evidence.index_days import days_in_text, month_days, quarter_days, year_days
from veridical.gate.evidence.index_label import label_stems, names_codes
from veridical.gate.evidence.index_text import Texts, key_of, keys_of
from veridical.gate.evidence.sheet import Place

MIXED = Exhibit(
    columns=("name", "day", "amount"),
    rows=(
        ("Zürich Nord", date(2025, 3, 31), Decimal("12.50")),
        ("Glarus", datetime(2025, 4, 1, 12, 30), float("nan")),
        ("Chur", None, 10**400),
        ("Olten", "2025-05-02", "1234.5"),
        ("Thun", True, -3),
    ),
)


def test_a_cell_has_one_number_in_all_sheets() -> None:
    evidence = prepare([MIXED, MIXED])
    for place in (Place(0, 0, 0), Place(0, 4, 2), Place(1, 2, 1)):
        assert evidence.place(evidence.numbering.code(place)) == place


def test_figures_are_ordered_and_what_is_no_number_is_left_out() -> None:
    figures = prepare([MIXED]).figures
    assert list(figures.values) == [-3.0, 12.5, 1234.5]
    assert not figures.between(13, 1000)


def test_days_are_known_however_they_are_kept() -> None:
    days = prepare([MIXED]).days
    assert len(days.exactly(Days(date(2025, 3, 31), date(2025, 3, 31)))) == 1
    assert len(days.within(year_days(2025))) == 3
    assert len(days.in_month(4)) == 1


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2025-03", month_days(2025, 3)),
        ("2025-02-28T10:00:00", Days(date(2025, 2, 28), date(2025, 2, 28))),
        ("Q3 2025", quarter_days(2025, 3)),
        ("2025-Q3", quarter_days(2025, 3)),
        ("2025-02-30", None),
        ("2025-13", None),
        ("R-2025-03", None),
        ("", None),
    ],
)
def test_days_as_machines_write_them(text: str, days: Days | None) -> None:
    assert days_in_text(text) == days


def test_years_with_months_beside_them() -> None:
    table = Exhibit(columns=("periodYear", "periodMonth", "amount"), rows=((2024, 12, 5.0),))
    evidence = prepare([table])
    assert [
        evidence.place(code).column for code in evidence.days.exactly(month_days(2024, 12))
    ] == [1]
    assert evidence.days_of(0, 0, 1) == month_days(2024, 12)


def test_keys_are_folded_alike_alone_and_together() -> None:
    texts = ["Müller & Söhne AG", "  plain  text ", "客户A有限公司", "K-1020/b", "", "a\x00b"]
    assert keys_of(texts) == [key_of(text) for text in texts]
    assert key_of("MUELLER &  Soehne ag") == key_of("Müller & Söhne AG")


def test_a_part_of_a_cell_is_found_at_the_bounds_of_words() -> None:
    texts = Texts(["Rent of March", "Parent company", "Chur"], [7, 8, 9])
    assert texts.holding("rent of") == 7
    assert texts.holding("rent") == 7
    assert texts.holding("company") == 8
    assert texts.holding("compan") is None
    assert texts.declined("churs") == 9


def test_units_of_columns_rows_and_filters() -> None:
    table = Exhibit(
        columns=("what", "amountCHF", "share_pct", "value", "currency", "price"),
        rows=(("Rent", 5.0, 3.0, 8.0, "EUR", 2.0),),
        measures={"value": Measure(unit_column="currency"), "price": Measure(unit="USD")},
    )
    evidence = prepare([table])
    units = [evidence.unit(Place(0, 0, column)) for column in (1, 2, 3, 5)]
    assert units == ["CHF", "%", "EUR", "USD"]
    assert evidence.currencies == {"CHF", "EUR", "USD"}


def test_columns_of_codes_and_years_measure_nothing() -> None:
    columns = ("accountNumber", "periodYear", "customer", "invoiceAmount")
    evidence = prepare([Exhibit(columns=columns, rows=((1020, 2025, "Chur", 5.0),))])
    assert evidence.measure_columns == {(0, 3)}
    assert [names_codes(name) for name in columns] == [True, False, False, False]


def test_labels_are_stems_without_their_unit() -> None:
    assert label_stems("totalRevenueCHF") == label_stems("Total revenues")


def test_rows_of_uneven_length_are_evened_out() -> None:
    evidence = prepare([Exhibit(columns=("a", "b"), rows=((1.0,), (2.0, 3.0, 4.0)))])
    assert list(evidence.figures.values) == [1.0, 2.0, 3.0]
