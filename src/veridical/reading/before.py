"""The part before a figure's digits: sign, bracket, currency, and words that loosen it."""

import re
from typing import NamedTuple

from veridical.late_pattern import late_pattern
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES, HAN_MONEY
from veridical.word_file import word_file


class Before(NamedTuple):
    """The part before the digits."""

    start: int
    """The start of the figure, with its sign and currency."""
    negative: bool = False
    bracket: bool = False
    unit: str = ""
    mark: str = ""
    """``about``, ``over`` or ``under``."""
    word: str = ""
    """The word before, as written."""
    lower: str = ""
    """The same in lower case."""


_WORDS = word_file("veridical.reading", "figures.toml")
_S = "[ \u00a0\u202f\u2009]"
# read from right to left, so that one anchored match finds what ends at the digits
_LEADING = late_pattern(
    r"(?P<sign>[-−–‑+])?"
    rf"(?:{_S}?(?P<money>{_WORDS['before']['money']})"
    rf"(?:{_S}?(?P<sign2>[-−–‑+]))?)?"
    r"(?P<mark>[~≈∼><≥≤]?)(?P<open>[((]?)"
)
_SIGNS = frozenset("-−–‑")
_PARTING = frozenset(":|,;()=*")
"""Before the blank, none of them belongs to a figure."""
OVER, UNDER = "over", "under"
"""The marks of a limit: the figure itself or more, the figure itself or less."""
OPPOSITE = {OVER: UNDER, UNDER: OVER}

_BLANK = frozenset(("", " ", "\n"))
_MARK_SIGNS = {"~": "about", "≈": "about", "∼": "about", ">": OVER, "≥": OVER, "<": UNDER,
               "≤": UNDER}  # fmt: skip

LOOSE: dict[str, str] = {
    word: mark for mark, words in _WORDS["loose"].items() for word in words.split()
}
"""Words that loosen a figure; ``than:more`` is the word beside the figure and the one before it."""
HAN_LOOSE: dict[str, str] = {
    word: mark for mark, words in _WORDS["han_loose"].items() for word in words.split()
}
_DENYING = frozenset(_WORDS["before"]["denying"].split())
"""No less than 5 are 5 or more."""
_DATED_SIGNS: str = _WORDS["before"]["dated"]
_PAIRED = {pair.partition(":")[0]: "" for pair in LOOSE if ":" in pair}
_MARKS = _PAIRED | {word: mark for word, mark in LOOSE.items() if ":" not in word}
_HAN_LOOSE = tuple(sorted(HAN_LOOSE, key=len, reverse=True))
_HAN_LOOSE_ENDS = frozenset(each[-1] for each in HAN_LOOSE)
_HAN_MONEY_ENDS = frozenset(each[-1] for each in HAN_MONEY)
_REACH = 14
_TURNED_OVER = late_pattern(
    r"\b(?:turn(?:s|ed|ing)?|carr(?:y|ies|ied)|left|hand(?:s|ed)?|t[ao]ke?(?:s|n)?|took|roll(?:s|ed)?)"
    r"\s(?:over\s)?$",
    re.IGNORECASE,
)
"""Idioms such as "turned over 5 million", in which "over" is no limit."""
_CENTS = late_pattern(r"\d[\d'’.,  ]*[.,]\d\d?(?!\d)")
_DATED = late_pattern(r"(?:\b(?:19|20)\d\d|[A-Za-z]-\d[\d-]*)[  ]$")
_FRANCS = frozenset({"Fr", "SFr"})
_OPENING = "([{*_\"'“„«"
_NO_WORD = frozenset("\n,;:)]")
_AMOUNT_ENDS = frozenset("%kKmMBF€$£")


def before(text: str, start: int) -> Before:
    """The part before the digits at this place."""
    if start == 0:
        return Before(0)
    left = text[start - 1]
    if left == " ":
        # mostly a plain word stands before the blank, or the code of a currency
        prior = text[start - 2 : start - 1]
        if prior.islower():
            return _behind_word(text, start)
        if prior in _PARTING:
            return _behind(text, start, "")
        unit = CURRENCIES.get(text[start - 4 : start - 1]) if prior.isupper() else None
        if unit is not None and _plain_before(text, start - 4):
            return _behind(text, start - 4, unit)
    elif left > "\u2e80":
        return _behind_han(text, start, left)
    elif left in CURRENCY_SIGNS and _plain_before(text, start - 1):
        return _behind(text, start - 1, CURRENCY_SIGNS[left])
    return _behind(text, *_led(text, start))


def _plain_before(text: str, begin: int) -> bool:
    """True if a blank and no sign stands before the currency."""
    return text[begin - 1 : begin] in _BLANK and text[begin - 2 : begin - 1] not in _SIGNS


def _behind_word(text: str, start: int) -> Before:
    begin = text.rfind(" ", 0, start - 1) + 1
    word = text[begin : start - 1]
    if not word.isalpha():
        word = word.split()[-1].lstrip(_OPENING)
    elif word in _FRANCS:
        return Before(begin, False, False, "CHF")
    lower = word.lower()
    mark = _MARKS.get(lower)
    if mark == "":
        mark = _paired(text, start, lower)
    elif lower == "over" and _TURNED_OVER.search(text, max(0, begin - _REACH), begin):
        mark = ""
    return Before(start, False, False, "", mark or "", word, lower)


def _behind(
    text: str, begin: int, unit: str, mark: str = "", negative: bool = False, bracket: bool = False
) -> Before:
    if begin == 0 or text[begin - 1] in _NO_WORD:
        return Before(begin, negative, bracket, unit, mark)
    words = text[max(0, begin - 28) : begin].rsplit(None, 1)
    word = words[-1].lstrip(_OPENING) if words else ""
    lower = word.lower()
    if word and not mark:
        mark = _MARKS.get(lower, "") or _paired(text, begin, lower)
        if lower == "over" and _TURNED_OVER.search(text, max(0, begin - 2 * _REACH), begin):
            mark = ""
    return Before(begin, negative, bracket, unit, mark, word, lower)


def _paired(text: str, begin: int, lower: str) -> str:
    """The mark of two words: more than, at least, bis zu; or of Chinese signs before the figure."""
    if lower in _PAIRED:
        words = text[max(0, begin - 28) : begin].split()
        mark = LOOSE.get(f"{lower}:{words[-2].lower()}", "") if len(words) > 1 else ""
        denied = mark in OPPOSITE and len(words) > 2 and words[-3].lower() in _DENYING
        return OPPOSITE[mark] if denied else mark
    return _han_mark(lower) if lower[-1] > "\u2e80" else ""


def _behind_han(text: str, start: int, left: str) -> Before:
    lead = text[max(0, start - 6) : start]
    for name in HAN_MONEY if left in _HAN_MONEY_ENDS else ():
        if lead.endswith(name):
            begin = start - len(name)
            lead = text[max(0, begin - 6) : begin]
            mark = _han_mark(lead) if lead else ""
            return Before(begin, False, False, HAN_CURRENCIES[name], mark, lead, lead)
    mark = _han_mark(lead) if left in _HAN_LOOSE_ENDS else ""
    return Before(start, False, False, "", mark, lead, lead)


def _han_mark(lead: str) -> str:
    if lead[-1] not in _HAN_LOOSE_ENDS:
        return ""
    return next((HAN_LOOSE[each] for each in _HAN_LOOSE if lead.endswith(each)), "")


def _led(text: str, start: int) -> tuple[int, str, str, bool, bool]:
    """The start of the figure; its currency and mark; True if negative, True if in brackets."""
    found = _LEADING.match(text[max(0, start - _REACH) : start][::-1])
    if found is None or not found.end():
        return start, "", "", False, False
    close, money, outer, mark, opened = found.groups()
    unit = _currency(money[::-1]) if money else ""
    length, bracket = found.end(), bool(opened)
    if money and not unit:
        length, mark, bracket, outer = len(close or ""), "", False, ""
    sign = close or outer
    begin = start - length
    if sign and not unit and begin and not bracket and _joins(text, begin, start):
        return start, "", "", False, False
    if outer and unit and _parts(text, begin):
        begin, sign = begin + 2, close
    elif sign and unit and _is_range(text, begin):
        begin, sign = begin + 1, ""
    begin += bracket + bool(mark)
    return begin, unit, _MARK_SIGNS.get(mark, ""), sign in _SIGNS, bracket and not sign


def _joins(text: str, begin: int, start: int) -> bool:
    """True for a dash that joins the part before it: a range, a code."""
    left = text[begin - 1]
    if left > "\u2e80":  # Chinese parts no words: only dates are joined by a dash
        return left in _DATED_SIGNS and not _CENTS.match(text, start)
    if left in " \u00a0" and text[begin - 2].isdigit():
        dated = _DATED.search(text, max(0, begin - _REACH), begin)
        return dated is None or not _CENTS.match(text, start)
    return left.isalnum() or left in "%)_-"


def _parts(text: str, begin: int) -> bool:
    """True for a dash between two spaces, which separates a name from its amount."""
    return begin > 0 and text[begin - 1].isspace() and text[begin + 1 : begin + 2].isspace()


def _is_range(text: str, begin: int) -> bool:
    """True for a dash right between two amounts: $20-$30."""
    left = text[begin - 1 : begin]
    return text[begin] in _SIGNS and (left.isdigit() or left in _AMOUNT_ENDS)


def _currency(name: str) -> str:
    return CURRENCIES.get(name) or CURRENCY_SIGNS.get(name) or HAN_CURRENCIES.get(name, "")
