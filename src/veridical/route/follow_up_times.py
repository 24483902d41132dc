"""Times of a follow-up written out: those without a year, and those relative to the earlier time.

Dates are also read in spellings that a whole question seldom has. What may be two days is both.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.number_words import read_han
from veridical.reading.period_words import MONTH_NUMBERS
from veridical.reading.periods import At, Period, at_end, find_periods
from veridical.reading.yearless import find_days_of_year
from veridical.route.follow_up_words import RELATIVES
from veridical.word_file import word_file

_MOST_READINGS = 4
_BEFORE, _AFTER = r"(?<![\d.,/'’-])", r"(?![\d/'’-]|[.,]\d)"
_YEAR_FIRST = late_pattern(
    _BEFORE + r"(?P<y>(?:19|20)\d\d)[/. ](?P<m>\d{1,2})[/. ](?P<d>\d{1,2})" + _AFTER
)
_RUN_TOGETHER = late_pattern(
    _BEFORE + r"(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])" + _AFTER
)
_DAY_FIRST = late_pattern(
    _BEFORE + r"(?P<d>\d{1,2})[- ](?P<m>\d{1,2})[- ](?P<y>(?:19|20)\d\d)" + _AFTER
)
_SLASHED = late_pattern(
    _BEFORE + r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>(?:19|20)\d\d|\d\d)" + _AFTER
)
_SHORT_YEAR = late_pattern(r"(?<=[a-zä.]\s)['’](?P<y>\d\d)(?!\d)")
_WORDS = word_file("veridical.route")["times"]
_HAN_DIGITS: str = _WORDS["digits"]
_YEAR: str = _WORDS["year"]
_HAN_YEAR = late_pattern(rf"(?P<y>[{_HAN_DIGITS}]{{4}}){_YEAR}")
_HAN_PART = late_pattern(_WORDS["numbered"])
_NAMES = "|".join(sorted((name for name in MONTH_NUMBERS if len(name) > 2), key=len, reverse=True))
_MONTH = late_pattern(rf"\b(?:{_NAMES})\b\.?(?!\s*,?\s*(?:19|20)\d\d)")
_HAN_MONTH, _QUARTER, _HAN_QUARTER = (
    late_pattern(_WORDS[name]) for name in ("month", "quarter", "han_quarter")
)


def written_out(
    text: str, before: Period | None, language: Language, today: date
) -> tuple[str, ...]:
    """The text with every time in a form that questions have; several where it may mean several."""
    plain = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    readings = tuple(dict.fromkeys(_dated(_in_digits(plain))))[:_MOST_READINGS]
    if before is None:
        return readings
    return tuple(_completed(each, before, language, today) for each in readings)


def _in_digits(text: str) -> str:
    """Chinese numbers of a date as digits."""
    text = _HAN_YEAR.sub(lambda found: "".join(map(_han_digit, found["y"])) + _YEAR, text)
    return (
        _HAN_PART.sub(_as_digits, text) if any(sign in text for sign in _WORDS["dated"]) else text
    )


def _han_digit(sign: str) -> str:
    return str(max(_HAN_DIGITS.index(sign) - 1, 0))


def _as_digits(found: re.Match[str]) -> str:
    numeral = read_han(found["n"])
    return str(int(numeral[0])) if numeral else found["n"]


def _dated(text: str) -> Iterator[str]:
    """The text with its day as ISO writes it; of 3/4/2025 both days that it may be."""
    text = _SHORT_YEAR.sub(lambda found: f"20{found['y']}", text)
    for expression in (_YEAR_FIRST, _RUN_TOGETHER, _DAY_FIRST):
        found = expression.search(text)
        if found and (day := _day(int(found["y"]), int(found["m"]), int(found["d"]))):
            yield _with(text, found.start(), found.end(), day)
            return
    found = _SLASHED.search(text)
    if found is None:
        yield text
        return
    first, second, year = int(found["a"]), int(found["b"]), int(found["y"])
    year += 2000 if year < 100 else 0
    for month, day_of_month in dict.fromkeys(((second, first), (first, second))):
        if day := _day(year, month, day_of_month):
            yield _with(text, found.start(), found.end(), day)


def _completed(text: str, before: Period, language: Language, today: date) -> str:
    """The text with the year of the time before, where it names a time without one."""
    for relative in RELATIVES[language]:
        found = relative.expression.search(text)
        if found is None:
            continue
        moved = _moved(before, relative.unit, relative.step)
        if moved is not None:
            return f"{text[: found.start()]}{moved}{text[found.end() :]}"
    if find_periods(text, language, today):
        return text
    year = before.end.year
    for named in find_days_of_year(text):
        if day := _day(year, named.month, named.day):
            return _with(text, named.start, named.end, day)
    if language is Language.ZH:
        found = _HAN_MONTH.search(text) or _HAN_QUARTER.search(text)
        return f"{text[: found.start()]}{year}{_YEAR}{text[found.start() :]}" if found else text
    found = _MONTH.search(text) or _QUARTER.search(text)
    return f"{text[: found.end()]} {year}{text[found.end() :]}" if found else text


def _with(text: str, start: int, end: int, day: date) -> str:
    return f"{text[:start]}{day.isoformat()}{text[end:]}"


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _moved(before: Period, unit: str, step: int) -> str | None:
    """The same time so many years or months on, as text; None if there is no such one."""
    year, month = before.end.year, before.end.month
    if unit == "year":
        year += step
    elif before.grain == "year":
        return None
    else:
        year, month = divmod(year * 12 + month - 1 + step, 12)
        month += 1
    if before.grain == "year":
        return str(year)
    if before.grain == "month" or (unit == "month" and before.ends_month):
        return f"{year}-{month:02}"
    if before.grain == "day":
        day = _day(year, month, before.end.day)
        return day.isoformat() if day else None
    return None


def in_place_of(new: Period, before: Period | None) -> tuple[Period, ...]:
    """The possible meanings of a new time in place of another: a year after "at the end of 2024" is
    its end, after "in March 2024" it may be March again."""
    if new.at is not At.DURING:
        return (new,)
    if before is None:
        return new, at_end(new)
    if before.at is At.SINCE:
        return ()
    if new.grain != "year" or before.grain == "year":
        return (at_end(new),) if before.at is At.END else (new,)
    same = _in_year(before, new.start.year)
    if before.at is At.DURING:
        return (new,) if same is None else (same, new)
    return tuple(each for each in (same, at_end(new)) if each is not None)


def _in_year(before: Period, year: int) -> Period | None:
    """The same days of another year."""
    start = _day(year, before.start.month, before.start.day)
    leap = before.grain != "day" and (before.end.month, before.end.day) in ((2, 28), (2, 29))
    end = _month_end_of_february(year) if leap else _day(year, before.end.month, before.end.day)
    return None if start is None or end is None else replace(before, start=start, end=end)


def _month_end_of_february(year: int) -> date:
    return _day(year, 2, 29) or date(year, 2, 28)
