"""What a sentence says about opening hours, held against the record's week."""

import re
from collections.abc import Iterator
from functools import lru_cache
from statistics import median

from veridical.contracts.proof import Standing
from veridical.gate.records.clock import ROUND_THE_CLOCK, Hours, find_hours
from veridical.gate.records.held import Held
from veridical.gate.records.hours import Week
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.pairing import Pair, marked, narrowed, pairings
from veridical.gate.records.passage import Passages
from veridical.gate.records.weekday import ALL_DAYS, WEEKEND, DaySet, find_days
from veridical.gate.records.word import roots
from veridical.gate.records.word_lists import expression, word_list, word_set, word_values

_OPEN = expression("about_hours")
_CLOSED = expression("closed")
_VAGUE = expression("vague_hours")
_EXCEPT = expression("except")
_RANGES = expression("ranging_hours")
_LONGER = expression("longer_hours")
_VARIES = expression("varying_hours")
_COUNT = expression("days_a_week")
_COUNTS = word_values("counted_days")
_DIFFERS = expression("differing_hours")
_DIFFERS_REACH = 45
_ABOUT = expression("about")
_LATE = expression("open_late")
_LATE_WORDS = word_set("late")
_NEXT = 16
_LATE_FROM = 22 * 60
_LATE_TO = 6 * 60
_NAMES = word_list("day_labels")
_NAMED_TIMES = word_set("named_time_roots")
_LOOSE_ENOUGH = 2
_LABEL = 6
"""How far into a line the day may stand for the line to be a row of a table of hours."""


def held_hours(
    sentence: str, week: Week, passages: Passages, lexicon: RecordLexicon
) -> Iterator[Held]:
    """Each statement of the sentence about opening hours, offsets within the sentence."""
    spans = find_hours(sentence)
    told = [span for span in spans if not span.of_ends]
    elsewhere = _other_hours(lexicon).search(sentence) is not None
    held = [] if elsewhere else list(_held_all(sentence, told, week, passages))
    yield from held
    for span in spans:
        if not any(one.start < span.end and span.start < one.end for one in held):
            yield from _held_ends(span, week, passages)


@lru_cache(maxsize=16)
def _other_hours(lexicon: RecordLexicon) -> re.Pattern[str]:
    """Times that are no opening hours: a rush hour, a wait, what a domain has besides."""
    return expression("other_hours", *lexicon.other_hours)


def _held_ends(span: Hours, week: Week, passages: Passages) -> Iterator[Held]:
    """A time that no day could be told for: borne out where the record has it at all."""
    also = () if span.also_opens is None else (span.also_opens,)
    known = week.ends | passages.minutes
    if all(time in known for time in span.ends) or any(time in known for time in also):
        yield Held(span.start, span.end, _FINE, week.key)


def _held_all(sentence: str, spans: list[Hours], week: Week, passages: Passages) -> Iterator[Held]:
    days = narrowed(sentence, list(find_days(sentence)))
    row = bool(days and spans) and days[0].start <= _LABEL
    if not (_OPEN.search(sentence) or row):
        return
    if not week.known:
        yield from _held_unknown(sentence, [*days, *spans], week, passages)
        return
    yield from _held_manner(sentence, week)
    yield from _held_week(sentence, days, spans, week)


def _held_week(sentence: str, days: list[DaySet], spans: list[Hours], week: Week) -> Iterator[Held]:
    """The reading of days and times that fits best; only what no reading bears out is wrong."""
    shut = marked(sentence, days, _CLOSED)
    for one in shut:
        yield _held_closed(one, week)
    excepted = marked(sentence, days, _EXCEPT)
    silent = [day for day in excepted if not any(span.start >= day.end for span in spans)]
    spoken = [day for day in days if day not in shut and day not in silent]
    if (not spoken and (shut or not spans)) or (spans and _VAGUE.search(sentence)):
        return
    adjusted = _adjusted(sentence, spoken)
    away = frozenset[int]().union(*(one.days for one in (*shut, *excepted, *adjusted)))
    about = _ABOUT.search(sentence) is not None
    ranging = _RANGES.search(sentence) is not None
    readings = [
        [
            _held_pair(pair, pairs, away, week, ranging=ranging, about=about)
            for pair in pairs
            if pair[0] not in (*adjusted, *excepted) or _is_own(pair, sentence)
        ]
        for pairs in pairings(sentence, spoken, spans)
    ]
    yield from min(readings, key=lambda held: sum(one.standing is not _FINE for one in held))


_FINE = Standing.GROUNDED


def _held_pair(
    pair: Pair,
    pairs: list[Pair],
    away: frozenset[int],
    week: Week,
    *,
    ranging: bool,
    about: bool,
) -> Held:
    said, span = pair
    start = min(item.start for item in pair if item is not None)
    end = max(item.end for item in pair if item is not None)
    if ranging and span is not None and not span.alone and None not in (span.opens, span.closes):
        return _held_range(span, week)
    own = said.days if said is not None and said.days <= away else frozenset[int]()
    days = (said.days if said is not None else week.open_days) - away | own
    if span is not None and None in (span.opens, span.closes):
        days &= week.open_days
    others = [one for one in pairs if one is not pair and one[0] is not None]
    wrong = [
        day
        for day in sorted(days)
        if not _fits(day, span, week) and not any(_told(day, *one, week) for one in others)
    ]
    if _is_fine(said, span, wrong, days) or (about and len(wrong) * 2 <= len(days)):
        return Held(start, end, _FINE, week.key)
    missing = all(day not in week.days for day in wrong)
    standing = Standing.UNGROUNDED if missing else Standing.CONTRADICTED
    return Held(start, end, standing, _says(wrong, week))


def _is_fine(
    said: DaySet | None, span: Hours | None, wrong: list[int], days: frozenset[int]
) -> bool:
    if said is None:
        some_fit = len(wrong) < len(days)
        return some_fit or (span is not None and (span.alone or span.agrees(ROUND_THE_CLOCK)))
    return len(wrong) < (_LOOSE_ENOUGH if said.loose else 1)


def _fits(day: int, span: Hours | None, week: Week) -> bool:
    known = week.days.get(day, ())
    if not known and span is not None and span.agrees(ROUND_THE_CLOCK) and not span.alone:
        return day in week.days  # a closed day, written as the record writes it
    return bool(known) and (span is None or any(span.agrees(one) for one in known))


def _told(day: int, said: DaySet | None, span: Hours | None, week: Week) -> bool:
    """Whether the sentence says the right hours for this day elsewhere."""
    if said is None or span is None:
        return False
    days = said.days | {4} if said.days == WEEKEND else said.days
    return day in days and _fits(day, span, week)


def _adjusted(sentence: str, days: list[DaySet]) -> list[DaySet]:
    """The days that are said to differ: *with extended hours on Fridays*."""
    marks = [match.end() for match in _DIFFERS.finditer(sentence)]
    return [
        day
        for day in days
        if day.days != ALL_DAYS and any(0 <= day.start - mark <= _DIFFERS_REACH for mark in marks)
    ]


def _is_own(pair: Pair, sentence: str) -> bool:
    """Whether the time of a day that differs is its own: named behind the word that says so."""
    _, span = pair
    return span is not None and any(
        match.end() <= span.start
        for mark in (_DIFFERS, _EXCEPT)
        for match in mark.finditer(sentence)
    )


def _held_range(span: Hours, week: Week) -> Held:
    """Hours that range from one time to another over the week."""
    known = [one for day in week.open_days for one in week.days[day]]
    opens = any(span.opens in (one.opens, one.closes) for one in known)
    closes = any(span.closes == one.closes for one in known)
    standing = _FINE if opens and closes else Standing.CONTRADICTED
    return Held(span.start, span.end, standing, _says(sorted(week.open_days), week))


def _held_closed(shut: DaySet, week: Week) -> Held:
    wrong = [day for day in sorted(shut.days) if week.days.get(day)]
    standing = Standing.CONTRADICTED if wrong else _FINE
    return Held(shut.start, shut.end, standing, _says(wrong or sorted(shut.days), week))


def _held_manner(sentence: str, week: Week) -> Iterator[Held]:
    """Longer at weekends, different from day to day, six days a week, open late."""
    open_days = sorted(week.open_days)
    spans = [week.days[day] for day in open_days]
    for pattern, holds in (
        (_LONGER, _is_longer(sentence, week)),
        (_VARIES, len(set(spans)) != 1),
        (_COUNT, _counts(sentence, len(open_days))),
        (_LATE, any(_is_late(one) for known in spans for one in known)),
    ):
        match = pattern.search(sentence)
        if match and not holds:
            yield Held(*match.span(), Standing.CONTRADICTED, _says(open_days, week))


def _is_longer(sentence: str, week: Week) -> bool:
    longer = _LONGER.search(sentence)
    meant = frozenset[int]().union(
        *(
            one.days
            for one in find_days(sentence)
            if longer and 0 <= one.start - longer.end() <= _NEXT
        )
    )
    lengths = {day: max(span.length for span in week.days[day]) for day in week.open_days}
    named = [length for day, length in lengths.items() if day in meant]
    others = [length for day, length in lengths.items() if day not in meant]
    if not meant or meant == ALL_DAYS or not others:
        return True
    return bool(named) and max(named) > median(others)


def _counts(sentence: str, open_days: int) -> bool:
    count = _COUNT.search(sentence)
    return count is None or _COUNTS[count["count"].casefold()] == open_days


def _is_late(span: Hours) -> bool:
    return span.closes is not None and (span.closes >= _LATE_FROM or span.closes <= _LATE_TO)


def _held_unknown(
    sentence: str, said: list[DaySet | Hours], week: Week, passages: Passages
) -> Iterator[Held]:
    """Hours where the record has none; its texts may still tell them."""
    late = _LATE.search(sentence)
    if late and passages.forms.isdisjoint(_LATE_WORDS):
        yield Held(*late.span(), Standing.UNGROUNDED, f"{week.key}: null")
    if not said:
        return
    start, end = min(one.start for one in said), max(one.end for one in said)
    times = [word for span in said if isinstance(span, Hours) for word in _figures(sentence, span)]
    told = (
        any(word in passages.roots for word in times)
        if times
        else _day_told(sentence, said, passages)
    )
    yield Held(start, end, _FINE if told else Standing.UNGROUNDED, f"{week.key}: null")


def _figures(sentence: str, span: Hours) -> Iterator[str]:
    for word in roots(sentence[span.start : span.end]):
        if word[0].isdigit() or word in _NAMED_TIMES:
            yield word


def _day_told(sentence: str, said: list[DaySet | Hours], passages: Passages) -> bool:
    return any(
        word in passages.roots for one in said for word in roots(sentence[one.start : one.end])
    )


def _says(days: list[int], week: Week) -> str:
    return f"{week.key}: " + ", ".join(
        f"{_NAMES[day]} {week.said.get(day, 'null')}" for day in days
    )
