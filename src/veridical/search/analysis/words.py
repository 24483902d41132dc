"""Words of a text as an index compares them: one case, one form of each character."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from veridical.contracts.language import Language

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
    resource = files("veridical.search.analysis").joinpath("stop_words.toml")
    return frozenset(tomllib.loads(resource.read_text("utf-8"))[language].split())
