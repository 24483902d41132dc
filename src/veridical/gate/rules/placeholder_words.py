"""Made-up values as words and expressions, read when the first answer is looked at.

Most answers hold none: each expression is searched for only where a word or a sign of it is there.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.late_pattern import late_pattern

_HAN = late_pattern(r"[一-鿿]")
_WORD = late_pattern(r"\w+")
_BLANKED = bytes(sign if re.match(r"\w", chr(sign)) else ord(" ") for sign in range(256))
"""A table for bytes: translating them takes a tenth of what a search for words takes."""


@dataclass(frozen=True, slots=True)
class MadeUp:
    """What made-up values look like."""

    kinds: frozenset[str]
    han_kinds: tuple[str, ...]
    stock_words: frozenset[str]
    stock: re.Pattern[str]
    han_stock: re.Pattern[str]
    cast: frozenset[str]
    han_cast: re.Pattern[str]
    numbered: re.Pattern[str]
    """``用户ID: 1``, ``Kunden-Nr.: 2``: a label before a running number."""
    stand_in: re.Pattern[str]


_MARK_END = r"(?![A-Za-z\d_'’äöüß]|[.,]\d)"
MARKED = late_pattern(
    r"(?P<kind>(?<![^\W\d_一-鿿])[^\W\d_一-鿿]{2,}|[一-鿿]{2,6}?)[ _#-]{0,2}"
    rf"(?P<mark>0{{0,3}}[1-9]\d?|[A-Ea-e]|[甲乙丙丁一二三四五]){_MARK_END}"
)
"""Any word with a running mark: ``User 1``, ``Kunde A``, ``用户1``."""
SECOND_MARK = late_pattern(rf"(?:1(?<!\d.)|01|B|b|乙|二){_MARK_END}")
"""What every series has, whether it begins with A, with 0 or with 1."""
_FIRST = r"(?P<mark>0{0,3}[1-9])(?![A-Za-z\d'’]|[.,]\d)"
FIRST_BEHIND_LABEL = late_pattern(rf"[:：#=]\s?{_FIRST}")
"""How every numbered label ends, which is found faster than where it begins."""


def has_han(text: str) -> bool:
    """True for a text with Chinese characters."""
    return not text.isascii() and _HAN.search(text) is not None


def words_of(text: str) -> frozenset[str]:
    """The words of a text without their case."""
    folded = text.casefold()
    if folded.isascii():
        return frozenset(folded.encode("ascii").translate(_BLANKED).decode("ascii").split())
    return frozenset(_WORD.findall(folded))


@cache
def made_up() -> MadeUp:
    """What every answer is searched for."""
    told = tomllib.loads(files(__package__ or "").joinpath("placeholders.toml").read_text("utf-8"))
    kinds, han_kinds = told["kinds"].split(), told["han_kinds"].split()
    return MadeUp(
        kinds=frozenset(kinds),
        han_kinds=tuple(han_kinds),
        stock_words=frozenset(told["stock_words"].split()),
        stock=_listed(rf"(?<!\w){_any(told['stock'])}(?!\w)"),
        han_stock=_listed(_any(told["han_stock"])),
        cast=frozenset(told["cast"]),
        han_cast=_listed(_any(told["han_cast"])),
        numbered=_listed(
            rf"(?:(?<![^\W\d_]){_any(kinds)}[ _-]?(?:ids?|no\.?|nr\.?|nummer|number)"
            rf"|{_any(han_kinds)}\s?(?:ID|编号|号码|序号))\s?[:：#=]\s?{_FIRST}"
        ),
        stand_in=_listed(
            rf"[\[<{{](?:(?:your|insert|enter|ihr|hier)\s)?{_any(told['stand_ins'].split())}"
            r"(?:\s\w{1,12})?[\]>}](?!\()|\bX{3,}\b|(?<![\w.])\$?X{2,}[.,']X{2,}\b"
        ),
    )


def _any(expressions: Any) -> str:
    return f"(?:{'|'.join(expressions)})"


def _listed(expression: str) -> re.Pattern[str]:
    return late_pattern(expression, re.IGNORECASE)
