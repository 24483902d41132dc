from tests.evals.records import HEADER, record
from tests.evals.report.reports import plain_report
from veridical.contracts.language import Language
from veridical.evals.gold.case import Difficulty
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.number_format import UNKNOWN
from veridical.evals.report.report_data import build_report
from veridical.evals.report.tables import (
    ReportTable,
    breakdown_tables,
    comparison_tables,
    mode_tables,
)


def _cell(table: ReportTable, row: str, heading: str) -> str:
    (found,) = [cells for cells in table.rows if cells[0] == row]
    return found[table.headings.index(heading)]


def test_modes_are_told_with_intervals() -> None:
    outcomes, repairs, effort, consistency = mode_tables(plain_report())
    assert _cell(outcomes, "full", "correct").startswith("66.7 % [")
    assert _cell(outcomes, "full", "wrong").startswith("0.0 % [0.0, ")
    assert _cell(repairs, "full", "repaired in the next round") == UNKNOWN
    assert _cell(effort, "full", "cost, all runs") == "$0.0000"
    assert _cell(consistency, "full", "pass^k") == "50.0 %"
    assert _cell(consistency, "baseline", "pass@k") == "50.0 %"
    assert _cell(consistency, "full", "correct, mean ± sd") == "66.7 ± 28.9 %"


def test_comparisons_name_both_sides() -> None:
    saved, modes = comparison_tables(plain_report())
    assert [row[:2] for row in modes.rows] == [
        ("full − baseline", "correct"),
        ("full − baseline", "not wrong"),
    ]
    assert _first(modes, "difference in points").startswith("+50.0 [")
    assert _first(modes, "p (Holm)") == _first(modes, "p")
    assert "Holm" in modes.note
    assert "Holm" in saved.note
    assert _first(saved, "ruling") == "unclear (at most 2)"
    assert _first(saved, "questions to see").startswith("2.0 points: ")


def _first(table: ReportTable, heading: str) -> str:
    return table.rows[0][table.headings.index(heading)]


def test_a_run_of_one_mode_has_nothing_to_compare() -> None:
    assert comparison_tables(build_report(HEADER, [record()])) == ()


def test_groups_come_in_their_own_order() -> None:
    records = [
        record("a", difficulty=Difficulty.HARD, language=Language.ZH),
        record("b", difficulty=Difficulty.MEDIUM, language=Language.DE, traps=("empty",)),
        record("b", mode=ModeName.BASELINE, difficulty=Difficulty.MEDIUM, language=Language.DE),
    ]
    by_language, by_difficulty, _, by_trap = breakdown_tables(build_report(HEADER, records))
    assert [row[0] for row in by_language.rows] == ["de", "zh"]
    assert [row[0] for row in by_difficulty.rows] == ["medium", "hard"]
    assert by_difficulty.rows == (
        ("medium", "1", "100 % / 0 %", "100 % / 0 %"),
        ("hard", "0 to 1", UNKNOWN, "100 % / 0 %"),
    )
    assert by_trap.rows == (("empty", "0 to 1", UNKNOWN, "100 % / 0 %"),)
