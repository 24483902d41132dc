"""Whether a text applies to the wanted version and jurisdiction."""

import re
from functools import cache

from veridical.word_file import word_file

_PARTS = re.compile(r"\d+|[a-z]+")
_SPARE = "v"
_ANY = "*"


def version_fits(target: str, found: str) -> bool:
    """Whether both name the same version as far as both go: ``3`` fits ``3.2``, not ``30``."""
    both = zip(_version(target), _version(found), strict=False)
    return all(one == other for one, other in both)


def jurisdiction_fits(target: str, found: str) -> bool:
    """Whether what holds there holds here: the same, the whole of a part, or a union of it."""
    here, there = target.strip().upper(), found.strip().upper()
    if not there or here == there or here.startswith(f"{there}-"):
        return True
    members = _unions().get(there, ())
    return _ANY in members or here.partition("-")[0] in members


def _version(text: str) -> list[str]:
    parts = _PARTS.findall(text.casefold())
    return parts[1:] if parts[:1] == [_SPARE] else parts


@cache
def _unions() -> dict[str, frozenset[str]]:
    data = word_file("veridical.search.score", "jurisdictions.toml")
    return {union: frozenset(members) for union, members in data["within"].items()}
