"""Chinese numerals: 十二, 两千, 一百二十万, 三点五."""

from veridical.late_pattern import late_pattern
from veridical.reading.figure import LARGEST

_ONES = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "两": 2, "俩": 2, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7,
    "捌": 8, "玖": 9,
}  # fmt: skip
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_GREAT = {"万": 10**4, "亿": 10**8}

_LONGEST = 60
"""No real numeral has more characters."""

HAN_ONES = "零〇一二两三四五六七八九"
HAN_NUMERAL = late_pattern(rf"[{HAN_ONES}十百千万亿]+(?:点[{HAN_ONES}]+)?")


def read_han(text: str) -> tuple[float, float] | None:
    """The numeral's value and half a unit of its last place; None if it is malformed."""
    whole, point, fraction = text.partition("点")
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
        if len(text) == 2 and not any(sign in "零〇" for sign in text):
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
            if sign == "万":
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
    is_short = last >= 100 and text[-2] not in "零〇"
    return digit * (last // 10 if is_short else 1)
