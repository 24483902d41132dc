"""Words of a text as an index compares them: one case, one form of each character."""

import re
from functools import cache
from unicodedata import normalize

from veridical.contracts.language import Language
from veridical.word_file import word_file

_WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """The text in lower case and in the compatible form: wide digits and ligatures are plain."""
    return normalize("NFKC", text).lower()


def words_of(text: str) -> list[str]:
    """The runs of letters and digits of a folded text."""
    return _WORD.findall(text)


@cache
def stop_words(language: Language) -> frozenset[str]:
    """The words that say nothing about what a text is about."""
    return frozenset(word_file("veridical.search.analysis", "stop_words.toml")[language].split())
