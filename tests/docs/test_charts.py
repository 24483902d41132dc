"""The drawings are those of the tables, and a figure is read as it is written."""

from xml.etree import ElementTree

import pytest

from docs.charts import CHARTS, IMAGES, PAGE, Chart, draw, main, number, rows, share
from tests.docs.markdown import links

_TABLE = """## Things

| figure | goal | held out |
|---|---|---|
| `good` | ≤ 3 % | **1.5 %** |
| speed | ≤ 10 | 188 |
| other | | 0.5 (de 0.4) |
"""
_CHART = Chart("things", "Things", "Things", ("held out",), "figure")


def test_the_drawings_are_up_to_date() -> None:
    assert main(check=True) == 0


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_every_drawing_is_shown_on_the_page(chart: Chart) -> None:
    assert f"images/chart-{chart.name}.svg" in set(links(PAGE))
    assert ElementTree.parse(IMAGES / f"chart-{chart.name}.svg").getroot().get("role") == "img"


def test_only_shares_are_drawn() -> None:
    drawn = rows(_CHART, _TABLE)
    assert [row["figure"] for row in drawn] == ["`good`", "other"]
    assert [share(_CHART, row, "held out") for row in drawn] == [1.5, 50.0]


def test_a_bar_begins_at_nought_and_is_as_long_as_its_share() -> None:
    drawing = ElementTree.fromstring(draw(_CHART, rows(_CHART, _TABLE)))
    bars = [each for each in drawing.iter() if each.get("class") == "s0"]
    widths = [float(each.get("width", "")) for each in bars]
    assert {each.get("x") for each in bars} == {bars[0].get("x")}
    assert widths[1] / widths[0] == pytest.approx(50 / 1.5, rel=0.02)


def test_a_page_without_the_table_is_told() -> None:
    with pytest.raises(SystemExit, match="no table for the chart things"):
        rows(_CHART, "## Things\n\nNothing.\n")


@pytest.mark.parametrize(
    ("cell", "value"), [("1,816 (99.7 %)", 1816), ("≤ 0.08", 0.08), ("**0** of 79", 0), ("–", None)]
)
def test_numbers_of_cells(cell: str, value: float | None) -> None:
    assert number(cell) == value
