"""Files that are damaged or built to harm: one plain sentence with the next step, soon."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.language import Language
from veridical.requirements.files.readers import LONGEST, READERS, TABLES
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import UnreadableFileError

SAMPLES = Path(__file__).with_name("samples")
LEVELS = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
BOMB = f'<!DOCTYPE REQ-IF [<!ENTITY e0 "ha">{LEVELS}]>'
READS_FILES = '<!DOCTYPE REQ-IF [<!ENTITY e9 SYSTEM "file:///etc/passwd">]>'


def _refused(path: Path) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        read_requirements(path)
    for language in Language:
        assert path.name in caught.value.message(language)
    return caught.value.kind


@pytest.mark.parametrize("declared", [BOMB, READS_FILES])
def test_reqif_with_entities_is_refused(tmp_path: Path, declared: str) -> None:
    sample = (SAMPLES / "gate.reqif").read_text("utf-8")
    hostile = sample.replace("<REQ-IF ", f"{declared}\n<REQ-IF ", 1).replace("within 3 s", "&e9;")
    path = tmp_path / "a.reqif"
    path.write_text(hostile, "utf-8")
    assert _refused(path) == "document_type"


def test_reqif_archive_with_entities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.reqifz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.reqif", f"{BOMB}<REQ-IF>&e9;</REQ-IF>")
    assert _refused(path) == "document_type"


def test_reqif_in_another_encoding_hides_no_entities(tmp_path: Path) -> None:
    path = tmp_path / "a.reqif"
    path.write_text(f'<?xml version="1.0" encoding="UTF-16"?>{BOMB}<REQ-IF>&e9;</REQ-IF>', "utf-16")
    assert _refused(path) == "document_type"


def test_reqif_nested_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.reqif"
    path.write_text("<REQ-IF>" * 100_000, "utf-8")
    assert _refused(path) == "not_reqif"


def test_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b" " * 60_000_000)
    assert path.stat().st_size < 100_000
    assert _refused(path) == "limit"


def test_workbook_with_entities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", f"{BOMB}<workbook>&e9;</workbook>")
    assert _refused(path) == "document_type"


def test_doorstop_item_that_multiplies_is_read_at_once(tmp_path: Path) -> None:
    (tmp_path / ".doorstop.yml").write_text("settings:\n  prefix: A\n", "utf-8")
    levels = "".join(f"b{n + 1}: &b{n + 1} [{', '.join([f'*b{n}'] * 10)}]\n" for n in range(20))
    path = tmp_path / "A1.yml"
    path.write_text(f"text: It shall ring.\nb0: &b0 [x]\n{levels}", "utf-8")
    assert [each.text for each in read_requirements(path)] == ["It shall ring."]


def test_doorstop_item_can_not_build_objects(tmp_path: Path) -> None:
    (tmp_path / ".doorstop.yml").write_text("settings:\n  prefix: A\n", "utf-8")
    written = tmp_path / "written"
    path = tmp_path / "A1.yml"
    path.write_text(f"text: !!python/object/apply:os.mkdir [{written}]\n", "utf-8")
    assert read_requirements(path) == []
    assert not written.exists()


def _nothing(path: Path) -> None:
    path.write_bytes(b"")


def _noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def _deep(path: Path) -> None:
    path.write_text("[" * 100_000, "utf-8")


TEXTS = {".csv", ".jsonl", ".markdown", ".md", ".ndjson", ".rst", ".txt"}
"""Endings of files that may be empty, and in which any text is a text."""
MADE = {
    "empty": _nothing,
    "noise": _noise,
    "deep": _deep,
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
@pytest.mark.parametrize("ending", [*READERS, *TABLES])
def test_garbage_is_told_and_never_raised(
    tmp_path: Path, ending: str, make: Callable[[Path], None]
) -> None:
    path = tmp_path / f"a{ending}"
    make(path)
    if make is _nothing and ending in TEXTS:
        assert read_requirements(path) == []
    elif make is _deep and ending in TEXTS - {".jsonl", ".ndjson"}:
        assert _refused(path) == "long" if ending != ".rst" else read_requirements(path) == []
    else:
        assert _refused(path)


@pytest.mark.parametrize("ending", [".txt", ".md", ".csv", ".jsonl"])
def test_ten_megabytes_on_one_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    text = "The pump shall stop. " * 500_000
    path.write_text(f'"{text}"' if ending == ".jsonl" else text, "utf-8")
    assert _refused(path) in {"long", "not_csv"}


def test_longest_requirement_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x" * LONGEST, "utf-8")
    assert len(read_requirements(path)) == 1
    path.write_text("x" * (LONGEST + 1), "utf-8")
    assert _refused(path) == "long"


def test_sdoc_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "a.sdoc"
    path.write_text("[DOCUMENT]\n\n[REQUIREMENT]\nSTATEMENT: >>>\nIt shall\n", "utf-8")
    with pytest.raises(UnreadableFileError, match="line 4"):
        read_requirements(path)


def test_folder_without_doorstop(tmp_path: Path) -> None:
    assert _refused(tmp_path) == "no_doorstop"


def test_damaged_settings_of_doorstop_are_named(tmp_path: Path) -> None:
    (tmp_path / ".doorstop.yml").write_text("settings: [", "utf-8")
    with pytest.raises(UnreadableFileError) as caught:
        read_requirements(tmp_path)
    assert ".doorstop.yml" in caught.value.message(Language.EN)


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    ending=st.sampled_from([".md", ".rst", ".sdoc", ".csv", ".txt", ".jsonl"]),
    parts=st.lists(
        st.sampled_from(
            [
                "[DOCUMENT]\n",
                "[REQUIREMENT]\n",
                "STATEMENT: >>>\n",
                "<<<\n",
                ".. req:: a\n",
                "   :id: X",
                "\n",
                "   ",
                "- ",
                "```\n",
                '"',
                ";",
                ",",
                "text",
                "\r",
                "\u2028",
                "It shall ring.",
            ]
        ),
        max_size=30,
    ),
)
def test_any_text_is_read_or_told_with_lines_that_exist(
    tmp_path: Path, ending: str, parts: list[str]
) -> None:
    path = tmp_path / f"a{ending}"
    content = "".join(parts)
    path.write_bytes(content.encode())
    try:
        found = read_requirements(path)
    except UnreadableFileError:
        return
    last = content.count("\n") + content.count("\r") + content.count("\u2028") + 1
    assert all(1 <= each.line <= last and each.text.strip() for each in found)
