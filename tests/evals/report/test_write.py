import random
import re
from pathlib import Path

from tests.evals.records import HEADER
from tests.evals.report.reports import hostile_report, plain_records, plain_report
from veridical.evals.report.html import write_report
from veridical.evals.report.report_data import build_report


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_files_are_a_page_for_reading_one_for_exploring_and_the_charts(tmp_path: Path) -> None:
    write_report(tmp_path, plain_report())
    files = _files(tmp_path)
    linked = re.findall(rb"\((charts/\w+\.svg)\)", files["report.md"])
    assert {"report.md", "report.html"} | {name.decode() for name in linked} == set(files)
    assert len(linked) == 5


def test_the_same_records_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    records = plain_records()
    write_report(tmp_path / "one", build_report(HEADER, records))
    random.Random(3).shuffle(records)
    write_report(tmp_path / "other", build_report(HEADER, records))
    assert _files(tmp_path / "one") == _files(tmp_path / "other")


def test_texts_that_no_file_can_hold_are_written_all_the_same(tmp_path: Path) -> None:
    write_report(tmp_path, hostile_report())
    odd = HEADER.model_copy(update={"model": "\ud800"})
    write_report(tmp_path, build_report(odd, plain_records()))
    assert b"report.html" in (tmp_path / "report.md").read_bytes()
