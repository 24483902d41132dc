"""Which times hold for which days, in each way that a sentence can be read."""

import re
from collections.abc import Iterator

from veridical.gate.records.clock import Hours
from veridical.gate.records.weekday import ALL_DAYS, DaySet
from veridical.gate.records.word_lists import alternatives
from veridical.late_pattern import late_pattern

Pair = tuple[DaySet | None, Hours | None]

_JOINED = late_pattern(rf"[\s*]*(?:{alternatives('joined_days')})[\s*]*", re.IGNORECASE)
_NARROWED = late_pattern(rf"[\s,(]*(?:{alternatives('narrowing')})?\s*", re.IGNORECASE)
_NEAR = 14
_BESIDE = late_pattern(rf"[\s:*–-]*(?:{alternatives('being_closed')})?\s*", re.IGNORECASE)


def pairings(sentence: str, days: list[DaySet], spans: list[Hours]) -> Iterator[list[Pair]]:
    """Every reading: times named after their days, before them, or next to them."""
    yield _days_first(days, spans)
    if days and len(spans) > 1:
        yield _times_first(days, spans)
        yield _nearest(sentence, days, spans)
    elif days and spans:
        yield [(day, spans[0]) for day in days]


def narrowed(sentence: str, days: list[DaySet]) -> list[DaySet]:
    """Without a *daily* that is told in full right behind: daily from Tuesday to Sunday."""
    return [
        day
        for day in days
        if day.days != ALL_DAYS
        or not any(
            other.start >= day.end
            and len(other.days) > 1
            and _NARROWED.fullmatch(sentence[day.end : other.start])
            for other in days
        )
    ]


def marked(sentence: str, days: list[DaySet], mark: re.Pattern[str]) -> list[DaySet]:
    """The days that a word like *closed* stands with: those behind it, otherwise the one before."""
    found: list[DaySet] = []
    for match in mark.finditer(sentence):
        after = next((day for day in days if 0 <= day.start - match.end() <= _NEAR), None)
        before = [day for day in days if 0 <= match.start() - day.end <= _NEAR + _NEAR]
        beside = bool(before) and _BESIDE.fullmatch(sentence[before[-1].end : match.start()])
        if after is not None and not beside:
            found += _chain(sentence, after, days)
        else:
            found += before[-1:]
    return found


def _chain(sentence: str, first: DaySet, days: list[DaySet]) -> list[DaySet]:
    """A day and those that are joined to it by commas or *and*."""
    chain = [first]
    for day in days:
        if day.start > chain[-1].end and _JOINED.fullmatch(sentence[chain[-1].end : day.start]):
            chain.append(day)
    return chain


def _days_first(days: list[DaySet], spans: list[Hours]) -> list[Pair]:
    free = list(days)
    pairs: list[Pair] = []
    for number, span in enumerate(spans):
        taken = [day for day in free if day.end <= span.start]
        if not taken:
            later = spans[number + 1].start if number + 1 < len(spans) else None
            taken = [day for day in free if later is None or day.end <= later]
        free = [day for day in free if day not in taken]
        pairs += [(day, span) for day in taken] or [(None, span)]
    return pairs + [(day, None) for day in free]


def _times_first(days: list[DaySet], spans: list[Hours]) -> list[Pair]:
    pairs: list[Pair] = [(day, None) for day in days if day.end <= spans[0].start]
    for number, span in enumerate(spans):
        later = spans[number + 1].start if number + 1 < len(spans) else None
        taken = [day for day in days if span.end <= day.start and (not later or day.end <= later)]
        pairs += [(day, span) for day in taken] or [(None, span)]
    return pairs


def _nearest(sentence: str, days: list[DaySet], spans: list[Hours]) -> list[Pair]:
    pairs: list[Pair] = []
    taken: list[DaySet] = []
    for day in days:
        if day in taken:
            continue
        chain = _chain(sentence, day, days)
        taken += chain
        span = min(spans, key=lambda one: max(one.start - chain[-1].end, chain[0].start - one.end))
        pairs += [(each, span) for each in chain]
    used = [span for _, span in pairs]
    return pairs + [(None, span) for span in spans if span not in used]
