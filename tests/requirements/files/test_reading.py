"""Requirements from files: id, line and text, and errors that say where."""

from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import UnreadableFileError


def _read(folder: Path, name: str, content: str) -> list[tuple[str, int, str]]:
    path = folder / name
    path.write_text(content, "utf-8")
    return [(each.id, each.line, each.text) for each in read_requirements(path)]


def test_markdown(tmp_path: Path) -> None:
    content = (
        "# Doors\n\n- **REQ-1**: The door shall\n  open.\n- Second item.\n"
        "\nA paragraph.\n\n```\ncode\n```\n| a |\n"
    )
    assert _read(tmp_path, "a.md", content) == [
        ("REQ-1", 3, "The door shall open."),
        ("2", 5, "Second item."),
        ("3", 7, "A paragraph."),
    ]


def test_csv_by_its_heading(tmp_path: Path) -> None:
    content = 'id;text\nR1;"The door; shall\nopen."\nR2;Second.\n'
    assert _read(tmp_path, "a.csv", content) == [
        ("R1", 2, "The door; shall\nopen."),
        ("R2", 4, "Second."),
    ]


def test_csv_without_heading(tmp_path: Path) -> None:
    assert _read(tmp_path, "a.csv", "One.,x\nTwo.,y\n") == [("1", 1, "One."), ("2", 2, "Two.")]


def test_json_lines(tmp_path: Path) -> None:
    content = '{"id": "A", "text": "One."}\n"Two."\n'
    assert _read(tmp_path, "a.jsonl", content) == [("A", 1, "One."), ("2", 2, "Two.")]


def test_text_lines(tmp_path: Path) -> None:
    assert _read(tmp_path, "a.txt", "\ufeffOne.\n\nTwo.\n") == [("1", 1, "One."), ("2", 3, "Two.")]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", b'"ok"\n{', "line 2"),
        ("a.jsonl", b"[1]", "line 1"),
        ("a.pdf", b"", "unknown file type"),
        ("a.txt", b"\xff\xfe\xff", "UTF-8"),
    ],
)
def test_what_can_not_be_read_is_told(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFileError) as caught:
        read_requirements(tmp_path / name)
    assert told in caught.value.message(Language.EN)
    assert name in caught.value.message(Language.EN)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError):
        read_requirements(tmp_path / "none.txt")
