"""Numbers written as words: drei, twelve; and Chinese numerals: 十二, 两千, 一百二十万, 三点五."""

from functools import lru_cache

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.figure import LARGEST
from veridical.word_file import word_file

_FIGURES = word_file("veridical.reading", "figures.toml")
_WORDS = _FIGURES["numerals"]
_ONES = {sign: digit for digit, signs in enumerate(_WORDS["digits"]) for sign in signs}
_TENS = {sign: int(number) for number, signs in _WORDS["tens"].items() for sign in signs}
_GREAT = {sign: int(number) for number, signs in _WORDS["great"].items() for sign in signs}
_MYRIAD = 10**4
_ZERO: str = _WORDS["digits"][0]
_POINT: str = _WORDS["point"]

_LONGEST = 60
"""No real numeral has more characters."""

HAN_ONES: str = _WORDS["running"]
HAN_NUMERAL = late_pattern(rf"[{HAN_ONES}{_WORDS['running_tens']}]+(?:{_POINT}[{HAN_ONES}]+)?")

COUNTS: dict[Language, dict[str, int]] = {
    Language(language): {
        **{word: number for number, word in enumerate(words["ones"].split(), start=2)},
        **{word: number * 10 for number, word in enumerate(words["tens"].split(), start=2)},
        **words["also"],
    }
    for language, words in _FIGURES["counts"].items()
}
"""Words that count, by language; one is left out: it is an article as often as a number."""


@lru_cache(4096)
def read_han(text: str) -> tuple[float, float] | None:
    """The numeral's value and half a unit of its last place; None if it is malformed."""
    whole, point, fraction = text.partition(_POINT)
    value = _whole(whole) if len(text) <= _LONGEST else None
    if value is None or value >= LARGEST:
        return None
    if not point:
        return float(value), 0.5 * _GREAT.get(whole[-1], 1)
    digits = [_ONES.get(sign) for sign in fraction]
    if not digits or None in digits:
        return None
    return float(f"{value}.{''.join(str(digit) for digit in digits)}"), 0.5 * 10.0 ** -len(digits)


def _whole(text: str) -> int | None:
    if not text:
        return None
    if len(text) > 1 and all(sign in _ONES for sign in text):
        # 三四 means "three or four"; 二〇二五 is a row of digits
        if len(text) == 2 and not any(sign in _ZERO for sign in text):
            return None
        return int("".join(str(_ONES[sign]) for sign in text))
    high = total = section = last = 0
    digit: int | None = None
    for sign in text:
        if sign in _ONES:
            if digit:
                return None
            digit = _ONES[sign]
        elif sign in _TENS:
            section += (digit or 1) * _TENS[sign]
            digit, last = None, _TENS[sign]
        else:
            section += digit or 0
            if _GREAT[sign] == _MYRIAD:
                total += (section or 1) * _GREAT[sign]
            else:
                high += (total + section or 1) * _GREAT[sign]
                total = 0
            section, digit, last = 0, None, _GREAT[sign]
    return high + total + section + _tail(digit, last, text)


def _tail(digit: int | None, last: int, text: str) -> int:
    """The last digit: 两百五 is 250, 两百零五 is 205."""
    if not digit:
        return 0
    is_short = last >= 100 and text[-2] not in _ZERO
    return digit * (last // 10 if is_short else 1)
