"""What stands beside a figure's digits: sign, currency, scale, unit, and words that loosen it."""

import re
from typing import NamedTuple

from veridical.reading.units import (
    CURRENCIES,
    CURRENCY_SIGNS,
    HAN_CURRENCIES,
    HAN_SCALES,
    HAN_UNITS,
    PERCENTS,
    SCALES,
    UNITS,
    UNSURE_SCALES,
)


class Before(NamedTuple):
    """What leads up to the digits."""

    start: int
    """Where the figure begins, with its sign and currency."""
    negative: bool = False
    bracket: bool = False
    unit: str = ""
    mark: str = ""
    """``about``, ``over`` or ``under``."""
    word: str = ""
    """The word before, as written."""


class After(NamedTuple):
    """What follows the digits."""

    end: int
    scale: float = 1.0
    unsure: bool = False
    """True when the scale may as well be a unit."""
    unit: str = ""
    factor: float = 1.0
    """What one of the unit is in percent."""
    word: str = ""
    """The word after, where it is neither scale nor unit."""


_S = "[ \u00a0\u202f\u2009]"
# read from right to left, so that one anchored match finds what ends at the digits
_LEADING = re.compile(
    r"(?P<sign>[-−–‑+])?"
    rf"(?:{_S}?(?P<money>[$€£¥￥₹](?:[A-Z]{{1,3}}(?![A-Za-z]))?|\.?rF[Ss]?(?![A-Za-z])|[A-Z]{{3}}(?![A-Za-z]))"
    rf"(?:{_S}?(?P<sign2>[-−–‑+]))?)?"
    r"(?P<mark>[~≈∼><≥≤]?)(?P<open>[((]?)"
)
_SIGNS = frozenset("-−–‑")
_BLANK = frozenset(("", " ", "\n"))
_MARK_SIGNS = {"~": "about", "≈": "about", "∼": "about", ">": "over", "≥": "over", "<": "under",
               "≤": "under"}  # fmt: skip

LOOSE: dict[str, str] = {
    word: mark
    for mark, words in {
        "about": (
            "about around roughly approximately approx approx. circa ca. ca c. nearly almost some "
            "rund etwa ungefähr zirka fast knapp beinahe gut annähernd praktisch roundabout"
        ),
        "over": (
            "over above exceeding exceeds exceeded beyond than:more than:greater than:higher "
            "than:larger least:at über mehr übersteigt mindestens als:mehr als:höher als:grösser "
            "als:größer minimum "
        ),
        "under": (
            "under below than:less than:fewer than:lower than:smaller most:at to:up unter "
            "höchstens maximal als:weniger als:tiefer als:niedriger zu:bis unterhalb within"
        ),
    }.items()
    for word in words.split()
}
"""What loosens a figure; ``than:more`` is the word beside the figure and the one before it."""
HAN_LOOSE: dict[str, str] = {
    "大约": "about", "约": "about", "约为": "about", "大概": "about", "将近": "about",
    "接近": "about", "近": "about", "左右": "about", "超过": "over", "逾": "over", "高于": "over",
    "多于": "over", "大于": "over", "至少": "over", "不少于": "over", "不到": "under",
    "低于": "under", "少于": "under", "不足": "under", "不超过": "under", "至多": "under",
    "最多": "under", "小于": "under",
}  # fmt: skip
_HAN_LOOSE = tuple(sorted(HAN_LOOSE, key=len, reverse=True))
_HAN_LOOSE_ENDS = frozenset(each[-1] for each in HAN_LOOSE)
_HAN_MONEY = ("人民币", "美元", "欧元", "瑞士法郎")
_HAN_MONEY_ENDS = frozenset(each[-1] for each in _HAN_MONEY)
_PAIRED = frozenset(pair.partition(":")[0] for pair in LOOSE if ":" in pair)
_REACH = 14
_FRANCS = frozenset({"Fr", "SFr"})
_OPENING = "([{*_\"'“„«"
_NO_WORD_BEFORE = frozenset("\n,;:)]")


def before(text: str, start: int) -> Before:
    """What leads up to the digits at this place."""
    if start == 0:
        return Before(0)
    left = text[start - 1]
    if left == " ":
        # mostly a plain word stands before the blank, or the code of a currency
        prior = text[start - 2 : start - 1]
        if prior.islower():
            return _behind_word(text, start)
        unit = CURRENCIES.get(text[start - 4 : start - 1]) if prior.isupper() else None
        if unit is not None and _plain_before(text, start - 4):
            return _behind_money(text, start - 4, unit)
    elif left > "\u2e80":
        return _behind_han(text, start, left)
    elif left in CURRENCY_SIGNS and _plain_before(text, start - 1):
        return _behind_money(text, start - 1, CURRENCY_SIGNS[left])
    begin, negative, bracket, unit, mark = _led(text, start)
    word = _word_before(text, begin)
    if word and not mark:
        mark = _loosened(text, begin, word)
    return Before(begin, negative, bracket, unit, mark, word)


def _plain_before(text: str, begin: int) -> bool:
    """True where a blank and no sign stands before the currency."""
    return text[begin - 1 : begin] in _BLANK and text[begin - 2 : begin - 1] not in _SIGNS


def _behind_word(text: str, start: int) -> Before:
    begin = text.rfind(" ", 0, start - 1) + 1
    word = text[begin : start - 1]
    if word in _FRANCS:
        return Before(begin, unit="CHF")
    if not word.isalpha():
        word = word.split()[-1].lstrip(_OPENING)
    return Before(start, False, False, "", _loosened(text, start, word), word)


def _behind_money(text: str, begin: int, unit: str) -> Before:
    word = _word_before(text, begin)
    return Before(begin, False, False, unit, _loosened(text, begin, word) if word else "", word)


def _behind_han(text: str, start: int, left: str) -> Before:
    lead = text[max(0, start - 6) : start]
    for name in _HAN_MONEY if left in _HAN_MONEY_ENDS else ():
        if lead.endswith(name):
            begin = start - len(name)
            lead = text[max(0, begin - 6) : begin]
            mark = _han_mark(lead) if lead else ""
            return Before(begin, False, False, HAN_CURRENCIES[name], mark, lead)
    return Before(start, False, False, "", _han_mark(lead), lead)


def _han_mark(lead: str) -> str:
    if lead[-1] not in _HAN_LOOSE_ENDS:
        return ""
    return next((HAN_LOOSE[each] for each in _HAN_LOOSE if lead.endswith(each)), "")


def _word_before(text: str, begin: int) -> str:
    if begin == 0 or text[begin - 1] in _NO_WORD_BEFORE:
        return ""
    words = text[max(0, begin - 28) : begin].rsplit(None, 1)
    return words[-1].lstrip(_OPENING) if words else ""


def _loosened(text: str, begin: int, word: str) -> str:
    lowered = word.lower()
    mark = LOOSE.get(lowered)
    if mark is not None:
        return mark
    if lowered in _PAIRED:
        words = text[max(0, begin - 28) : begin].split()
        return LOOSE.get(f"{lowered}:{words[-2].lower()}", "") if len(words) > 1 else ""
    return _han_mark(word) if word[-1:] > "\u2e80" else ""


def _led(text: str, start: int) -> tuple[int, bool, bool, str, str]:
    """Where the figure begins; whether negative or in brackets; currency and mark."""
    found = _LEADING.match(text[max(0, start - _REACH) : start][::-1])
    if found is None or not found.end():
        return start, False, False, "", ""
    sign, money, sign2, mark, opened = found.groups()
    unit = _currency(money[::-1]) if money else ""
    length, bracket = found.end(), bool(opened)
    if money and not unit:
        length, mark, bracket = len(sign or ""), "", False
    else:
        sign = sign or sign2
    begin = start - length
    if sign and not unit and begin and _joins(text, begin):
        return start, False, False, "", ""
    if sign and unit and _parts(text, begin):
        begin, sign = begin + 2, ""
    return begin + bracket + bool(mark), sign in _SIGNS, bracket, unit, _MARK_SIGNS.get(mark, "")


def _joins(text: str, begin: int) -> bool:
    """True where a dash joins what stands before it: a range, a code."""
    left = text[begin - 1]
    if left > "\u2e80":  # Chinese parts no words: only dates are joined by a dash
        return left in "年月日号时分点周季"
    return left.isalnum() or left in "%)_-" or (left in " \u00a0" and text[begin - 2].isdigit())


def _parts(text: str, begin: int) -> bool:
    """True for a dash between two spaces: it parts a name from its amount."""
    return begin > 0 and text[begin - 1].isspace() and text[begin + 1 : begin + 2].isspace()


def _currency(said: str) -> str:
    return CURRENCIES.get(said) or CURRENCY_SIGNS.get(said) or HAN_CURRENCIES.get(said, "")


_NEXT = re.compile(
    rf"({_S}?)(%-Punkten?|[%‰％]|[€$£¥₹]|[A-Za-zÄÖÜäöüµ°][A-Za-zÄÖÜäöüßµ²³°/]*(?:-[A-Z][a-z]+)?)"
)
_HAN_NEXT = re.compile(
    rf"{_S}?(?P<many>多|余|几)?(?P<scale>{'|'.join(HAN_SCALES)})?(?P<more>多|余)?"
    rf"(?P<unit>{'|'.join(sorted(HAN_CURRENCIES, key=len, reverse=True))}|个?百分点|个?基点|%"
    rf"|{'|'.join(HAN_UNITS)})?(?P<about>左右|上下)?"
)
_SHORTENED = frozenset({"Mio", "mio", "MIO", "Mrd", "mrd", "Mia", "mia", "Tsd", "Mill", "Bio",
                        "Stk", "Std", "Fr", "SFr", "min"})  # fmt: skip
_DIGIT_NEXT = re.compile(rf"\.?{_S}?[-−–]?[0-9]")
_NATIONS = frozenset({"Swiss", "Schweizer", "US", "American"})


def after(text: str, end: int, *, currency: bool = False) -> After:
    """What follows the digits that end at this place."""
    found = _NEXT.match(text, end)
    if found is None:
        if end < len(text) and (text[end] > "\u2e80" or text[end : end + 2] > " \u2e80"):
            return _han_after(text, end)
        return After(end)
    blank, word = found.groups()
    scale = SCALES.get(word)
    if scale is None:
        return _unit(text, end, word, found.end())
    unsure = word in UNSURE_SCALES and not currency
    if unsure and word in _THOUSANDS:
        unsure = bool(blank)
    if unsure and (word in _MILLIMETRES or (blank and word not in _MILLIONS)):
        return _unit(text, end, word, found.end())
    stop = _past_point(text, word, found.end())
    then = _NEXT.match(text, stop)
    rest = _unit(text, stop, then[2], then.end()) if then else After(stop)
    unit = rest.unit or (word if unsure else "")
    return After(rest.end, scale, unsure and not rest.unit, unit, rest.factor, rest.word)


_THOUSANDS = frozenset("kK")
_MILLIONS = frozenset("mM")
_MILLIMETRES = frozenset({"mm", "MM"})


def _unit(text: str, end: int, word: str, stop: int) -> After:
    """The word as percent, currency or unit; else it is only what follows."""
    factor = PERCENTS.get(word)
    if factor is not None:
        if word in {"percent", "Prozent"} and text.startswith(" points", stop):
            stop += len(" points")
        return After(stop, 1.0, False, "%", factor)
    code = CURRENCIES.get(word) or CURRENCY_SIGNS.get(word)
    if code:
        if word != "€" and _DIGIT_NEXT.match(text, stop) is not None:
            return After(end)  # the currency of the next figure: account 1020 CHF 500
        return After(_past_point(text, word, stop), 1.0, False, code)
    if word in UNITS:
        return After(_past_point(text, word, stop), 1.0, False, word)
    if word == "in":
        return _in_thousands(text, end)
    then = _NEXT.match(text, stop) if word in _LEADERS else None
    if then is not None:
        factor = PERCENTS.get(f"{word} {then[2]}")
        if factor is not None:
            return After(then.end(), unit="%", factor=factor)
        if word in _NATIONS and then[2] in CURRENCIES:
            return After(then.end(), unit=CURRENCIES[then[2]])
    return After(end, 1.0, False, "", 1.0, word)


_IN_SCALE = re.compile(r"\s?in (thousands|millions|billions|Tausend|Millionen|Milliarden)\b")


def _in_thousands(text: str, end: int) -> After:
    """A figure kept in a scale: $3,142,308 in thousands."""
    found = _IN_SCALE.match(text, end)
    if found is None:
        return After(end, 1.0, False, "", 1.0, "in")
    return After(found.end(), SCALES[found[1]], True)


_LEADERS = _NATIONS | {"per", "percentage", "basis", "percent"}


def _past_point(text: str, word: str, stop: int) -> int:
    return stop + 1 if word in _SHORTENED and text.startswith(".", stop) else stop


_RISES = frozenset("至到为高值幅")


def _han_after(text: str, end: int) -> After:
    found = _HAN_NEXT.match(text, end)
    if found is None or found.end() == end:
        return After(end)
    scale, unit = found["scale"], found["unit"]
    if unit == "升" and text[found.end("unit") : found.end("unit") + 1] in _RISES:
        unit = None  # 升至: it rose, and is no litre
    if not scale and not unit:
        return After(end)
    stop = found.end("unit") if unit else found.end("scale")
    if unit in PERCENTS:
        return After(stop, HAN_SCALES.get(scale or "", 1.0), unit="%", factor=PERCENTS[unit])
    code = HAN_CURRENCIES.get(unit or "", unit or "")
    return After(stop, HAN_SCALES[scale] if scale else 1.0, unit=code)
