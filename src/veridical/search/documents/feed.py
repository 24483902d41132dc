"""RSS and Atom: one document for each entry."""

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import feedparser

from veridical.search.documents.html import parse_html
from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError


def parse_feed(content: bytes) -> Iterator[ParsedDocument]:
    """The entries of a feed. Raises ``UnreadableError`` for what is none."""
    # As a stream: it would take bytes for an address or a path first, and open that.
    feed: Any = feedparser.parse(BytesIO(content), sanitize_html=False)
    if feed.bozo and not feed.entries:
        raise UnreadableError(str(feed.get("bozo_exception", "")))
    for place, given in enumerate(feed.entries):
        entry: dict[str, Any] = {**given}  # its own class guesses at what is missing
        full = entry.get("content") or [{}]
        text = _text(full[0].get("value") or entry.get("summary", ""))
        stated = entry.get("updated_parsed") or entry.get("published_parsed")
        address = entry.get("link") or entry.get("id") or f"#{place}"
        yield ParsedDocument(
            (Section(text),) if text else (),
            entry.get("title", ""),
            datetime(*stated[:6], tzinfo=UTC) if stated else None,
            address,
            address,
        )


def _text(markup: str) -> str:
    if "<" not in markup:
        return markup.strip()
    found = parse_html(f"<html><body><article>{markup}</article></body></html>".encode())
    return "\n".join(section.text for section in found.sections)
