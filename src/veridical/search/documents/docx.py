"""Word documents: paragraphs and tables, by their headings."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from docx import Document
from docx.table import Table

from veridical.limited_process.limits import LimitError, ensure_unpacked
from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError, aware

_HEADING = "Heading "


def parse_docx(content: bytes) -> ParsedDocument:
    """The sections of a Word document. Raises ``UnreadableError``."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            ensure_unpacked(archive, len(content))
        document: Any = Document(BytesIO(content))
        about = document.core_properties
        made = about.modified or about.created
        sections = tuple(_sections(document))
    except LimitError:
        raise
    except Exception as error:  # a damaged file fails anywhere in the library
        raise UnreadableError(str(error)) from error
    return ParsedDocument(sections, about.title or "", aware(made) if made else None)


def _sections(document: Any) -> Iterator[Section]:
    heading, lines = "", list[str]()
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            lines += [" | ".join(cell.text for cell in row.cells) for row in part.rows]
            continue
        if part.style is not None and str(part.style.name).startswith(_HEADING):
            yield from _section(lines, heading)
            heading, lines = part.text.strip(), []
        else:
            lines.append(part.text)
    yield from _section(lines, heading)


def _section(lines: list[str], heading: str) -> Iterator[Section]:
    text = "\n".join(lines).strip()
    if text:
        yield Section(text, heading)
