"""Results as tables: what is a figure, and how it is written."""

from decimal import Decimal
from typing import Any

import pytest

from veridical.console.result_table import shown_rows
from veridical.contracts.language import Language

MONEY = (("CHF", 1193798.41), ("EUR", 0.0), ("USD", None))


def texts(rows: tuple[tuple[Any, ...], ...], language: Language = Language.EN) -> list[list[str]]:
    return [[cell.text for cell in row] for row in shown_rows(rows, language)]


@pytest.mark.parametrize(
    ("language", "written"), [(Language.EN, "1,193,798.41"), (Language.DE, "1'193'798.41")]
)
def test_figures_have_the_decimals_of_their_column(language: Language, written: str) -> None:
    assert texts(MONEY, language) == [["CHF", written], ["EUR", "0.00"], ["USD", ""]]
    assert [cell.is_figure for cell in shown_rows(MONEY, language)[2]] == [False, True]


@pytest.mark.parametrize(
    "values",
    [
        (2024, 2025),
        (10200, 10201),
        ("1020", "1021"),
        (1193798.41, "none"),
        (True, False),
        (float("nan"), 1.5),
        (0.123456789, 1234.5),
    ],
)
def test_whatever_is_no_plain_amount_stays_as_it_was_read(values: tuple[Any, ...]) -> None:
    assert texts(tuple((each,) for each in values)) == [[str(each)] for each in values]


def test_numbers_of_a_database_are_figures_too() -> None:
    assert texts(((Decimal("1234.50"),), (Decimal(7),))) == [["1,234.50"], ["7.00"]]


def test_nothing_is_a_table_without_rows() -> None:
    assert shown_rows((), Language.EN) == ()
