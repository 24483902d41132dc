"""Which rows of a timeline a text speaks of, and where it says so."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from veridical.gate.claim import Claim
from veridical.gate.evidence.timeline import Timeline, days_of_month
from veridical.gate.series.when_words import (
    AND,
    BESIDE,
    BETWEEN,
    CARDINALS,
    FURTHER_DAY,
    JOINED,
    MENTION,
    MONTHS,
    ORDINALS,
    SINCE,
    WEEKDAYS,
)

Stretch = tuple[date, date]
Stretches = tuple[Stretch, ...]

_WIDEST_GAP = len(" through the ")
_EARLY, _LATE = 11, 20
_MID_MONTH = (8, 23)
_EARLY_MONTHS, _MID_MONTHS, _LATE_MONTHS = (1, 4), (5, 8), (9, 12)


@dataclass(frozen=True, slots=True)
class When:
    """A time that the text names: where, and the stretches of days it may mean."""

    start: int
    end: int
    stretches: Stretches
    kind: str
    """Which way of naming it was: ``iso``, ``month``, ``weekday``, ``whole``, ``range``."""
    ends: "tuple[When, When] | None" = None
    """For a range: its first and its last time."""


def find_whens(text: str, timeline: Timeline, claims: Sequence[Claim] = ()) -> tuple[When, ...]:
    """All times named in the text, in order; two that are joined are one range.

    What only the claims know as a time counts too: a quarter, a date in Chinese.
    """
    found: list[When] = []
    for match in MENTION.finditer(text):
        stretches = _resolve(match, timeline, found)
        if stretches is None:
            continue
        when = When(match.start(), match.end(), stretches, _plain(match))
        _append(found, when, text)
    found += [
        When(claim.start, claim.end, tuple((days.start, days.end) for days in claim.days), "period")
        for claim in claims
        if claim.days and not any(w.start < claim.end and claim.start < w.end for w in found)
    ]
    found.sort(key=lambda when: when.start)
    return tuple(_since(when, text, timeline) for when in found)


def _since(when: When, text: str, timeline: Timeline) -> When:
    """``since May`` is from then to the end of the timeline."""
    if when.ends or not SINCE.search(text[max(0, when.start - len("since the ")) : when.start]):
        return when
    last = timeline.last.date()
    return replace(
        when, stretches=tuple((begin, last) for begin, _ in when.stretches if begin <= last)
    )


def _plain(match: re.Match[str]) -> str:
    for name in ("iso_month", "iso", "decade", "weekday", "whole", "next"):
        if match[name]:
            return name
    if match["nth"] or match["nth2"] or match["firsts"]:
        return "nth"
    if match["day"] or match["day2"]:
        return "day"
    return "year" if match["year4"] else "month"


def _append(found: list[When], when: When, text: str) -> None:
    """Add the time, joined with the one before it where the text makes the two one."""
    before = found[-1] if found else None
    gap = text[before.end : when.start] if before else ""
    if before is None or len(gap) > _WIDEST_GAP:
        found.append(when)
    elif before.kind == "weekday" and when.kind in ("day", "iso") and BESIDE.fullmatch(gap):
        found[-1] = replace(when, start=before.start)
    elif "whole" not in (before.kind, when.kind) and _joins(gap, text[: before.start]):
        found[-1] = _joined(before, when)
        return
    else:
        found.append(when)
    _add_further_days(found, text)


def _joins(gap: str, ahead: str) -> bool:
    """True for "to", and for "and" where "between" stands ahead."""
    return bool(JOINED.fullmatch(gap) or (AND.fullmatch(gap) and BETWEEN.search(ahead)))


def _joined(before: When, when: When) -> When:
    """The range from the first time to the second, in the same year where only one says which."""
    ranges = tuple(
        (begin, end) for begin, _ in before.stretches for _, end in when.stretches if begin <= end
    )
    nearest = min(ranges, key=lambda each: each[1] - each[0], default=None)
    if len(before.stretches) > 1 and nearest is not None:
        ranges = (nearest,)
    return When(before.start, when.end, ranges, "range", (before, when))


def _add_further_days(found: list[When], text: str) -> None:
    """``January 7th and 8th``: days that share the month named before them."""
    when = found[-1]
    if when.kind != "day":
        return
    at, stretches = when.end, when.stretches
    while further := FURTHER_DAY.match(text, at):
        more = [_same_month(begin, int(further[1])) for begin, _ in when.stretches]
        extra = tuple((day, day) for day in more if day)
        if further[0].strip().startswith(("-", "–", "to", "bis")):
            extra = tuple(
                (begin, day) for (begin, _), (day, _) in zip(stretches, extra, strict=False)
            )
        stretches = stretches + extra
        at = further.end()
    if at > when.end:
        found[-1] = replace(when, end=at, stretches=stretches)


def _same_month(day: date, number: int) -> date | None:
    try:
        return day.replace(day=number)
    except ValueError:
        return None


def _resolve(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    for name, reader in _READERS.items():
        if match[name]:
            return reader(match, timeline, found)
    return None


def _iso(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    try:
        day = date.fromisoformat(match["iso"])
    except ValueError:
        return None
    return ((day, day),)


def _iso_month(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    year, month = map(int, match["iso_month"].split("-"))
    return (days_of_month(year, month),) if 1 <= month <= len("JFMAMJJASOND") else None


def _month_day(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    month = MONTHS[(match["month"] or match["month2"]).casefold()]
    number = int(match["day"] or match["day2"])
    year = match["year"] or match["year2"]
    days: list[Stretch] = []
    for each in (int(year),) if year else _years(timeline):
        try:
            day = date(each, month, number)
        except ValueError:
            continue
        days.append((day, day))
    return tuple(days) or None


def _whole_month(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    month = MONTHS[(match["month3"] or match["month4"]).casefold()]
    years = (int(match["year3"]),) if match["year3"] else _years(timeline)
    return tuple(_part_of_month(days_of_month(year, month), match["part"]) for year in years)


def _years(timeline: Timeline) -> tuple[int, ...]:
    return tuple(range(timeline.first.year, timeline.last.year + 1))


def _part_of_month(month: Stretch, part: str | None) -> Stretch:
    begin, end = month
    match _part(part):
        case "early":
            return begin, begin.replace(day=_EARLY)
        case "mid":
            return begin.replace(day=_MID_MONTH[0]), begin.replace(day=_MID_MONTH[1])
        case "late":
            return begin.replace(day=_LATE), end
        case _:
            return month


def _part(text: str | None) -> str:
    folded = (text or "").casefold()
    if re.search("early|beginning|start|anfang", folded):
        return "early"
    if re.search("mid|mitte", folded):
        return "mid"
    return "late" if re.search("late|end", folded) else ""


def _year(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    year = int(match["year4"])
    first, last = {
        "early": _EARLY_MONTHS,
        "mid": _MID_MONTHS,
        "late": _LATE_MONTHS,
    }.get(_part(match["part"]), (1, 12))
    if timeline.grain == "year":
        first, last = 1, 12
    return ((date(year, first, 1), days_of_month(year, last)[1]),)


def _decade(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    year = int(match["decade"])
    return ((date(year, 1, 1), date(year + 9, 12, 31)),)


def _weekday(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    number = WEEKDAYS[match["weekday"].casefold().removesuffix("s")]
    return tuple((day, day) for day in timeline.days if day.weekday() == number)


def _nth(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    word = (match["nth"] or match["nth2"]).casefold()
    days = timeline.days
    if word in ("final", "last"):
        return ((days[-1], days[-1]),)
    number = int(word) if word.isdigit() else ORDINALS.get(word) or CARDINALS[word]
    if number > len(days):
        return ()
    return ((days[number - 1], days[number - 1]),)


def _firsts(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    word = match["firsts"].casefold()
    number = int(word) if word.isdigit() else CARDINALS[word]
    days = timeline.days
    return ((days[0], days[min(number, len(days)) - 1]),)


def _next(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    before = next((when for when in reversed(found) if when.kind != "whole"), None)
    if before is None:
        return None
    return tuple((end + timedelta(1), end + timedelta(1)) for _, end in before.stretches)


def _whole(match: re.Match[str], timeline: Timeline, found: list[When]) -> Stretches | None:
    return ((timeline.first.date(), timeline.last.date()),)


_Reader = Callable[[re.Match[str], Timeline, list[When]], Stretches | None]
_READERS: Mapping[str, _Reader] = {
    "iso": _iso,
    "iso_month": _iso_month,
    "day": _month_day,
    "day2": _month_day,
    "month3": _whole_month,
    "month4": _whole_month,
    "decade": _decade,
    "year4": _year,
    "weekday": _weekday,
    "nth": _nth,
    "nth2": _nth,
    "firsts": _firsts,
    "next": _next,
    "whole": _whole,
}
