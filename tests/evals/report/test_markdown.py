import re

import pytest

from tests.evals.records import HEADER
from tests.evals.report.reports import hostile_report, plain_report
from veridical.evals.report.markdown import as_markdown, plain
from veridical.evals.report.report_data import Report, build_report


@pytest.mark.parametrize("report", [plain_report(), hostile_report(), build_report(HEADER, [])])
def test_every_row_of_a_table_has_as_many_cells_as_its_headings(report: Report) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", as_markdown(report), re.M):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1


def test_markup_in_texts_stays_text() -> None:
    text = as_markdown(hostile_report())
    assert not re.search(r"(?<!\\)<", text)
    assert re.findall(r"(?<!\\)\]\(([^)]*)\)", text) == [
        *re.findall(r"\((charts/\w+\.svg)\)", text),
        "report.html",
    ]
    assert not re.search(r"^# b", text, re.M)


def test_plain_text_is_one_line() -> None:
    assert plain("a\n\n# b | c") == r"a \# b \| c"


def test_questions_modes_and_marks_are_there() -> None:
    text = as_markdown(plain_report())
    assert "| q1: What about q1? | ✓✗✗ | ✓✓✓ |" in text
    assert "Gold set: trustee core, 2 questions × 3 repeats" in text
    assert "seed 1, temperature 0.7" in text


def test_simulated_figures_say_so_everywhere() -> None:
    simulated = HEADER.model_copy(update={"simulated": True})
    text = as_markdown(plain_report(simulated))
    headings = re.findall(r"^#.*", text, re.M)
    pictures = re.findall(r"^!\[.*", text, re.M)
    assert headings
    assert pictures
    assert all("simulated" in line for line in headings + pictures)
    assert "simulated" not in as_markdown(plain_report())
