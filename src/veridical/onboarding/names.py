"""Names of tables and columns as words: split, folded, in the singular."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_PARTS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[^\W\dA-Za-z_]+")
_REMEMBERED = 65_536
_FEWEST_TABLES = 3
_ES = ("sses", "shes", "ches", "xes", "zes")


@lru_cache(_REMEMBERED)
def words_of(name: str) -> tuple[str, ...]:
    """``InvoiceLineId``, ``invoice_line_id`` and ``"Invoice line ID"`` as the same three words."""
    text = unicodedata.normalize("NFKC", name)
    found = [part.casefold() for part in _PARTS.findall(_joined_accents(text))]
    return tuple(found)


def _joined_accents(text: str) -> str:
    """Umlauts don't end a word: they are written as the letters that stand for them."""
    return text.translate(_UMLAUTS)


_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)


@lru_cache(_REMEMBERED)
def singular(word: str) -> str:
    """A noun without the ending of its plural, as far as English goes."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(_ES):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(_REMEMBERED)
def nouns_of(name: str) -> tuple[str, ...]:
    """The words of a table's name in the singular."""
    return tuple(singular(word) for word in words_of(name))


def shared_words(tables: Iterable[str]) -> int:
    """The number of words that all table names start with; each keeps one of its own."""
    split = [nouns_of(name) for name in tables]
    if len(split) < _FEWEST_TABLES:
        return 0
    shortest = min(map(len, split)) - 1
    same = (len({words[place] for words in split}) == 1 for place in range(max(0, shortest)))
    return next((place for place, is_same in enumerate(same) if not is_same), max(0, shortest))


def without_prefix(columns: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The words of each column without the letters that all columns of a table start with:
    ``l_orderkey`` of ``lineitem``."""
    split = {name: words_of(name) for name in columns}
    firsts = {words[0] for words in split.values() if words}
    short = len(firsts) == 1 and len(split) > 2 and all(len(each) > 1 for each in split.values())
    if short and len(next(iter(firsts))) <= 3:
        return {name: words[1:] for name, words in split.items()}
    return split
