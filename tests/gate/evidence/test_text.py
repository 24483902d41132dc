"""Pages and grids of strings become sheets with labels, heads, scales and units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.grid import Figure, figure_cell, is_untyped, sheets_from_grid
from veridical.gate.evidence.scale import scale_in
from veridical.gate.evidence.text import sheets_from_text

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
    table, *prose = sheets_from_text(PAGE, 3, Exhibit(text=PAGE))
    assert table.exhibit == 3
    assert table.columns == ("2024", "2023")
    assert table.scale == 1e6
    assert table.row_labels == (
        "Product",
        "Service and other",
        "Total revenue",
        "Effective tax rate",
    )
    assert table.rows[1] == (310.0, -295.0)
    assert table.units[0, 0] == "USD"
    assert table.units[3, 1] == "%"
    assert {sheet.scale for sheet in prose} == {1.0, 1e9}
    assert {cell for sheet in prose for row in sheet.rows for cell in row} >= {13.2, 45.0, 9.5}


def test_rows_on_one_line_and_tables_with_strokes_are_read() -> None:
    text = "Total assets 1,200 1,100\n\n| kind | 2024 |\n|---|---|\n| tea | 12 |\n"
    drawn, lines = sorted(
        sheets_from_text(text, 0, Exhibit(text=text)), key=lambda s: len(s.columns)
    )
    assert lines.row_labels == ("Total assets",)
    assert lines.rows == ((1200.0, 1100.0),)
    assert (drawn.columns, drawn.row_labels, drawn.rows) == (("2024",), ("tea",), ((12.0,),))


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
    (sheet,) = sheets_from_grid(1, exhibit)
    assert sheet.columns == ("As of June 30, 2024", "As of June 30, 2023")
    assert sheet.row_labels == (
        "Current: Trade receivables",
        "Current: Allowance",
        "Current: Share",
    )
    assert sheet.rows == ((3770.0, 3054.0), (-135.0, 0.0), (12.0, 9.0))
    assert sheet.scale == 1e3
    assert sheet.units[0, 0] == sheet.units[1, 0] == "USD"
    assert sheet.units[2, 0] == "%"


def test_a_second_head_opens_a_second_sheet() -> None:
    rows = (("", "2024"), ("High", "91.3"), ("", "2023"), ("High", "70.8"))
    first, second = sheets_from_grid(0, Exhibit(columns=("", ""), rows=rows))
    assert (first.columns, second.columns) == (("2024",), ("2023",))


@pytest.mark.parametrize(
    ("cell", "figure"),
    [
        ("$ 1,452.4", Figure(1452.4, "USD")),
        ("(3.1)", Figure(-3.1)),
        ("$(117)", Figure(-117.0, "USD")),
        ("(4.2) %", Figure(-4.2, "%")),
        ("34%", Figure(34.0, "%")),
        ("—", Figure(0.0)),
        ("1'234.50", Figure(1234.5)),
        ("n/a", None),
        ("Note 5", None),
        ("2019-03", None),
    ],
)
def test_a_cell_is_a_figure_as_accountants_write_it(cell: str, figure: Figure | None) -> None:
    assert figure_cell(cell) == figure


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
    for sheet in sheets_from_text(text, 0, Exhibit(text=text)):
        assert all(len(row) == len(sheet.columns) for row in sheet.rows)
        assert len(sheet.row_labels) == len(sheet.rows)
