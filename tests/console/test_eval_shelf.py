from pathlib import Path

import pytest

from tests.console.stored import MODES, write_evals
from veridical.console import plot
from veridical.console.eval_shelf import StoredEval, shelf_of
from veridical.console.eval_view import Which, cost_points, matrix_of, mode_rows, trend_points
from veridical.contracts.language import Language
from veridical.messages import message


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_evals(tmp_path)
    return tmp_path


def _newest(folder: Path) -> StoredEval:
    found = shelf_of(folder).named("")
    assert found is not None
    return found


def test_the_newest_release_comes_first_and_what_is_no_report_is_named(folder: Path) -> None:
    shelf = shelf_of(folder)
    assert [each.name for each in shelf.reports] == ["run-0.10.0", "run-0.2.0", "old"]
    assert shelf.unreadable == ("broken",)


def test_nothing_is_there(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path / "nowhere")
    assert (shelf.reports, shelf.named("any")) == ((), None)


def test_a_baseline_has_shares_and_no_costs(folder: Path) -> None:
    old = shelf_of(folder).named("old")
    assert old is not None
    assert cost_points(old, Language.EN)[1] == ()
    assert all(row.tokens == "–" and row.shares.correct.of == 12 for row in mode_rows(old))


def test_costs_are_told_in_dollars_where_all_are_known(folder: Path) -> None:
    unit, points = cost_points(_newest(folder), Language.EN)
    assert unit.in_dollars
    assert [point.series for point in points] == ["Model alone", "With all checks"]
    assert all(point.low <= point.share <= point.high for point in points)


def test_a_trend_goes_from_the_oldest_release_to_the_newest(folder: Path) -> None:
    newest = _newest(folder)
    reports = shelf_of(folder).trend_of(newest)
    assert [each.header.version for each in reports] == ["0.1.0", "0.2.0", "0.10.0"]
    drawn = plot.trend_plot(trend_points(reports, Language.EN))
    assert len(drawn.marks) == 6
    assert len(drawn.lines) == 2


def test_a_trend_has_the_day_as_the_language_writes_it(folder: Path) -> None:
    newest = _newest(folder)
    labels = {
        language: trend_points((newest,), language)[0].label.partition(" · ")[2]
        for language in Language
    }
    day, month = labels[Language.DE].removesuffix(".").split(".")
    assert labels[Language.EN] == f"{month}/{day}"
    assert labels[Language.ZH] == f"{month}月{day}日"


def test_the_matrix_has_a_cell_for_each_mode_and_wording(folder: Path) -> None:
    rows = matrix_of(_newest(folder))
    assert len(rows) == 6
    assert all([len(cells) for cells in row.cells] == [2, 2] for row in rows)
    assert rows[1].cells[0][1].wording == "question 1, wording 1"


def test_the_matrix_shows_those_that_were_asked_for(folder: Path) -> None:
    newest = _newest(folder)
    always_right = matrix_of(newest)[0].case
    for which in (Which.IMPERFECT, Which.WRONG, Which.UNEVEN):
        assert always_right not in {row.case for row in matrix_of(newest, which)}
    assert matrix_of(newest, Which.WRONG)


@pytest.mark.parametrize("language", Language)
def test_charts_name_modes_in_words(folder: Path, language: Language) -> None:
    newest = _newest(folder)
    costs = plot.cost_plot(cost_points(newest, language)[1])
    trend = plot.trend_plot(trend_points((newest,), language))
    named = [message(f"quality.mode_{mode}", language) for mode in MODES]
    assert [name for _, name in costs.names] == [name for _, name in trend.names] == named
    assert not {mode.value for mode in MODES} & set(named)
