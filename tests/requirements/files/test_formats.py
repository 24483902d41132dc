"""Each format from a sample file: ids, lines, types and texts as their tools write them."""

import shutil
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement, UnreadableFileError
from veridical.requirements.files.table import Columns

SAMPLES = Path(__file__).with_name("samples")
MARKDOWN_ITEM = """\
---
active: true
level: 1.1
links:
  - PUMP001: null
---

# Stop time

The test shall measure the time
to stop in ms.
"""


def _read(path: Path, columns: Columns | None = None) -> list[tuple[str, int, str, str]]:
    found = read_requirements(path, columns or Columns())
    return [(each.id, each.line, each.type, each.text) for each in found]


def _line(name: str, words: str) -> int:
    """The line of a sample that these words begin on."""
    lines = (SAMPLES / name).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def test_sdoc() -> None:
    name = "gate.sdoc"
    assert _read(SAMPLES / name) == [
        (
            "LX-1",
            _line(name, "The crossing shall close"),
            "SAFETY",
            "The crossing shall close the barrier within 12 s after a train is reported.",
        ),
        ("LX-2", _line(name, "robust"), "REQUIREMENT", "The barrier must be robust."),
        (
            "3",
            _line(name, "log each"),
            "COMPOSITE_REQUIREMENT",
            "The crossing shall log each closing.",
        ),
        ("LX-3", _line(name, "90 days"), "REQUIREMENT", "The log shall hold 90 days."),
    ]


def test_needs_json_of_the_current_version() -> None:
    name = "needs.json"
    assert _read(SAMPLES / name) == [
        (
            "KILN_1",
            _line(name, '"KILN_1"'),
            "req",
            "The kiln shall reach 1200 °C within 4 h, see KILN_2.",
        ),
        ("KILN_2", _line(name, '"KILN_2":'), "spec", "The kiln must be efficient."),
    ]
    assert read_requirements(SAMPLES / name)[0].place == "kiln/heating:14"


def test_rst_directives_also_within_each_other() -> None:
    name = "kiln.rst"
    assert _read(SAMPLES / name) == [
        (
            "KILN_1",
            _line(name, "shall reach"),
            "req",
            "The kiln shall reach 1200 °C within 4 h, see the other one. It must be quiet.",
        ),
        (
            "KILN_1_1",
            _line(name, "The sensor"),
            "spec",
            "The sensor shall report 1 value each second.",
        ),
        ("3", _line(name, "The door"), "req", "The door must be safe."),
        ("KILN_R", _line(name, "cool down"), "rule", "The kiln should cool down quickly."),
    ]


@pytest.fixture
def doorstop(tmp_path: Path) -> Path:
    """A tree whose child document keeps its items as Markdown."""
    folder = Path(shutil.copytree(SAMPLES / "doorstop", tmp_path / "doorstop"))
    (folder / "README.md").write_text("Not an item.\n", "utf-8")
    (folder / "tests/VER-001.md").write_text(MARKDOWN_ITEM, "utf-8")
    return folder


def test_doorstop_folder_with_its_children(doorstop: Path) -> None:
    found = read_requirements(doorstop)
    assert [(each.id, each.line, each.type, each.text) for each in found] == [
        ("PUMP001", 10, "PUMP", "The pump shall stop within 2 s after the button is pressed."),
        ("PUMP004", 2, "PUMP", "The pump must be reliable."),
        ("VER-001", 10, "VER-", "The test shall measure the time to stop in ms."),
    ]
    assert [Path(each.source).name for each in found] == [
        "PUMP001.yml",
        "PUMP004.yml",
        "VER-001.md",
    ]


@pytest.mark.parametrize(
    ("name", "key"), [("PUMP004.yml", "PUMP004"), ("tests/VER-001.md", "VER-001")]
)
def test_doorstop_item_alone(doorstop: Path, name: str, key: str) -> None:
    assert [each.id for each in read_requirements(doorstop / name)] == [key]


def test_markdown_beside_doorstop_items_is_markdown(doorstop: Path) -> None:
    (each,) = read_requirements(doorstop / "README.md")
    assert each.text == "Not an item."


def test_reqif() -> None:
    assert _read(SAMPLES / "gate.reqif") == [
        (
            "LIFT-1",
            _line("gate.reqif", "so-1"),
            "Lift requirement",
            "The lift shall stop within 3 s.",
        ),
        ("so-2", _line("gate.reqif", "so-2"), "Lift requirement", "The lift must be comfortable."),
    ]


def test_reqif_archive(tmp_path: Path) -> None:
    path = tmp_path / "lift.reqifz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(SAMPLES / "gate.reqif", "lift.reqif")
        archive.writestr("picture.png", b"\x89PNG")
    found = read_requirements(path)
    assert [(each.id, each.place) for each in found] == [
        ("LIFT-1", "lift.reqif"),
        ("so-2", "lift.reqif"),
    ]


def test_reqif_by_an_attribute_that_is_named() -> None:
    found = _read(SAMPLES / "gate.reqif", Columns(text="reqif.foreignid"))
    assert [text for _, _, _, text in found] == ["LIFT-1"]
    with pytest.raises(UnreadableFileError, match=r"ReqIF\.Text"):
        _read(SAMPLES / "gate.reqif", Columns(text="Body"))


def _book(path: Path, *sheets: list[tuple[object, ...]]) -> Path:
    book = Workbook()
    assert book.active is not None
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_workbook_below_its_title(tmp_path: Path) -> None:
    rows: list[tuple[object, ...]] = [
        ("Specification of the shop",),
        ("No.", "ID", "Typ", "Anforderung"),
        (1, "S-1", "safety", "The shop shall answer within 2 s."),
        (2, None, None, None),
        (3, "S-3", None, 17),
    ]
    path = _book(tmp_path / "shop.xlsx", [("Cover",)], rows)
    assert read_requirements(path) == [
        Requirement(
            "S-1",
            str(path),
            3,
            "The shop shall answer within 2 s.",
            "safety",
            "Sheet 2!D3",
            True,
        ),
        Requirement("S-3", str(path), 5, "17", "", "Sheet 2!D5", True),
    ]


def test_workbook_by_a_column_that_is_named(tmp_path: Path) -> None:
    path = _book(tmp_path / "a.xlsx", [("Code", "Wish"), ("A", "It shall ring.")])
    assert _read(path, Columns("wish", "code")) == [("A", 2, "", "It shall ring.")]
    with pytest.raises(UnreadableFileError, match="Code, Wish"):
        read_requirements(path)


def test_csv_by_a_column_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("code,wish,type\nA,It shall ring.,safety\n", "utf-8")
    assert _read(path, Columns("Wish", "Code")) == [("A", 2, "safety", "It shall ring.")]
    with pytest.raises(UnreadableFileError, match="--text-column"):
        _read(path, Columns("None"))
