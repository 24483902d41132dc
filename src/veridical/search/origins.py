"""Where a document comes from: its address, host and kind of source."""

from pathlib import Path
from urllib.parse import quote, urlsplit

from veridical.search.chunk import Origin
from veridical.search.documents.parsed import ParsedDocument
from veridical.search.score.address import kind_of_host

INTERNAL = "internal"
"""The kind of what has no host: a file of the installation's own."""
_PLAIN = "/#"
"""What separates folders, and a file from the part of it that a document is."""


def origin_of(
    path: Path, parsed: ParsedDocument, version: str = "", policy_tags: tuple[str, ...] = ()
) -> Origin:
    """The origin of one document of a file.

    An address that the document states is its own; a part of a file without one is named after the
    file and its place.
    """
    stated = parsed.source
    host = (urlsplit(stated).hostname or "") if "://" in stated else ""
    if host:
        source = stated
    else:
        source = path.as_posix() + (f"#{stated.removeprefix('#')}" if stated else "")
    return Origin(
        source,
        parsed.title or path.stem,
        host,
        domain_type(host),
        parsed.detected_date,
        version,
        policy_tags,
    )


def domain_type(host: str) -> str:
    """The kind of source behind a host; empty where nothing is known about it."""
    return kind_of_host(host) if host else INTERNAL


def url_of(origin: Origin) -> str:
    """The address of a document; a local file has one too, so that a pattern can name it."""
    if origin.host:
        return origin.source
    return f"file:///{quote(origin.source.lstrip('/'), safe=_PLAIN)}"
