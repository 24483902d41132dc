"""Addresses of sources: their domain, their kind, and whether a pattern names them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from veridical.word_file import word_file

_SPARE_PREFIX = "www."
_SAME_SCHEME = {"http": "https"}


@dataclass(frozen=True, slots=True)
class Address:
    """An address, taken apart and spelled one way."""

    scheme: str
    host: str
    path: tuple[str, ...]


@lru_cache(maxsize=4_096)
def address(url: str) -> Address:
    """The parts of an address; one that can't be read is a host that nothing else has."""
    try:
        parts = urlsplit(url.strip() if "://" in url else f"//{url.strip()}")
        host = unquote(parts.hostname or "").rstrip(".").casefold().removeprefix(_SPARE_PREFIX)
    except ValueError:
        return Address("", url.casefold(), ())
    scheme = parts.scheme.casefold()
    path = _segments(unquote(parts.path).casefold())
    return Address(_SAME_SCHEME.get(scheme, scheme), host, path)


class SourcePatterns:
    """Patterns that name sources.

    A host names itself and all below it, with or without a path: ``example.org/drafts``. With a
    scheme it names that host alone: ``intranet://legal``; without a host, local files:
    ``file:///srv/drafts``.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        named = map(address, patterns)
        self._wanted = [found for found in named if found.host or found.scheme]
        self._hosts = tuple(wanted.host for wanted in self._wanted)

    def name(self, url: str) -> bool:
        """Whether one of them names this address."""
        if not self._wanted:
            return False
        found = address(url)
        if not found.host.endswith(self._hosts):
            return False
        return any(_names(wanted, found) for wanted in self._wanted)


def _names(wanted: Address, found: Address) -> bool:
    if wanted.scheme:
        is_host = (wanted.scheme, wanted.host) == (found.scheme, found.host)
    else:
        is_host = found.host == wanted.host or found.host.endswith(f".{wanted.host}")
    return is_host and found.path[: len(wanted.path)] == wanted.path


def bucket(url: str, domain_type: str | None) -> str:
    """The kind of source: as given, else by the address; the host itself where it is unknown."""
    if domain_type:
        return domain_type.casefold()
    found = address(url)
    if kind := _kinds()["schemes"].get(found.scheme):
        return kind
    return kind_of_host(found.host) or found.host


@lru_cache(maxsize=4_096)
def kind_of_host(host: str) -> str:
    """The kind of source behind a host; empty where nothing is known about it."""
    labels = host.casefold().split(".")
    ends = (".".join(labels[start:]) for start in range(len(labels)))
    by_end = _kinds()["suffixes"]
    return next((by_end[each] for each in ends if each in by_end), "")


def _kinds() -> dict[str, dict[str, str]]:
    return word_file("veridical.search.score", "source_kinds.toml")


def _segments(path: str) -> tuple[str, ...]:
    """The parts of a path, without the dots that lead nowhere or back."""
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[-1:]
        elif part not in ("", "."):
            kept.append(part)
    return tuple(kept)
