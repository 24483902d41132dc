"""The words of a column's name that reveal the kind of its cells, read once from TOML."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name
from veridical.word_file import word_file

_OWN_WORD = late_pattern(r"(?<![^\W_])[^\W\d_]+")
"""Letters behind digits are part of a figure: the d of 30d."""
_LONGEST_TOTAL = 2
_SHORTEST_END = 5
_MOST_KEPT = 4096
_HAN = late_pattern(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class NameWords:
    """A column's name as it is looked at: its words in order, and its Chinese text."""

    words: tuple[str, ...]
    han: str

    @property
    def last(self) -> str:
        """The last word, which is the unit of a name in snake case."""
        return self.words[-1] if self.words else ""

    def has(self, table: str) -> bool:
        """True if any word of this list is in the name."""
        return _has(self, table)

    def begins_with(self, table: str) -> bool:
        """True if its first word is of this list."""
        return not _tables()[table].isdisjoint(self.words[:1]) or any(
            sign in self.han for sign in _signs(table)
        )


@lru_cache(maxsize=_MOST_KEPT)
def _has(name: NameWords, table: str) -> bool:
    listed = _tables()[table]
    if any(word.endswith(_long(table)) for word in name.words):
        return True
    return not listed.isdisjoint(name.words) or any(sign in name.han for sign in _signs(table))


@cache
def _signs(table: str) -> tuple[str, ...]:
    """The Chinese words of a list."""
    return tuple(word for word in _tables()[table] if _HAN.match(word))


@cache
def _long(table: str) -> tuple[str, ...]:
    """Words that a compound may end with: Frauenanteil."""
    return tuple(word for word in _tables()[table] if len(word) >= _SHORTEST_END)


@lru_cache(maxsize=_MOST_KEPT)
def name_words(name: str) -> NameWords:
    """The words of a column's name."""
    plain = split_name(name).casefold()
    return NameWords(tuple(_OWN_WORD.findall(plain)), "".join(_HAN.findall(plain)))


def listed_words(table: str) -> frozenset[str]:
    """All words of a list, in all languages."""
    return _tables()[table]


def names_total(text: str) -> bool:
    """True if a row is a total of the others by its name."""
    if _total().search(text) is None:
        return False
    words = name_words(text)
    listed = _tables()["total_row"]
    return bool(words.words or words.han) and (
        (len(words.words) <= _LONGEST_TOTAL and any(word in listed for word in words.words))
        or words.han in listed
    )


@cache
def _total() -> re.Pattern[str]:
    """Any of the words by themselves: most names have none of them, and are read no further."""
    return re.compile("|".join(map(re.escape, _tables()["total_row"])), re.IGNORECASE)


def names_amount(text: str) -> bool:
    """True if figures are amounts of money, not relative to one, by their column's name."""
    words = name_words(text)
    return words.has("money") and not words.has("relative")


def names_unit(text: str) -> bool:
    """True if an argument names the unit of a result."""
    return name_words(text).has("unit")


@cache
def _tables() -> dict[str, frozenset[str]]:
    return {
        name: frozenset(word for words in languages.values() for word in words.split())
        for name, languages in word_file("veridical.evidence", "column_words.toml").items()
    }
