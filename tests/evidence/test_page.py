"""Pages and grids of strings become tables with labels, heads, scales and units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evidence.exhibit import Exhibit
from veridical.evidence.page import tables_in_text
from veridical.evidence.report import figure_cell, is_untyped, scale_in, tables_in_cells

PAGE = """Statement of Income
Year Ended June 30,
(In millions, except per share amounts)

2024
2023
Revenue:
Product
$
1,250
$
1,100
Service and other

310

(295)
Total revenue
1,560
805
Effective tax rate
21 %
19 %
The company secured $13.2 billion in cash and cut 45 jobs, about 9.5%
of its staff.
"""


def test_a_table_that_lost_its_lines_is_read_row_by_row() -> None:
    amounts, shares, *prose = tables_in_text(Exhibit(text=PAGE))
    assert amounts.columns == shares.columns == ("label", "2024", "2023")
    assert amounts.rows == (
        ("Product", 1250.0, 1100.0),
        ("Service and other", 310.0, -295.0),
        ("Total revenue", 1560.0, 805.0),
    )
    assert (amounts.measures["2024"].unit, amounts.measures["2024"].scale) == ("USD", 1e6)
    assert shares.rows == (("Effective tax rate", 21.0, 19.0),)
    assert (shares.measures["2023"].unit, shares.measures["2023"].scale) == ("%", 1.0)
    assert {each.measures[""].scale for each in prose} == {1.0, 1e9}
    assert {cell for each in prose for row in each.rows for cell in row} >= {13.2, 45.0, 9.5}


def test_rows_on_one_line_and_tables_with_strokes_are_read() -> None:
    text = "Total assets 1,200 1,100\n\n| kind | 2024 |\n|---|---|\n| tea | 12 |\n"
    drawn, lines = sorted(tables_in_text(Exhibit(text=text)), key=lambda each: len(each.columns))
    assert lines.rows == (("Total assets", 1200.0, 1100.0),)
    assert (drawn.columns, drawn.rows) == (("label", "2024"), (("tea", 12.0),))


def test_a_grid_has_heads_sections_and_units() -> None:
    exhibit = Exhibit(
        columns=("", "", ""),
        rows=(
            ("", "As of June 30,", ""),
            ("($ in thousands)", "2024", "2023"),
            ("Current", "", ""),
            ("Trade receivables", "$3,770", "3,054"),
            ("Allowance", "(135)", "—"),
            ("Share", "12%", "9%"),
        ),
    )
    assert is_untyped(exhibit)
    amounts, shares = tables_in_cells(exhibit)
    assert amounts.columns == ("label", "As of June 30, 2024", "As of June 30, 2023")
    assert amounts.rows == (
        ("Current: Trade receivables", 3770.0, 3054.0),
        ("Current: Allowance", -135.0, 0.0),
    )
    assert {(each.unit, each.scale) for each in amounts.measures.values()} == {("USD", 1e3)}
    assert shares.rows == (("Current: Share", 12.0, 9.0),)
    assert {each.unit for each in shares.measures.values()} == {"%"}


def test_a_second_head_opens_a_second_table() -> None:
    rows = (("", "2024"), ("High", "91.3"), ("", "2023"), ("High", "70.8"))
    first, second = tables_in_cells(Exhibit(columns=("", ""), rows=rows))
    assert (first.columns, second.columns) == (("label", "2024"), ("label", "2023"))


@pytest.mark.parametrize(
    ("cell", "figure"),
    [
        ("$ 1,452.4", (1452.4, "USD")),
        ("(3.1)", (-3.1, "")),
        ("$(117)", (-117.0, "USD")),
        ("(4.2) %", (-4.2, "%")),
        ("34%", (34.0, "%")),
        ("—", (0.0, "")),
        ("1'234.50", (1234.5, "")),
        ("n/a", None),
        ("Note 5", None),
        ("2019-03", None),
    ],
)
def test_a_cell_is_a_figure_as_accountants_write_it(
    cell: str, figure: tuple[float, str] | None
) -> None:
    found = figure_cell(cell)
    assert (found and (found.value, found.unit)) == figure


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("(in millions, except share data)", 1e6),
        ("(Millions)", 1e6),
        ("$'000", 1e3),
        ("RMB’000", 1e3),
        ("in Mio. CHF", 1e6),
        ("TCHF", 1e3),
        ("($ million)", 1e6),
        ("£m", 1e6),
        ("Angaben in Tausend", 1e3),
        ("单位：万元", 1e4),
        ("in March 2019", None),
        ("see note (k)", None),
    ],
)
def test_a_scale_is_told_in_words(text: str, scale: float | None) -> None:
    assert scale_in(text) == scale


@given(st.text(alphabet="aB 1,2.$%()\n—|-", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for table in tables_in_text(Exhibit(text=text)):
        assert all(len(row) == len(table.columns) for row in table.rows)
