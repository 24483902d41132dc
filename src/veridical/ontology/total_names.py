"""Columns that are a balance or a total by their name, where nothing is declared."""

import re
import tomllib
from functools import cache
from importlib.resources import files

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")
_BRACKETS = re.compile(r"[(\[（].*?[)\]）]")
"""A unit behind a name: ``Balance (CHF)``."""


def is_total_name(name: str) -> bool:
    """True for ``closingBalance``, ``closing_balance``, ``"Closing Balance"``, ``ENDBALANCE``."""
    words = _WORDS.findall(_BRACKETS.sub("", name))
    if not words:
        return False
    last = words[-1].casefold()
    return last in _endings() or last.endswith(tuple(_endings()))


@cache
def _endings() -> frozenset[str]:
    text = files("veridical.ontology").joinpath("total_names.toml").read_text("utf-8")
    return frozenset(word for words in tomllib.loads(text).values() for word in words)
