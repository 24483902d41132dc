"""Dates, periods and times of day that begin with a digit."""

import re
from collections.abc import Callable

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Days
from veridical.gate.claims.calendar import (
    a_day,
    a_month,
    a_year,
    across_years,
    at_its_end,
    full_year,
    month_number,
    months,
)
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed
from veridical.reading.period_words import MONTH_NUMBERS

CLOCK = "clock"
"""The unit of a time of day; its value is in minutes since midnight."""

_LATIN_MONTHS = sorted((name for name in MONTH_NUMBERS if name[0] < "\u2e80"), key=len)[::-1]
_MONTH = rf"(?i:{'|'.join(_LATIN_MONTHS)})\b\.?"
_YEAR = r"(?:19|20)[0-9]{2}(?![0-9])"
_DAY = r"[0-9]{1,2}"
_HALF_DAY = r"(?:[aApP]\.[mM]\.|[pP]\.?[mM]\b|AM\b|[aA]m\b(?!\s[A-ZÄÖÜ0-9]))"
"""A small ``am`` before a capital is German: 8:00 am Montag."""
_ISO = (
    r"(?P<iso>(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?![0-9-])"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?)"
)
_YEARED = r"(?P<yeared>(?:19|20)[0-9]{2}[-–][0-9]{2}(?![0-9]|[.,'’-][0-9]))"
_QUARTERED = rf"(?P<quartered>{_YEAR}[ -]?[QH][1-4]\b)"
_DAYED = (
    rf"(?P<dayed>{_DAY}(?:\.|st|nd|rd|th)?[ \u00a0-](?:of[ ])?{_MONTH}(?:,?[ -](?:of[ ])?{_YEAR})?)"
)
_ORDERED = (
    r"(?P<ordered>[1-4](?:\.|st|nd|rd|th)[ ](?:Quartals?|[Qq]uarter|Halbjahr(?:es)?|[Hh]alf)\b"
    rf"(?:[ ](?:of[ ]|des[ ](?:Jahres[ ])?)?{_YEAR})?)"
)
_HOUR = rf"(?P<hour>{_DAY}(?:\.[0-9]{{2}})?\s?(?:{_HALF_DAY}|Uhr\b))"
_DOTTED = rf"(?P<dotted>{_DAY}\.\s?{_DAY}\.(?:\s?{_YEAR}|[0-9]{{2}}(?![0-9]|\.[0-9]))?(?![0-9]))"
_SLASHED = r"(?P<slashed>[0-9]{1,4}/[0-9]{1,4}(?:/[0-9]{2,4})?(?![0-9/]))"
_TIMED = rf"(?P<clock>{_DAY}:[0-9]{{2}}(?::[0-9]{{2}})?(?![0-9:])(?:\s?{_HALF_DAY}|\sUhr\b)?)"
_HAN_FORM = (
    r"(?P<han>(?:19|20)?[0-9]{2}\s?年\s?(?:(?:[0-9]{1,2}|十[一二]?|[一二三四五六七八九])\s?月份?"
    r"\s?(?:[0-9]{1,2}\s?[日号])?|第?[1-4一二三四]季度?|[上下]半年|度|年?[底末初])?"
    r"|[0-9]{1,2}\s?月份?(?:\s?[0-9]{1,2}\s?[日号])?)"
    r"|(?P<han_clock>[0-9]{1,2}[点时](?:[0-9]{1,2}分|半)?)"
)
_BY_NEXT: dict[str, re.Pattern[str]] = {
    sign: late_pattern("|".join(forms))
    for signs, forms in {
        "-–": (_ISO, _QUARTERED, _YEARED, _DAYED),
        "/": (_SLASHED,),
        ":": (_TIMED,),
        ".": (_DOTTED, _DAYED, _ORDERED),
        "QH": (_QUARTERED,),
        "aApPU": (_HOUR,),
        "snrt": (_DAYED, _ORDERED),
        " \u00a0": (_DAYED, _HOUR, _QUARTERED),
        "年月点时": (_HAN_FORM,),
    }.items()
    for sign in signs
}
"""The forms that digits can open, by the sign that follows them."""

_AFTER_BLANK = late_pattern(
    r".(?:[QHUaApP年月]|[JFMASONDjfmasond][a-zä]{2}|of[ ])|[ ]?[年月]", re.DOTALL
)
_NUMBERS = late_pattern("[0-9]+")
_TRAILING_YEAR = late_pattern("(?:19|20)[0-9]{2}$")
_HAN_NUMBERS = {sign: number for number, sign in enumerate("一二三四五六七八九十", start=1)} | {
    "十一": 11, "十二": 12,
}  # fmt: skip
_DATED = listed("am per zum bis vom ab seit der den dem on")
_HAN_DATE = late_pattern(
    r"(?:(?P<y>[0-9]+)\s?年\s?)?(?:(?P<m>[0-9]+|[一二三四五六七八九十]+)\s?月份?\s?(?:(?P<d>[0-9]+)\s?[日号])?"
    r"|第?(?P<q>[1-4一二三四])季度?|(?P<half>[上下])半年|(?P<end>年?[底末]))?"
)
_LONGEST_OPENING, _LONGEST_DOTTED = len("17.30"), len("31.12.2025")
_BLANKS = frozenset(" \u00a0")
_AFTERNOON = ("下午", "晚上", "傍晚", "晚间")
_DAYTIMES = (*_AFTERNOON, "上午", "早上", "凌晨", "中午")


def date_at(text: str, start: int, end: int) -> Draft | None:
    """The date, period or time of day that the digits from start to end open; else nothing."""
    if end - start > _LONGEST_OPENING:
        # at first the digits of 31.12.2025 are taken for one figure
        if end - start > _LONGEST_DOTTED or text.count(".", start, end) != 2:
            return None
        forms = _BY_NEXT["."]
    else:
        follows = text[end : end + 1]
        found = _BY_NEXT.get(follows)
        if found is None or (follows in _BLANKS and _AFTER_BLANK.match(text, end) is None):
            return None
        forms = found
    match = forms.match(text, start)
    if match is None:
        return None
    return _READERS[match.lastgroup or ""](text, match)


def _iso(_: str, match: re.Match[str]) -> Draft | None:
    said = match[0]
    days = a_day(int(said[:4]), int(said[5:7]), int(said[8:10]))
    return _dated(ClaimKind.DATE, match, days)


def _dotted(text: str, match: re.Match[str]) -> Draft | None:
    day, month, *year = _NUMBERS.findall(match[0])
    if year:
        return _dated(ClaimKind.DATE, match, a_day(full_year(year[0]), int(month), int(day)))
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    words = text[max(0, match.start() - 8) : match.start()].split()
    if not words or words[-1].lower() not in _DATED:
        return None
    said = (int(month), 1, int(day))
    return Draft(ClaimKind.DATE, match.start(), match.end(), yearless=said)


def _slashed(text: str, match: re.Match[str]) -> Draft | None:
    said = match[0].split("/")
    first, second = int(said[0]), int(said[1])
    if len(said) == 3:
        if len(said[0]) == 4:
            days = a_day(first, second, int(said[2]))
        else:
            year = full_year(said[2])
            days = a_day(year, first, second) + a_day(year, second, first)
            if first == second:
                days = days[:1]
        return _dated(ClaimKind.DATE, match, days)
    if len(said[0]) == 4 and 1900 <= first < 2100 and len(said[1]) in (2, 4):
        if second % 100 == (first + 1) % 100:
            return _dated(ClaimKind.PERIOD, match, across_years(first))
        return None
    if len(said[0]) == len(said[1]) == 2 and second == first + 1 and first >= 10:
        return _dated(ClaimKind.PERIOD, match, across_years(full_year(said[0])))
    if len(said[1]) == 4 and 1900 <= second < 2100 and 1 <= first <= 12:
        return _dated(ClaimKind.PERIOD, match, a_month(second, first))
    return None


def _clock(text: str, match: re.Match[str]) -> Draft | None:
    said = match[0]
    numbers = [int(each) for each in _NUMBERS.findall(said)]
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    half_day = said[-4:].lower().replace(".", "")
    if half_day.endswith("m"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half_day[-2] == "p" else 0)
    if hour > 24 or minute > 59:
        return None
    digits = ((float(hour * 60 + minute), 0.5),)
    return Draft(ClaimKind.AMOUNT, match.start(), match.end(), digits, CLOCK)


def _dayed(text: str, match: re.Match[str]) -> Draft | None:
    day = int(_NUMBERS.match(match[0])[0])  # pyright: ignore[reportOptionalSubscript]
    year = _TRAILING_YEAR.search(match[0])
    month = next(
        month_number(word) for word in re.findall(r"[^\W\d_]+", match[0]) if _is_month(word)
    )
    if not 1 <= day <= 31:
        return None
    if year is None:
        if match[0].endswith(("may", "mar", "sep", "march")):
            return None
        return Draft(ClaimKind.DATE, match.start(), match.end(), yearless=(month, 1, day))
    return _dated(ClaimKind.DATE, match, a_day(int(year[0]), month, day))


def _is_month(word: str) -> bool:
    try:
        return bool(month_number(word))
    except KeyError:
        return False


def _ordered(_: str, match: re.Match[str]) -> Draft | None:
    year = _TRAILING_YEAR.search(match[0])
    part = "Q" if "uart" in match[0] else "H"
    return part_of_year(match, year[0] if year else "", part, int(match[0][0]))


def _quartered(_: str, match: re.Match[str]) -> Draft | None:
    said = match[0]
    return part_of_year(match, said[:4], said[-2], int(said[-1]))


def part_of_year(match: re.Match[str], year: str, part: str, number: int) -> Draft | None:
    """A quarter (``Q``) or a half (``H``), of a year where one is named."""
    long = 3 if part == "Q" else 6
    if number * long > 12:
        return None
    first = number * long - long + 1
    if not year:
        return Draft(ClaimKind.PERIOD, match.start(), match.end(), yearless=(first, long, 0))
    return _dated(ClaimKind.PERIOD, match, months(full_year(year), first, long))


def _yeared(_: str, match: re.Match[str]) -> Draft | None:
    year, last = int(match[0][:4]), int(match[0][5:])
    days = across_years(year) if last == (year + 1) % 100 else ()
    if match[0][4] == "-" and 1 <= last <= 12:
        days = (*days, *a_month(year, last))
    return _dated(ClaimKind.PERIOD, match, days)


def _han(_: str, match: re.Match[str]) -> Draft | None:
    said = _HAN_DATE.fullmatch(match[0].removesuffix("初").removesuffix("度"))
    if said is None:
        return None
    if not said["y"]:
        named = (int(said["m"]), 1, int(said["d"] or 0))
        if not 1 <= named[0] <= 12 or named[2] > 31:
            return None
        kind = ClaimKind.DATE if said["d"] else ClaimKind.PERIOD
        return Draft(kind, match.start(), match.end(), yearless=named)
    if len(said["y"]) == 2 and not said["m"]:
        return None
    year = full_year(said["y"])
    if said["m"]:
        month = int(said["m"]) if said["m"].isdigit() else _HAN_NUMBERS.get(said["m"], 0)
        if said["d"]:
            return _dated(ClaimKind.DATE, match, a_day(year, month, int(said["d"])))
        return _dated(ClaimKind.PERIOD, match, a_month(year, month))
    if said["q"]:
        quarter = int(said["q"]) if said["q"].isdigit() else _HAN_NUMBERS[said["q"]]
        return part_of_year(match, said["y"], "Q", quarter)
    if said["half"]:
        return part_of_year(match, said["y"], "H", 1 if said["half"] == "上" else 2)
    days = a_year(year)
    return _dated(ClaimKind.PERIOD, match, at_its_end(days) if said["end"] else days)


def _dated(kind: ClaimKind, match: re.Match[str], days: tuple[Days, ...]) -> Draft | None:
    if not days:
        return None
    return Draft(kind, match.start(), match.end(), days=days)


def _han_clock(text: str, match: re.Match[str]) -> Draft | None:
    numbers = [int(each) for each in _NUMBERS.findall(match[0])]
    minute = numbers[1] if len(numbers) > 1 else 30 if match[0][-1] == "半" else 0
    hour, start = numbers[0], match.start()
    daytime = text[max(0, start - 2) : start]
    if daytime in _AFTERNOON and hour < 12:
        hour += 12
    if hour > 24 or minute > 59:
        return None
    start -= len(daytime) if daytime in _DAYTIMES else 0
    return Draft(ClaimKind.AMOUNT, start, match.end(), ((hour * 60.0 + minute, 0.5),), CLOCK)


_READERS: dict[str, Callable[[str, re.Match[str]], Draft | None]] = {
    "iso": _iso, "dotted": _dotted, "slashed": _slashed, "clock": _clock, "hour": _clock,
    "dayed": _dayed, "ordered": _ordered, "quartered": _quartered, "yeared": _yeared, "han": _han,
    "han_clock": _han_clock,
}  # fmt: skip
