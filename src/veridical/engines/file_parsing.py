"""Parses a file of rows, within the limits of the process that it runs in.

Texts are read in the encoding that they are in, and their figures with a decimal comma or with
apostrophes between thousands become numbers. The result has one Parquet file for each table.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from veridical.engines.files import load
from veridical.limited_process.child import ensure_memory
from veridical.limited_process.limits import Limit, LimitError, ensure_unpacked, limits_for

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_HIGH = re.compile(rb"[\x80-\xff]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TEXTS = frozenset({".csv", ".tsv", ".txt"})
_WORKBOOKS = frozenset({".xlsx", ".xlsm"})
_PROLOGUE = 65_536
"""A document type, which no workbook has, would stand among the first bytes of a part."""
_PLACE = ("file", "main")
_SPACES = "'’ \u00a0\u202f"
"""The signs between thousands that are never a decimal point."""
_LEADING_ZERO = r"^\s*[-+]?0\d+\s*$"


class _Notation(NamedTuple):
    """A way to write figures. A column is read so if all of its texts fit, and one of them could
    not be written otherwise."""

    fits: str
    shows: str
    groups: str
    """The signs between thousands."""
    decimal: str = "."


_NOTATIONS = (
    _Notation(rf"^\s*[-+]?(\d{{1,3}}([{_SPACES}]\d{{3}})+|\d+)(\.\d+)?\s*$", r"\d", f"[{_SPACES}]"),
    _Notation(
        rf"^\s*[-+]?(\d{{1,3}}([.{_SPACES}]\d{{3}})+|\d+)(,\d+)?\s*$",
        rf",(\d{{1,2}}|\d{{4,}})\s*$|[.{_SPACES}]\d{{3}},",
        f"[.{_SPACES}]",
        ",",
    ),
    _Notation(r"^\s*[-+]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?\s*$", r",\d{3}\.\d|,\d{3},\d{3}", ","),
)


class _RefusedError(ValueError):
    """The file has no tables; the text is the name of the reason."""


def parse_request(request: bytes) -> bytes:
    """The entry point of the process: the tables of a file, or why it has none."""
    head, _, content = request.partition(b"\n")
    try:
        return _parsed(json.loads(head)["ending"], content)
    except _RefusedError as error:
        return _problem(str(error))
    except (duckdb.Error, ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        ensure_memory(error)
        if isinstance(error, duckdb.OutOfMemoryException):
            raise MemoryError from error
        return _problem("unreadable")


def _problem(reason: str) -> bytes:
    return json.dumps({"problem": reason}).encode()


def _parsed(ending: str, content: bytes) -> bytes:
    encoding = ""
    if ending in _TEXTS:
        content, encoding = _as_utf8(content)
    with TemporaryDirectory(prefix="veridical-file-") as folder:
        path = Path(folder) / f"file{ending}"
        path.write_bytes(content)
        if ending in _WORKBOOKS:
            _refuse_bombs(path, len(content))
        with duckdb.connect(config={"threads": 1}) as connection:
            connection.execute(f"ATTACH ':memory:' AS {_PLACE[0]}")
            load(connection, _PLACE, "file", path)
            _refuse_floods(connection, len(content))
            return _tables(connection, Path(folder), encoding, is_text=ending in _TEXTS)


def _as_utf8(content: bytes) -> tuple[bytes, str]:
    """The text in UTF-8, and the encoding that it was in. Raises ``_RefusedError`` for no text."""
    encoding = _encoding_of(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _RefusedError("no_text") from error
    if _CONTROL.search(text):
        raise _RefusedError("no_text")
    return text.encode("utf-8"), encoding


def _encoding_of(content: bytes) -> str:
    """The encoding by its mark; else UTF-8 where it is that; else Chinese where all characters
    beyond ASCII are pairs of bytes; else Western European."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        if all(len(each) % 2 == 0 for each in _HIGH.findall(content)):
            return "gb18030"
        return "cp1252"
    return "utf-8"


def _refuse_bombs(path: Path, size: int) -> None:
    """A workbook is an archive of XML files, and either can be made to fill the memory."""
    with zipfile.ZipFile(path) as archive:
        ensure_unpacked(archive, size)
        for each in archive.infolist():
            if each.filename.endswith((".xml", ".rels")):
                with archive.open(each) as part:
                    if b"<!DOCTYPE" in part.read(_PROLOGUE):
                        raise _RefusedError("unreadable")


def _refuse_floods(connection: duckdb.DuckDBPyConnection, size: int) -> None:
    """A column of one value takes no room in Parquet, and all of it in memory."""
    limits = limits_for(size)
    used = "SELECT sum(memory_usage_bytes) FROM duckdb_memory()"
    (taken,) = connection.execute(used).fetchall()[0]
    if taken > limits.unpacked_bytes:
        raise LimitError(Limit.UNPACKED, limits)


def _tables(
    connection: duckdb.DuckDBPyConnection, folder: Path, encoding: str, *, is_text: bool
) -> bytes:
    found: list[dict[str, object]] = []
    parts: list[bytes] = []
    listed = "SELECT table_name FROM duckdb_tables() WHERE database_name = ? ORDER BY table_oid"
    for (name,) in connection.execute(listed, [_PLACE[0]]).fetchall():
        place = ".".join(map(_quoted, (*_PLACE, name)))
        selected = list(_selected(connection, place, is_text=is_text))
        path = folder / f"part-{len(parts)}.parquet"
        query = f"SELECT {', '.join(selected)} FROM {place}"  # noqa: S608 # quoted
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
        columns = connection.execute(f"DESCRIBE {query}").fetchall()
        (count,) = connection.execute(f"SELECT count(*) FROM {place}").fetchall()[0]  # noqa: S608
        sheet = name.removeprefix("file").removeprefix("_")
        described = [[column, kind] for column, kind, *_ in columns]
        found.append({"name": sheet, "columns": described, "rowCount": count})
        parts.append(path.read_bytes())
    if not any(each["rowCount"] for each in found):
        raise _RefusedError("empty")
    about = {"tables": found, "encoding": encoding}
    head = {"about": about, "sizes": [len(each) for each in parts]}
    return b"\n".join((json.dumps(head).encode(), b"".join(parts)))


def _selected(connection: duckdb.DuckDBPyConnection, place: str, *, is_text: bool) -> Iterator[str]:
    """Each column as it is, or as numbers where all of its texts are figures."""
    for column, kind, *_ in connection.execute(f"DESCRIBE {place}").fetchall():
        name = _quoted(column)
        made = _as_number(connection, place, name) if is_text and kind == "VARCHAR" else None
        yield f"{made} AS {name}" if made else name


def _as_number(connection: duckdb.DuckDBPyConnection, place: str, name: str) -> str | None:
    """The expression that makes numbers of a column of texts; none unless all are figures in one
    notation. What begins with a zero is a code."""
    for each in _NOTATIONS:
        known = (
            f"SELECT bool_and(regexp_matches({name}, $1)) AND bool_or(regexp_matches({name}, $2))"  # noqa: S608
            f" AND NOT bool_or(regexp_matches({name}, $3)) FROM {place}"
        )
        patterns = [each.fits, each.shows, _LEADING_ZERO]
        (is_figure,) = connection.execute(known, patterns).fetchall()[0]
        if is_figure:
            plain = f"regexp_replace({name}, {_text(each.groups)}, '', 'g')"
            pointed = f"replace({plain}, {_text(each.decimal)}, '.')"
            return f"CAST(trim({pointed}) AS DOUBLE)"
    return None


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
