"""Days that a text names from today on: tomorrow, next Monday, in 3 days, last week, 明天."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from veridical.late_pattern import late_pattern
from veridical.reading.weekday_words import WEEK, WEEKDAYS

_DAY = timedelta(days=1)
_SHIFTS: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (late_pattern(text, re.IGNORECASE), shift)
    for text, shift in (
        (r"\b(?:today|tonight|heute)\b|今天|今日|今晚", 0),
        (r"\btomorrow\b|\bmorgen\b|明天|明日", 1),
        (r"\bday after tomorrow\b|\bübermorgen\b|后天|後天", 2),
        (r"\byesterday\b|\bgestern\b|昨天|昨日", -1),
        (r"\bday before yesterday\b|\bvorgestern\b|前天", -2),
    )
)
_WEEKDAY = tuple(
    late_pattern(
        rf"\b(?:{'|'.join((*day.names, *day.short))})s?\b|{WEEK}[{day.signs}]", re.IGNORECASE
    )
    for day in WEEKDAYS
)
_AHEAD = late_pattern(
    r"\bin (?P<n>\d{1,3}) (?P<u>days?|weeks?|tagen?|wochen?)\b"
    r"|\b(?P<n2>\d{1,3}) (?P<u2>days?|weeks?) (?:later|from (?:now|today))\b"
    r"|(?P<n3>\d{1,3})\s?(?P<u3>天|周|个星期)[之以]?后",
    re.IGNORECASE,
)
_AGO = late_pattern(
    r"\b(?P<n>\d{1,3}) (?P<u>days?|weeks?) ago\b|\bvor (?P<n2>\d{1,3}) (?P<u2>tagen?|wochen?)\b"
    r"|(?P<n3>\d{1,3})\s?(?P<u3>天|周|个星期)[之以]?前",
    re.IGNORECASE,
)
_SPANS: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (late_pattern(text, re.IGNORECASE), first, last)
    for text, first, last in (
        (r"\bnext week\b|\bnächste[rn]? woche\b|下个?(?:周|星期)", 1, 14),
        (r"\bthis week(?:end)?\b|\bdiese[rn]? woche\b|\bwochenende\b|本周|这个?(?:周|星期)", -6, 7),
        (r"\blast week\b|\b(?:letzte|vorige|vergangene)[rn]? woche\b|上个?(?:周|星期)", -14, -1),
        (r"\bnext month\b|\bnächste[nr] monat\b|下个?月", 1, 62),
        (r"\bthis month\b|\bdiese[nm] monat\b|本月|这个?月", -31, 31),
        (r"\blast month\b|\b(?:letzte|vorige|vergangene)[nr] monat\b|上个?月", -62, -1),
        (r"\blast \d{1,3} days\b|\bletzten \d{1,3} tagen?\b|(?:最近|过去)\d{1,3}天", -366, 0),
    )
)
_SHIFTED = late_pattern(
    r"\b(?:(?P<n>\d{1,2}|a|one|the)\s)?days?\s(?:(?P<later>after|later)|(?P<earlier>before|earlier))\b"
    r"|\b(?P<later2>next|following|nächste[nr]?|folgende[nr]?)\s(?:day|tag)\b"
    r"|\b(?P<earlier2>previous|prior|vorige[nr]?)\s(?:day|tag)\b"
    r"|\b(?:(?P<n2>\d{1,2}|einen?)\s)?tage?\s(?:(?P<later3>später|danach)|(?P<earlier3>früher|davor))\b"
    r"|(?P<n3>\d{1,2}|一)?天?(?:(?P<later4>后一天|次日|第二天)|(?P<earlier4>前一天))",
    re.IGNORECASE,
)


def spoken_days(text: str, today: date) -> Iterator[tuple[date, date]]:
    """The first and the last day of each time that the text names from today on."""
    for pattern, shift in _SHIFTS:
        if pattern.search(text):
            yield _span(today, shift, shift)
    for number, pattern in enumerate(_WEEKDAY):
        if pattern.search(text):
            ahead = (number - today.weekday()) % 7
            for weeks in (-1, 0, 1):
                yield _span(today, ahead + 7 * weeks, ahead + 7 * weeks)
    for pattern, sign in ((_AHEAD, 1), (_AGO, -1)):
        for found in pattern.finditer(text):
            said = {name.rstrip("23"): value for name, value in found.groupdict().items() if value}
            weeks = said["u"].casefold().startswith("w") or said["u"] in ("周", "个星期")
            shift = sign * int(said["n"]) * (7 if weeks else 1)
            yield _span(today, shift, shift)
    for pattern, first, last in _SPANS:
        if pattern.search(text):
            yield _span(today, first, last)


def day_shifts(text: str) -> Iterator[int]:
    """By how many days the text moves some other day: the day after, 2 days earlier, 次日."""
    for found in _SHIFTED.finditer(text):
        said = {name.rstrip("234"): value for name, value in found.groupdict().items() if value}
        count = int(said["n"]) if said.get("n", "").isdecimal() else 1
        yield count if "later" in said else -count


def _span(today: date, first: int, last: int) -> tuple[date, date]:
    return today + first * _DAY, today + last * _DAY
