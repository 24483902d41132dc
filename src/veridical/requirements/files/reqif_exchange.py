"""ReqIF and its archive ``.reqifz``: each specification object with a text is a requirement.

The file is read twice. A first, cheap pass knows the lines of the objects and refuses document
types: without declared entities, a file can neither fill the memory nor read other files.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from veridical.limited_process.limits import ensure_unpacked
from veridical.requirements.files.requirement import (
    FileEntry,
    UnreadableFileError,
    bytes_of,
    joined,
)
from veridical.requirements.files.table import Columns, no_column, places

_INLINE = frozenset({"a", "b", "em", "i", "span", "strong", "sub", "sup", "u"})
_DEEPEST = 200
"""Levels of XML: far more than any tool writes, and less than a parser's recursion takes."""


def read_reqif(path: Path, columns: Columns) -> Iterator[FileEntry]:
    """The requirements of a ReqIF file. Raises ``UnreadableFileError``."""
    return _read(bytes_of(path), columns)


def read_reqif_archive(path: Path, columns: Columns) -> Iterator[FileEntry]:
    """The requirements of all ReqIF files in an archive. Raises ``UnreadableFileError``."""
    try:
        with zipfile.ZipFile(io.BytesIO(bytes_of(path))) as archive:
            ensure_unpacked(archive, path.stat().st_size)
            parts = [each for each in archive.infolist() if each.filename.endswith(".reqif")]
            if not parts:
                raise UnreadableFileError("not_reqif")
            for part in parts:
                for each in _read(archive.read(part), columns):
                    yield each._replace(place=part.filename)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UnreadableFileError("not_reqif") from error


def _read(content: bytes, columns: Columns) -> Iterator[FileEntry]:
    from reqif.parser import ReqIFParser  # slow to load: only for those who have such files

    lines = _lines(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError("encoding") from error
    try:
        bundle: Any = ReqIFParser.parse_from_string(text)
        contents = bundle.core_content.req_if_content
        types = {each.identifier: each for each in contents.spec_types or ()}
        objects = contents.spec_objects or ()
    except Exception as error:  # the parser raises any kind of error
        raise UnreadableFileError("not_reqif") from error
    yield from _entries(objects, types, lines, columns)


def _lines(content: bytes) -> dict[str, int]:
    """The line of each specification object. Raises ``UnreadableFileError``."""
    lines: dict[str, int] = {}
    parser = expat.ParserCreate()
    depth = 0

    def begins(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise UnreadableFileError("not_reqif")
        if name.rpartition(":")[2] == "SPEC-OBJECT" and "IDENTIFIER" in attributes:
            lines[attributes["IDENTIFIER"]] = parser.CurrentLineNumber

    def ends(name: str) -> None:
        nonlocal depth
        depth -= 1

    def declares(*_: Any) -> None:
        raise UnreadableFileError("document_type")

    parser.StartElementHandler, parser.EndElementHandler = begins, ends
    parser.StartDoctypeDeclHandler = declares
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, UnreadableFileError):
            raise
        raise UnreadableFileError("not_reqif") from error
    return lines


def _entries(
    objects: Any, types: dict[str, Any], lines: dict[str, int], columns: Columns
) -> Iterator[FileEntry]:
    seen: dict[str, None] = {}
    known = False
    for each in objects:
        kind = types.get(each.spec_object_type)
        definitions = kind.attribute_map if kind and kind.attribute_map else {}
        values = {
            (definitions[name].long_name or name) if name in definitions else name: _value(value)
            for name, value in each.attribute_map.items()
        }
        names = [one.long_name or name for name, one in definitions.items()] or list(values)
        seen.update(dict.fromkeys(names))
        try:
            found = places(names, columns)
        except UnreadableFileError:  # another type may have the attribute
            continue
        if found.text is None:
            continue
        known = True
        key = values.get(names[found.id], "") if found.id is not None else ""
        if text := values.get(names[found.text], ""):
            type_name = str(kind.long_name or "") if kind else ""
            line = lines.get(each.identifier, 1)
            yield FileEntry(line, key or each.identifier, text, type_name)
    if objects and not known:
        raise no_column(list(seen))


def _value(attribute: Any) -> str:
    """An attribute's value as plain text."""
    node = attribute.xml_node.find("THE-VALUE") if attribute.xml_node is not None else None
    if node is not None:
        return joined("".join(_pieces(node)))
    value = attribute.value
    return joined(value if isinstance(value, str) else " ".join(map(str, value or ())))


def _pieces(node: Any) -> Iterator[str]:
    """The text of some XHTML; a paragraph or a cell ends a word, a letter in bold does not."""
    if isinstance(node.tag, str):  # else a comment
        apart = "" if node.tag.rpartition("}")[2] in _INLINE else " "
        yield apart + (node.text or "")
        for child in node:
            yield from _pieces(child)
            yield child.tail or ""
        yield apart
