"""Plain text, in any encoding."""

from charset_normalizer import from_bytes

from veridical.search.documents.parsed import ParsedDocument, Section


def parse_plain(content: bytes) -> ParsedDocument:
    """One section; UTF-8 where it can be that, else what the bytes look like."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = str(from_bytes(content).best() or content.decode("latin-1"))
    stripped = text.strip()
    return ParsedDocument((Section(stripped),) if stripped else ())
