"""Cells and numerals, one line each."""

from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.reading.number_words import read_han
from veridical.reading.numbers import read_figure

CELLS = (Path(__file__).parent / "cells.txt").read_text(encoding="utf-8").splitlines()
ONES, PLACES = "零一二三四五六七八九", ("", "十", "百", "千")


@pytest.mark.parametrize("case", [line for line in CELLS if not line.startswith("#")])
def test_a_cell_is_one_figure_or_none(case: str) -> None:
    cell, _, wanted = case.partition(" =>")
    found = [
        " ".join(
            part for part in (f"{each.value:.10g}", each.unit, f"±{each.half_step:.10g}") if part
        )
        for each in read_figure(cell)
    ]
    assert found == [each.strip() for each in wanted.split("|") if each.strip()]


@given(st.text(max_size=30))
def test_any_cell_gives_finite_figures_or_none(cell: str) -> None:
    for reading in read_figure(cell):
        assert isfinite(reading.value)
        assert reading.half_step >= 0


@given(st.integers(min_value=1, max_value=9_999_9999_9999))
def test_chinese_numerals_are_read_back(number: int) -> None:
    numeral = read_han(han(number))
    assert numeral is not None
    assert numeral[0] == number


def han(number: int) -> str:
    """The numeral in full, made digit by digit."""
    high, rest = divmod(number, 10**8)
    if high:
        return han(high) + "亿" + (_joined(rest, 10**7) if rest else "")
    high, rest = divmod(number, 10**4)
    if high:
        return _section(high) + "万" + (_joined(rest, 10**3) if rest else "")
    return _section(rest)


def _joined(rest: int, full: int) -> str:
    return ("零" if rest < full else "") + han(rest)


def _section(number: int) -> str:
    digits = [int(digit) for digit in str(number)]
    said, gap = "", False
    for place, digit in zip(range(len(digits) - 1, -1, -1), digits, strict=True):
        if digit:
            said += ("零" if gap else "") + ONES[digit] + PLACES[place]
        gap = not digit and bool(said)
    return said


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十二", 12),
        ("两千", 2000),
        ("两百五", 250),
        ("三点五", 3.5),
        ("二〇二五", 2025),
        ("万", 10000),
    ],
)
def test_spoken_forms_are_read(numeral: str, value: float) -> None:
    found = read_han(numeral)
    assert found is not None
    assert found[0] == value


def test_a_rough_pair_is_no_number() -> None:
    assert read_han("三四") is None
