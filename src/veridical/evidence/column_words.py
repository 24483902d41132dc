"""The words of a column's name that say what its cells are, read once from TOML."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from veridical.ontology.terms import HAN, split_name

_OWN_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+")
"""Letters behind digits are part of a figure: the d of 30d."""
_LONGEST_TOTAL = 2
_SHORTEST_END = 5
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class NameWords:
    """A column's name as it is looked at: its words in order, and its Chinese text."""

    words: tuple[str, ...]
    han: str

    @property
    def last(self) -> str:
        """The word that a name in snake case says its unit with."""
        return self.words[-1] if self.words else ""

    def has(self, table: str) -> bool:
        """Whether any word of this list is in the name."""
        listed = _tables()[table]
        if any(word.endswith(each) for word in self.words for each in _long(table)):
            return True
        return any(word in listed for word in self.words) or any(
            sign in self.han for sign in listed if _HAN.match(sign)
        )


@cache
def _long(table: str) -> tuple[str, ...]:
    """Words that a compound may end with: Frauenanteil."""
    return tuple(word for word in _tables()[table] if len(word) >= _SHORTEST_END)


@cache
def name_words(name: str) -> NameWords:
    """The words of a column's name."""
    plain = split_name(name).casefold()
    return NameWords(tuple(_OWN_WORD.findall(plain)), "".join(_HAN.findall(plain)))


def listed_words(table: str) -> frozenset[str]:
    """All words of a list, in all languages."""
    return _tables()[table]


def names_total(text: str) -> bool:
    """Whether a row's name says that it sums up the others."""
    words = name_words(text)
    listed = _tables()["total_row"]
    return bool(words.words or words.han) and (
        (len(words.words) <= _LONGEST_TOTAL and any(word in listed for word in words.words))
        or words.han in listed
    )


def names_unit(text: str) -> bool:
    """Whether an argument's name says in which unit a call answers."""
    return name_words(text).has("unit")


@cache
def _tables() -> dict[str, frozenset[str]]:
    text = files("veridical.evidence").joinpath("column_words.toml").read_text("utf-8")
    return {
        name: frozenset(word for words in languages.values() for word in words.split())
        for name, languages in tomllib.loads(text).items()
    }
