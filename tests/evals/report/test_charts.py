import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings

from tests.evals.records import HEADER, record, record_lists
from tests.evals.report.reports import hostile_report, plain_report
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.charts import Chart, charts
from veridical.evals.report.report_data import Report, build_report
from veridical.evals.report.svg import WIDTH
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.trace.counters import Counters

SVG = "{http://www.w3.org/2000/svg}"


def _drawn(report: Report) -> dict[str, Chart]:
    return {chart.name: chart for chart in charts(report)}


def _parsed(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg(alone=True))


@settings(max_examples=25, deadline=None)
@given(record_lists)
def test_every_chart_is_well_formed_and_stays_within_its_borders(records: list[RunRecord]) -> None:
    for chart in charts(build_report(HEADER, records)):
        drawing = _parsed(chart)
        assert drawing.find(f"{SVG}title") is not None
        assert drawing.find(f"{SVG}desc") is not None
        for shape in drawing.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert -0.01 <= float(shape.get(name, 0)) <= WIDTH + 0.01
            for name in ("y", "y1", "y2", "cy"):
                assert 0 <= float(shape.get(name, 0)) <= chart.height


def test_markup_in_texts_stays_text() -> None:
    for chart in charts(hostile_report()):
        names = {shape.tag.removeprefix(SVG) for shape in _parsed(chart).iter()}
        assert names <= {"svg", "title", "desc", "style", "text", "line", "rect", "circle"}


def test_the_parts_of_a_bar_add_up() -> None:
    drawing = _parsed(_drawn(plain_report())["outcomes"])
    for row in {shape.get("y") for shape in drawing.iter(f"{SVG}rect")} - {"50"}:
        parts = [shape for shape in drawing.iter(f"{SVG}rect") if shape.get("y") == row]
        total = sum(float(part.get("width", 0)) + 1 for part in parts)
        assert total == pytest.approx(WIDTH - 84, abs=0.1)


def test_no_title_is_cut_off() -> None:
    simulated = HEADER.model_copy(update={"simulated": True})
    records = [record("a", mode=mode, failure_codes=("FAN_OUT",)) for mode in ModeName]
    for chart in charts(build_report(simulated, records)):
        assert f">{chart.title}</text>" in chart.svg(alone=True)


def test_figures_are_told_in_words_too() -> None:
    drawn = _drawn(plain_report())
    assert "full correct 66.7 %, refused 33.3 %, wrong 0.0 %" in drawn["outcomes"].description
    assert "full 66.7 %, " in drawn["accuracy"].description
    assert "full − baseline +50.0, " in drawn["effects"].description


def test_codes_are_counted_by_mode_the_most_frequent_first() -> None:
    records = [
        record("a", Outcome.WRONG, ModeName.VALIDATOR, failure_codes=("FAN_OUT",)),
        record("a", Outcome.WRONG, ModeName.FULL, failure_codes=("NO_EVIDENCE", "NO_EVIDENCE")),
    ]
    told = _drawn(build_report(HEADER, records))["codes"].description
    assert told == "NO_EVIDENCE: validator 0, full 2; FAN_OUT: validator 1, full 0"


def test_rare_codes_are_left_out_and_counted() -> None:
    codes = tuple(f"CODE_{number:02}" for number in range(20))
    chart = _drawn(build_report(HEADER, [record(failure_codes=codes)]))["codes"]
    assert "and 6 rarer codes" in chart.body


def test_without_runs_there_are_no_charts_and_without_pairs_no_gains() -> None:
    assert charts(build_report(HEADER, [])) == ()
    assert set(_drawn(build_report(HEADER, [record()]))) == {
        *("outcomes", "accuracy", "tokens", "latency")
    }


def test_a_chart_that_stands_alone_brings_its_colours_for_light_and_dark() -> None:
    chart = _drawn(plain_report())["accuracy"]
    assert "prefers-color-scheme:dark" in chart.svg(alone=True)
    assert "<style>" not in chart.svg(alone=False)


def test_tokens_are_drawn_to_scale() -> None:
    records = [
        record("a", mode=mode, counters=Counters(input_tokens=tokens))
        for mode, tokens in ((ModeName.BASELINE, 2000), (ModeName.FULL, 4000))
    ]
    drawing = _parsed(_drawn(build_report(HEADER, records))["tokens"])
    near, far = (float(dot.get("cx", 0)) - 46 for dot in drawing.iter(f"{SVG}circle"))
    assert far == pytest.approx(2 * near, abs=0.1)
