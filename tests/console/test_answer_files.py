"""An answer taken away: as CSV, as a workbook, as a picture, on paper."""

import csv
import io
import struct
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.console.pages import signed_in
from tests.server.standing import ACME, BALANCE, BOOKS, Standing
from veridical.console.answer_tables import ExportTable, as_csv, as_workbook
from veridical.console.answer_view import answer_view
from veridical.console.withheld import withheld
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres
COURSE = "How did the balance of account 1020 develop month by month in 2025?"
FORMULA = '=HYPERLINK("http://x","y")'


def asked(console: Standing, question: str, language: str = "en") -> str:
    """The run of this question."""
    with console.client(headers={"accept-language": language}) as client:
        answer = client.post("/v1/ask", json={"feature": "trustee", "question": question}).json()
    return answer["traceId"]


def _read(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_table_of_an_answer_is_a_csv_with_figures_that_programs_read(
    console: Standing,
) -> None:
    trace = asked(console, COURSE)
    with signed_in(console, Role.VIEWER) as client:
        response = client.get(f"/console/runs/{trace}/table.csv")
        result = client.get(f"/console/runs/{trace}/table.csv?result=1")
        nothing = client.get(f"/console/runs/{trace}/table.csv?result=9")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert "How-did-the-balance" in response.headers["content-disposition"]
    head, *rows = _read(response.content)
    assert len(rows) == 12
    assert "CHF" in head[-1]
    assert all(float(row[-1]) for row in rows)
    assert len(_read(result.content)) >= 12
    assert nothing.status_code == 404


def test_a_single_figure_is_a_row_with_its_unit(console: Standing) -> None:
    trace = asked(console, BALANCE)
    with signed_in(console, Role.VIEWER) as client:
        head, row = _read(client.get(f"/console/runs/{trace}/table.csv").content)
    assert "CHF" in head[-1]
    assert float(row[-1]) > 0


def test_the_workbook_has_each_table_and_where_it_comes_from(console: Standing) -> None:
    trace = asked(console, COURSE)
    with signed_in(console, Role.VIEWER) as client:
        response = client.get(f"/console/runs/{trace}/tables.xlsx")
    book = load_workbook(io.BytesIO(response.content))
    lead, result, origin = book.worksheets
    assert lead.max_row == 13
    assert isinstance(lead.cell(2, lead.max_column).value, int | float)
    assert lead.cell(2, lead.max_column).number_format == "#,##0.00"
    assert lead.freeze_panes == "A2"
    assert result.max_row >= 13
    said = {str(row[0]): str(row[1]) for row in origin.iter_rows(values_only=True)}
    assert said["Your question"] == COURSE
    assert said["Result 1: SQL"].startswith("SELECT")
    assert "[tenant]" in said["Result 1: SQL"]
    assert not any(book_id in said["Result 1: SQL"] for book_id in BOOKS[ACME])
    assert said["Run"] == trace


def test_what_looks_like_a_formula_stays_a_text() -> None:
    table = ExportTable("", ("name", FORMULA), ((FORMULA, -5), ("+1", 2.5), ("a\x00b", None)))
    head, first, second, third = _read(as_csv(table))
    assert head[1] == first[0] == f"'{FORMULA}"
    assert first[1] == "-5"
    assert second[0] == "'+1"
    assert third == ["a�b", ""]
    book = load_workbook(io.BytesIO(_workbook(table, "=1+1")))
    sheet, origin = book.worksheets
    assert [cell.data_type for cell in sheet[2]] == ["s", "n"]
    assert sheet["A2"].value == FORMULA
    assert origin["B1"].data_type == "s"


def test_a_number_that_a_sheet_would_round_is_a_text() -> None:
    table = ExportTable("", ("id", "share"), ((12345678901234567, float("inf")),))
    sheet = load_workbook(io.BytesIO(_workbook(table))).worksheets[0]
    assert sheet["A2"].value == "12345678901234567"
    assert sheet["B2"].value == "inf"


def _workbook(table: ExportTable, question: str = "") -> bytes:
    view = answer_view(_answer(table))
    return as_workbook(view, question, withheld(view, question, "", {}))


def _answer(table: ExportTable) -> Answer:
    rows: tuple[tuple[Any, ...], ...] = table.rows
    receipt = Receipt(
        call_id="c", query_hash="", ontology_hash="", sql="", row_count=len(rows),
        truncated=False, elapsed_ms=1,
    )  # fmt: skip
    source = Source(tool="t", arguments={}, columns=table.heads, rows=rows, receipt=receipt)
    return Answer(
        kind=AnswerKind.AGENT, text="", language=Language.EN, trace_id="t", sources=(source,)
    )


def test_the_chart_is_saved_as_a_picture_and_the_table_as_a_file(
    page: Page, console: Standing, tmp_path: Path
) -> None:
    trace = asked(console, COURSE)
    sign_in(page, console, Role.VIEWER)
    page.goto(f"{console.address}/console/runs/{trace}")
    expect(page.locator(".panel canvas")).to_have_count(1)
    page.click(".take > summary")
    with page.expect_download() as saved:
        page.click("button.picture")
    path = tmp_path / "chart.png"
    saved.value.save_as(path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    assert width > height > 300
    with page.expect_download() as table:
        page.click(".take a[href$='.xlsx']")
    assert table.value.suggested_filename.endswith(".xlsx")


def test_on_paper_there_is_the_answer_with_its_proof_and_no_navigation(
    page: Page, console: Standing
) -> None:
    trace = asked(console, COURSE)
    sign_in(page, console, Role.VIEWER, where=f"ask?t={trace}")
    page.emulate_media(media="print")
    for gone in (".bar", "aside", ".rail", ".tools", ".how", "form.ask"):
        for each in page.locator(gone).all():
            expect(each).not_to_be_visible()
    expect(page.locator(".source pre").first).to_be_visible()
    expect(page.locator("table.figures").first).to_be_visible()
    assert page.pdf().startswith(b"%PDF")
