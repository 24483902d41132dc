"""PDF: the text of its pages; a scanned page has none."""

import logging
from io import BytesIO

from pypdf import PdfReader

from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError, aware

logging.getLogger("pypdf").setLevel(logging.CRITICAL)
"""It warns of every oddity of a file; unreadable files are reported once, as an error."""


def parse_pdf(content: bytes) -> ParsedDocument:
    """One section for each page with text. Raises ``UnreadableError``."""
    try:
        reader = PdfReader(BytesIO(content))
        sections = tuple(
            Section(text.strip(), str(number))
            for number, page in enumerate(reader.pages, 1)
            if (text := page.extract_text()).strip()
        )
        about = reader.metadata
        title = (about.title if about else None) or ""
        made = (about.modification_date or about.creation_date) if about else None
    except Exception as error:  # a damaged file fails anywhere in the library
        raise UnreadableError(str(error)) from error
    return ParsedDocument(sections, title, aware(made) if made else None)
