"""The kind of a column by its name, where none is declared. A name is no proof: it only warns."""

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from veridical.word_file import word_file

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
BRACKETS = re.compile(r"[(\[（].*?[)\]）]")
"""A unit behind a name: ``Balance (CHF)``."""
_UNLESS, _BEGINS, _BETWEEN, _GERMAN = "unless", "begins", "between", "de"
_NO_LANGUAGES = frozenset({_UNLESS, _BEGINS, _BETWEEN})
_COMPOUND = 5
_KEPT = 50_000
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")


class NameKind(StrEnum):
    """The kinds that a name can imply."""

    RATE = "rate"
    PRICE = "price"
    """of one piece, where the table also has a quantity"""
    QUANTITY = "quantity"
    UNIT = "unit"
    CURRENCY = "currency"
    SCENARIO = "scenario"
    AMOUNT = "amount"
    READING = "reading"
    """a measurement, in any unit"""
    CODE = "code"
    MEAN = "mean"
    LEVEL = "level"
    SNAPSHOT = "snapshot"
    FLOW = "flow"
    UNTIL = "until"
    VALID_FROM = "valid_from"
    VALID_UNTIL = "valid_until"
    DELETED = "deleted"
    DAY = "day"
    PERIOD = "period"
    MEASURED = "measured"
    CURRENT = "current"
    MOMENT = "moment"


_IN_ANY_UNIT = frozenset(
    {NameKind.LEVEL, NameKind.SNAPSHOT, NameKind.FLOW, NameKind.RATE, NameKind.MEAN}
)


@lru_cache(_KEPT)
def kinds_of(name: str) -> frozenset[NameKind]:
    """All kinds of a name: ``unit_price``, ``unitPrice`` and ``UnitPrice`` are rates."""
    words = [word.casefold() for word in _WORDS.findall(BRACKETS.sub("", name))]
    if not words:
        return frozenset()
    lists = _lists()
    found = _kinds(words)
    if len(words) > 1 and words[-1] in lists[NameKind.MEASURED].endings:
        # An amount in euros has no other currency, but a stock in kilograms is a stock.
        found |= _kinds(words[:-1]) & _IN_ANY_UNIT
    return found


def _kinds(words: list[str]) -> frozenset[NameKind]:
    endings = {" ".join(words[index:]) for index in range(len(words))}
    endings |= {ending.replace(" ", "") for ending in endings}
    last = words[-1]
    if not last.isascii():  # words that no space divides: 截止日期 ends with 日期
        endings |= {last[start:] for start in range(1, len(last))}
    return frozenset(
        kind
        for kind, known in _lists().items()
        if not known.endings.isdisjoint(endings)
        or words[0] in known.beginnings
        or not known.between.isdisjoint(words[1:-1])
        or last.endswith(known.compounds)
        if known.unless.isdisjoint(words)
    )


@lru_cache(_KEPT)
def kinds_within(name: str) -> frozenset[NameKind]:
    """All kinds of any word of a name: ``account_balance_monthly`` has balances."""
    found: set[NameKind] = set(kinds_of(name))
    for word in _WORDS.findall(BRACKETS.sub("", name)):
        found |= kinds_of(word)
    return frozenset(found)


class _Names(NamedTuple):
    """The names of one kind."""

    endings: frozenset[str]
    beginnings: frozenset[str]
    unless: frozenset[str]
    between: frozenset[str]
    """Words that count in the middle: ``kg_per_head``."""
    compounds: tuple[str, ...]
    """German nouns that grow at the front: a ``Lagerbestand`` is a ``Bestand``."""


@cache
def _lists() -> dict[NameKind, _Names]:
    found: dict[NameKind, _Names] = {}
    for kind, lists in word_file("veridical.ontology", "name_kinds.toml").items():
        listed = {key: names for key, names in lists.items() if key not in _NO_LANGUAGES}
        names = {name for each in listed.values() for name in each}
        names |= {name.replace(" ", "") for name in names}
        german = (name for name in lists.get(_GERMAN, ()) if " " not in name)
        found[NameKind(kind)] = _Names(
            frozenset(names),
            frozenset(lists.get(_BEGINS, ())),
            frozenset(lists.get(_UNLESS, ())),
            frozenset(lists.get(_BETWEEN, ())),
            tuple(name for name in german if len(name) >= _COMPOUND),
        )
    return found


def is_total_name(name: str) -> bool:
    """True for ``closingBalance``, ``closing_balance``, ``"Closing Balance"``, ``ENDBALANCE``."""
    words = _PARTS.findall(BRACKETS.sub("", name))
    if not words:
        return False
    last = words[-1].casefold()
    return last in _endings() or last.endswith(tuple(_endings()))


@cache
def _endings() -> frozenset[str]:
    languages = word_file("veridical.ontology", "total_names.toml").values()
    return frozenset(word for words in languages for word in words)
