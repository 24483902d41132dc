"""Static files of the console, compressed once, with addresses that change with their content."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from mimetypes import guess_type

PREFIX = "/console/static/"
_NAMES = (
    "console.css",
    "console.js",
    "explore_button.js",
    "icon.svg",
    "vendor/explore.js",
    "vendor/htmx.min.js",
    "vendor/hx-sse.min.js",
)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    content: bytes
    compressed: bytes
    media_type: str
    version: str


@cache
def assets() -> dict[str, Asset]:
    """All of them by name. What is not there was not built: ``make assets``."""
    return {name: _read(name) for name in _NAMES}


def asset_url(name: str) -> str:
    """The address of a file, which may be kept for as long as one likes."""
    return f"{PREFIX}{name}?v={assets()[name].version}"


def _read(name: str) -> Asset:
    content = files("veridical.console").joinpath("static", *name.split("/")).read_bytes()
    media_type = guess_type(name)[0] or "application/octet-stream"
    version = hashlib.sha256(content).hexdigest()[:12]
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type, version)
