"""Where a document comes from: its address, host and kind of source."""

from pathlib import Path
from urllib.parse import quote, urlsplit

from veridical.search.chunk import Origin
from veridical.search.documents.parsed import ParsedDocument
from veridical.search.score.address import kind_of_host

INTERNAL = "internal"
"""The kind of what has no host: a file of the installation's own."""
_HASH = quote("#")
"""In the name of a file: what comes behind a bare one is a part."""
_PLAIN = "/#"
"""The separators of folders, and of a file and the part of it that a document is."""


def origin_of(
    path: Path,
    parsed: ParsedDocument,
    version: str = "",
    policy_tags: tuple[str, ...] = (),
    *,
    is_believed: bool = False,
) -> Origin:
    """The origin of one document of a file, named after the file and the document's place in it.

    An address that the document states counts only where the person who ingests it vouches for it:
    else it would replace the document that is really there, and pass for a source of its kind.
    """
    host = _host(parsed.source) if is_believed else ""
    if host:
        source = parsed.source
    else:
        part = parsed.part.removeprefix("#")
        source = path.as_posix().replace("#", _HASH) + (f"#{part}" if part else "")
    return Origin(
        source,
        parsed.title or path.stem,
        host,
        domain_type(host),
        parsed.detected_date,
        version,
        policy_tags,
    )


def _host(stated: str) -> str:
    if "://" not in stated:
        return ""
    try:
        return urlsplit(stated).hostname or ""
    except ValueError:
        return ""


def domain_type(host: str) -> str:
    """The kind of source behind a host; empty where nothing is known about it."""
    return kind_of_host(host) if host else INTERNAL


def url_of(origin: Origin) -> str:
    """The address of a document; a local file has one too, so that a pattern can name it."""
    if origin.host:
        return origin.source
    return f"file:///{quote(origin.source.lstrip('/'), safe=_PLAIN)}"
