"""What a sentence says about opening hours, held against the record's week."""

import re
from collections.abc import Iterator
from statistics import median

from veridical.contracts.proof import Standing
from veridical.gate.facts.clock import Hours, find_hours
from veridical.gate.facts.held import Held
from veridical.gate.facts.hours import Week
from veridical.gate.facts.passage import Passages
from veridical.gate.facts.weekday import ALL_DAYS, DaySet, find_days
from veridical.gate.facts.word import roots

_OPEN = re.compile(
    r"\b(?:open(?:s|ing)?|operat\w+|hours?|close[sd]?|closing|geöffnet|öffnet|öffnungszeiten"
    r"|schlie(?:ß|ss)t|geschlossen|service times?)\b|营业|开放|开门|关门",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\b(?:closed|geschlossen|ruhetag)\b|休息|不营业", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:except(?:ions?)?(?: for| on)?|excluding|other than|außer|ausser)\b|除", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"\b(?:vary|varies|varying|rang(?:e|es|ing))\b[^.,]*\b(?:between|from)\b", re.IGNORECASE
)
_JOINED = re.compile(r"\s*(?:,|and|und|or|&|和|、|, and)\s*", re.IGNORECASE)
_ON = re.compile(r"[\s,]*(?:on|from|during|every|am|an|von)?\s*(?:the\s+)?", re.IGNORECASE)
_NEAR = 14
_LOOSE_ENOUGH = 2
_ELSEWHERE = re.compile(
    r"\b(?:happy hour|rush hour|delivery hours|wait\w*|waited|hours? away)\b", re.I
)
_LONGER = re.compile(
    r"\b(?:extended|longer|later|verlängerte\w*|längere?\w*) "
    r"(?:opening |operating |closing )?(?:hours|times|öffnungszeiten)\b",
    re.IGNORECASE,
)
_VARIES = re.compile(
    r"\b(?:hours?|times?)\b[^.]{0,30}\bvar(?:y|ies|ied|ying)\b|\bvarying\b[^.]{0,20}\b(?:hours|times)\b"
    r"|\bdifferent (?:hours|times)\b|unterschiedliche\w* öffnungszeiten",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?P<count>five|six|5|6|fünf|sechs) (?:days|tage) (?:a|per|die|pro|the) (?:week|woche)", re.I
)
_COUNTS = {"five": 5, "six": 6, "5": 5, "6": 6, "fünf": 5, "sechs": 6}
_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


Pair = tuple[DaySet | None, Hours | None]


def held_hours(sentence: str, week: Week, passages: Passages) -> Iterator[Held]:
    """Each statement of the sentence about opening hours, offsets within the sentence."""
    if not _OPEN.search(sentence) or _ELSEWHERE.search(sentence):
        return
    days = list(find_days(sentence))
    spans = list(find_hours(sentence))
    if week.known:
        yield from _held_manner(sentence, week)
    if not days and not spans:
        return
    if not week.known:
        yield _whole(sentence, [*days, *spans], week, passages)
        return
    shut = _marked(sentence, days, _CLOSED)
    excepted = _marked(sentence, days, _EXCEPT)
    pairs = _paired(sentence, [day for day in days if day not in shut], spans)
    pairs = [pair for pair in pairs if pair[1] is not None or pair[0] not in excepted]
    for one in shut:
        yield from _held_closed(one, week)
    for said, span in pairs:
        away = frozenset[int]().union(
            *(one.days for one in (*shut, *excepted) if one is not said),
            *(one.days for one in days if said is not None and one.days < said.days),
        )
        if span is not None and None not in (span.opens, span.closes) and _BETWEEN.search(sentence):
            yield _held_range(span, week)
        else:
            yield _held_span(said, span, away, week)


def _marked(sentence: str, days: list[DaySet], mark: re.Pattern[str]) -> list[DaySet]:
    """The days that a word like *closed* stands with: those behind it, otherwise the one before."""
    found: list[DaySet] = []
    for match in mark.finditer(sentence):
        after = next((day for day in days if 0 <= day.start - match.end() <= _NEAR), None)
        if after is not None:
            found += _chain(sentence, after, days)
        else:
            before = [day for day in days if 0 <= match.start() - day.end <= _NEAR]
            found += before[-1:]
    return found


def _chain(sentence: str, first: DaySet, days: list[DaySet]) -> list[DaySet]:
    """A day and those that are joined to it by commas or *and*."""
    chain = [first]
    for day in days:
        joined = sentence[chain[-1].end : max(day.start, chain[-1].end)]
        if day.start > chain[-1].end and _JOINED.fullmatch(joined):
            chain.append(day)
    return chain


def _paired(sentence: str, days: list[DaySet], spans: list[Hours]) -> list[Pair]:
    """Times with the days they hold for: named right before them, or behind them."""
    before_first = bool(days and spans) and days[0].start < spans[0].start
    if before_first and not all(_on_behind(sentence, span, days) for span in spans):
        return _taken_before(days, spans)
    return _taken_behind(days, spans)


def _on_behind(sentence: str, span: Hours, days: list[DaySet]) -> bool:
    behind = next((day for day in days if day.start >= span.end), None)
    return behind is not None and _ON.fullmatch(sentence[span.end : behind.start]) is not None


def _taken_before(days: list[DaySet], spans: list[Hours]) -> list[Pair]:
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


def _taken_behind(days: list[DaySet], spans: list[Hours]) -> list[Pair]:
    pairs: list[Pair] = [(day, None) for day in days if not spans or day.end <= spans[0].start]
    kept: list[DaySet] = []
    for number, span in enumerate(spans):
        later = spans[number + 1].start if number + 1 < len(spans) else None
        taken = [
            day for day in days if day.start >= span.end and (later is None or day.end <= later)
        ]
        last_has_none = number + 2 == len(spans) and not any(d.start > (later or 0) for d in days)
        kept, taken = (
            (kept, taken) if not (last_has_none and len(taken) > 1) else (taken[-1:], taken[:-1])
        )
        if number + 1 == len(spans) and not taken:
            taken = kept
        pairs += [(day, span) for day in taken] or [(None, span)]
    return pairs


def _held_span(said: DaySet | None, span: Hours | None, away: frozenset[int], week: Week) -> Held:
    start = min(item.start for item in (said, span) if item is not None)
    end = max(item.end for item in (said, span) if item is not None)
    days = said.days - away if said is not None else week.open_days - away
    wrong = [day for day in sorted(days) if not _fits(day, span, week)]
    if said is None and span is not None and len(wrong) < len(days):
        wrong = []
    if said is not None and said.loose and len(wrong) < _LOOSE_ENOUGH:
        wrong = []
    if not wrong:
        return Held(start, end, Standing.GROUNDED, week.key)
    missing = all(day not in week.days for day in wrong)
    standing = Standing.UNGROUNDED if missing else Standing.CONTRADICTED
    return Held(start, end, standing, _says(wrong, week))


def _held_range(span: Hours, week: Week) -> Held:
    """Hours that range from one time to another over the week."""
    known = [one for day in week.open_days for one in week.days[day]]
    opens = any(span.opens in (one.opens, one.closes) for one in known)
    closes = any(span.closes == one.closes for one in known)
    standing = Standing.GROUNDED if opens and closes else Standing.CONTRADICTED
    return Held(span.start, span.end, standing, _says(sorted(week.open_days), week))


def _fits(day: int, span: Hours | None, week: Week) -> bool:
    known = week.days.get(day, ())
    return bool(known) and (span is None or any(span.agrees(one) for one in known))


def _held_closed(shut: DaySet, week: Week) -> Iterator[Held]:
    wrong = [day for day in sorted(shut.days) if week.days.get(day)]
    standing = Standing.CONTRADICTED if wrong else Standing.GROUNDED
    yield Held(shut.start, shut.end, standing, _says(wrong or sorted(shut.days), week))


def _held_manner(sentence: str, week: Week) -> Iterator[Held]:
    """Longer at weekends, different from day to day, six days a week."""
    longer = _LONGER.search(sentence)
    meant = frozenset[int]().union(
        *(one.days for one in find_days(sentence) if longer and one.start >= longer.end())
    )
    if longer and meant and meant != ALL_DAYS:
        lengths = {day: max(span.length for span in week.days[day]) for day in week.open_days}
        named = [length for day, length in lengths.items() if day in meant]
        others = [length for day, length in lengths.items() if day not in meant]
        if not named or (others and max(named) <= median(others)):
            yield Held(*longer.span(), Standing.CONTRADICTED, _says(sorted(ALL_DAYS), week))
    varies = _VARIES.search(sentence)
    if varies and len({week.days[day] for day in week.open_days}) == 1:
        yield Held(*varies.span(), Standing.CONTRADICTED, _says(sorted(week.open_days), week))
    count = _COUNT.search(sentence)
    if count and _COUNTS[count["count"].casefold()] != len(week.open_days):
        yield Held(*count.span(), Standing.CONTRADICTED, _says(sorted(week.open_days), week))


def _whole(sentence: str, said: list[DaySet | Hours], week: Week, passages: Passages) -> Held:
    """Hours where the record has none; its texts may still tell them."""
    start, end = min(one.start for one in said), max(one.end for one in said)
    told = all(word in passages.roots for word in roots(sentence[start:end]))
    standing = Standing.GROUNDED if told else Standing.UNGROUNDED
    return Held(start, end, standing, f"{week.key}: null")


def _says(days: list[int], week: Week) -> str:
    return f"{week.key}: " + ", ".join(
        f"{_NAMES[day]} {week.said.get(day, 'null')}" for day in days
    )
