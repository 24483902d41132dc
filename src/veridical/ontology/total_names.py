"""Columns that are a balance or a total by their name, where nobody declared what they are."""

import re
import tomllib
from functools import cache
from importlib.resources import files

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")
_BRACKETS = re.compile(r"[(\[（].*?[)\]）]")
"""A unit behind a name: ``Balance (CHF)``."""
_BALANCE, _TOTAL = "balance", "total"


def is_total_name(name: str) -> bool:
    """True for ``closingBalance``, ``closing_balance``, ``"Closing Balance"``, ``ENDBALANCE``."""
    return is_balance_name(name) or _ends_in(name, _TOTAL)


def is_balance_name(name: str) -> bool:
    """True where it says a state; the totals of several invoices add up, their balances don't."""
    return _ends_in(name, _BALANCE)


def _ends_in(name: str, kind: str) -> bool:
    words = _WORDS.findall(_BRACKETS.sub("", name))
    return bool(words) and words[-1].casefold().endswith(_endings()[kind])


@cache
def _endings() -> dict[str, tuple[str, ...]]:
    text = files("veridical.ontology").joinpath("total_names.toml").read_text("utf-8")
    return {
        kind: tuple(word for words in lists.values() for word in words)
        for kind, lists in tomllib.loads(text).items()
    }
