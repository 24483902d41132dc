"""What a column is by its name, where nobody declared what it is. A name is no proof: it warns."""

import re
import tomllib
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_BRACKETS = re.compile(r"[(\[（].*?[)\]）]")
_UNLESS = "unless"
_KEPT = 50_000


class NameKind(StrEnum):
    """What a name can say."""

    RATE = "rate"
    PRICE = "price"
    """of one piece, where the table also has a quantity"""
    QUANTITY = "quantity"
    UNIT = "unit"
    AMOUNT = "amount"
    LEVEL = "level"
    SNAPSHOT = "snapshot"
    UNTIL = "until"
    DAY = "day"


@lru_cache(_KEPT)
def kinds_of(name: str) -> frozenset[NameKind]:
    """All that a name says: ``unit_price``, ``unitPrice`` and ``UnitPrice`` are rates."""
    words = [word.casefold() for word in _WORDS.findall(_BRACKETS.sub("", name))]
    if not words:
        return frozenset()
    endings = {" ".join(words[index:]) for index in range(len(words))}
    endings |= {ending.replace(" ", "") for ending in endings}
    return frozenset(
        kind
        for kind, (known, unless) in _lists().items()
        if not known.isdisjoint(endings) and unless.isdisjoint(words)
    )


@cache
def _lists() -> dict[NameKind, tuple[frozenset[str], frozenset[str]]]:
    text = files("veridical.ontology").joinpath("name_kinds.toml").read_text("utf-8")
    found: dict[NameKind, tuple[frozenset[str], frozenset[str]]] = {}
    for kind, lists in tomllib.loads(text).items():
        names = {name for language, names in lists.items() if language != _UNLESS for name in names}
        names |= {name.replace(" ", "") for name in names}
        found[NameKind(kind)] = (frozenset(names), frozenset(lists.get(_UNLESS, ())))
    return found
