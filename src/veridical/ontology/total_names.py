"""Columns that are a balance or a total by their name, where nothing is declared."""

import re
from functools import cache

from veridical.ontology.name_kinds import BRACKETS
from veridical.word_file import word_file

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")


def is_total_name(name: str) -> bool:
    """True for ``closingBalance``, ``closing_balance``, ``"Closing Balance"``, ``ENDBALANCE``."""
    words = _WORDS.findall(BRACKETS.sub("", name))
    if not words:
        return False
    last = words[-1].casefold()
    return last in _endings() or last.endswith(tuple(_endings()))


@cache
def _endings() -> frozenset[str]:
    languages = word_file("veridical.ontology", "total_names.toml").values()
    return frozenset(word for words in languages for word in words)
