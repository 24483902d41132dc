"""Static files of the console, compressed once, with addresses that change with their content."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from mimetypes import guess_type

PREFIX = "/console/static/"
STYLES = ("console.css", "answer.css")
NAMES = (
    *STYLES,
    "asking.js",
    "chart.js",
    "console.js",
    "dark.css",
    "explore_button.js",
    "icon.svg",
    "keys.js",
    "panel.js",
    "vendor/explore.js",
    "vendor/htmx.min.js",
    "vendor/hx-sse.min.js",
)
"""Those of ``vendor`` are built by ``assets/build.mjs``, and committed."""
_SCRIPT = ".js"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    content: bytes
    compressed: bytes
    media_type: str
    version: str


@cache
def assets() -> dict[str, Asset]:
    """All of them by name. A script may be missing, because every page works without."""
    read = {name: _read(name) for name in NAMES}
    return {name: found for name, found in read.items() if found is not None}


def asset_url(name: str) -> str | None:
    """The address of a file, which browsers may cache forever; none for a missing script."""
    found = assets().get(name)
    return f"{PREFIX}{name}?v={found.version}" if found else None


def _read(name: str) -> Asset | None:
    file = files("veridical.console").joinpath("static", *name.split("/"))
    if name.endswith(_SCRIPT) and not file.is_file():
        return None
    content = file.read_bytes()
    media_type = guess_type(name)[0] or "application/octet-stream"
    version = hashlib.sha256(content).hexdigest()[:12]
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type, version)
