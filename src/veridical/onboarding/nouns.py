"""Names of tables and columns as nouns: ``dim_customer`` is a customer, and there are customers."""

from functools import lru_cache
from typing import Any, NamedTuple

from veridical.contracts.language import Language
from veridical.onboarding.hints import words_hint_at
from veridical.onboarding.names import singular, words_of
from veridical.word_file import word_file

_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = frozenset("aeiou")
_REMEMBERED = 4096


class Noun(NamedTuple):
    """The nouns for the rows of a table, or for the values of a column."""

    one: str
    many: str
    is_countable: bool
    """True if ``many`` is a plural; else it is the name unchanged."""

    def plural_in(self, language: Language) -> str:
        """The plural in a sentence of this language."""
        return self.one if language is Language.ZH else self.many


@lru_cache(_REMEMBERED)
def table_noun(name: str) -> Noun:
    """The noun for the rows of a table, without words for tables."""
    return _noun(_own_words(words_of(name)) or (name,))


@lru_cache(_REMEMBERED)
def column_noun(name: str) -> Noun:
    """The noun for the values of a column: customers, for ``customer_id``."""
    words = words_of(name)
    while len(words) > 1 and words_hint_at(words[-1:], "generic_key"):
        words = words[:-1]
    return _noun(words or (name,))


@lru_cache(_REMEMBERED)
def plural(word: str) -> str:
    """The English plural of a word in the singular."""
    irregular = _loaded()["irregular"].get(word)
    if irregular is not None:
        return irregular
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return f"{word[:-1]}ies"
    if word.endswith("is") and len(word) > 3:
        return f"{word[:-2]}es"
    return f"{word}es" if word.endswith(_SIBILANTS) else f"{word}s"


def _noun(words: tuple[str, ...]) -> Noun:
    *before, last = words
    one = singular(last)
    name = " ".join(words)
    if not _is_countable(one):
        return Noun(name, name, is_countable=False)
    is_many = one != last or last in _loaded()["irregular"].values()
    return Noun(
        " ".join((*before, one)), " ".join((*before, last if is_many else plural(one))), True
    )


def _own_words(words: tuple[str, ...]) -> tuple[str, ...]:
    affixes = _loaded()["affixes"]
    while len(words) > 1 and words[0] in affixes["before"]:
        words = words[1:]
    while len(words) > 1 and words[-1] in affixes["after"]:
        words = words[:-1]
    return words


def _is_countable(word: str) -> bool:
    foreign = _loaded()["foreign"]
    is_english = word.isascii() and word.isalpha() and word not in foreign["words"]
    is_english = is_english and not word.endswith(tuple(foreign["endings"]))
    return is_english and word not in _loaded()["uncountable"]["words"]


def _loaded() -> dict[str, Any]:
    return word_file("veridical.onboarding", "nouns.toml")
