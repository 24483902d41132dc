"""Where a document comes from: its address, host and kind of source."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from veridical.search.chunk import Origin
from veridical.search.documents.parsed import ParsedDocument

INTERNAL = "internal"
"""The kind of what has no host: a file of the installation's own."""


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
    if not host:
        return INTERNAL
    dotted = f".{host.lower().removeprefix('www.')}"
    return next((kind for end, kind in _kinds() if dotted.endswith(end)), "")


@cache
def _kinds() -> tuple[tuple[str, str], ...]:
    resource = files("veridical.search").joinpath("domain_types.toml")
    kinds = tomllib.loads(resource.read_text("utf-8"))
    return tuple(
        (f".{end.removeprefix('.')}", kind) for kind, ends in kinds.items() for end in ends
    )
