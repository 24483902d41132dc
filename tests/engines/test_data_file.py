"""Files of rows from anybody: what they become, and what is refused."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from veridical.contracts.language import Language
from veridical.engines.data_file import (
    DataFileError,
    parse_data_file,
    read_data_file,
    table_names,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "encoding", "known", "kind"),
    [
        ("Ort,Betrag\nZürich,1.5\n", "utf-8", "utf-8", "DOUBLE"),
        ("Ort,Betrag\nZürich,1.5\n", "utf-8-sig", "utf-8-sig", "DOUBLE"),
        ("Ort;Betrag\nZürich;1.234,50\n", "cp1252", "cp1252", "DOUBLE"),
        ("Ort;Betrag\nBern;1'234.50\nBasel;99\n", "utf-8", "utf-8", "DOUBLE"),
        ("姓名,金额\n张伟,100\n", "gb18030", "gb18030", "BIGINT"),
        ("姓名,金额\n张伟,100\n", "utf-16", "utf-16", "BIGINT"),
        ("Ort,PLZ\nBern,03001\nBasel,04001\n", "utf-8", "utf-8", "VARCHAR"),
    ],
)
def test_figures_are_read_in_their_notation(
    text: str, encoding: str, known: str, kind: str
) -> None:
    about = parse_data_file("a.csv", text.encode(encoding)).about
    assert about.encoding == known
    assert about.tables[0].columns[1][1] == kind


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.doc", b"x", "format"),
        ("a.csv", b" \n", "empty"),
        ("a.csv", b"name,total\n", "empty"),
        ("a.csv", b"\x00\x01\x02", "no_text"),
        ("a.xlsx", b"no archive", "unreadable"),
        ("a.parquet", b"no parquet", "unreadable"),
    ],
)
def test_what_has_no_rows_is_refused(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(DataFileError) as refused:
        parse_data_file(name, content)
    assert refused.value.reason == reason
    for language in Language:
        assert name in refused.value.message(language)


def test_a_small_file_may_not_fill_the_memory(tmp_path: Path) -> None:
    rows = 10_000_000
    path = tmp_path / "flood.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 7 AS n, 8 AS m FROM range({rows})) TO '{path}'")
    with pytest.raises(DataFileError) as refused:
        read_data_file(path)
    assert refused.value.reason == "limit"


def test_tables_of_several_files_have_names_of_their_own() -> None:
    one, other = (parse_data_file(name, b"n\n1\n") for name in ("a b.csv", "a-b.tsv"))
    assert table_names([one, other]) == {"a b.csv": ("a_b",), "a-b.tsv": ("a_b_2",)}


def test_a_program_that_has_read_a_file_ends_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("city,total\nBern,1\n", "utf-8")
    program = (
        "import sys; from pathlib import Path; from veridical.engines.data_file import"
        " read_data_file; print(read_data_file(Path(sys.argv[1])).about.tables[0].row_count)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == ("1\n", "")
