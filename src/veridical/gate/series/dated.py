"""Times told of a timeline: within it, its real span, and the day that a value belongs to."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Role
from veridical.gate.evidence.measured import named_columns
from veridical.gate.evidence.sheet import Place
from veridical.gate.evidence.timeline import Timeline
from veridical.gate.series.extent import Extent, ExtentWords, extent_of
from veridical.gate.series.told import Told
from veridical.gate.series.when import When
from veridical.gate.series.when_words import WEEKDAYS
from veridical.late_pattern import late_pattern

_ABOUT_THE_DATA = late_pattern(
    r"\b(?:chart|graph|plot|figure|data|dataset|series|table|display\w*|depict\w*|illustrat\w*|"
    r"span\w*|cover\w*|grafik|diagramm|daten|zeitreihe)\b|图表|数据",
    re.IGNORECASE,
)
_SENTENCE_START = late_pattern(r"[.!?]\s|\n")
_MOVES = late_pattern(
    r"\b(?:increas|decreas|ris|rose|declin|drop|fell|fall|peak|grow|grew|remain|jump|spike|surge)\w*",
    re.IGNORECASE,
)
_PAUSE = late_pattern(r"[.!?,;]\s|\n|\b(?:and|while|but|und|aber)\b|\d(?:st|nd|rd|th)?\b")
_ONE_OF_SEVERAL = late_pattern(
    r"\b(?:another|new|second|third|further|local|smaller|minor|weit\w+|peaks)\b", re.IGNORECASE
)
_NAMED = frozenset({"iso", "iso_month", "day", "month", "year", "decade", "period"})


def bind_dates(
    claims: Sequence[Claim],
    text: str,
    timeline: Timeline,
    whens: Sequence[When],
    told: Sequence[Told],
    bounds: Mapping[int, Bound],
    words: ExtentWords,
) -> dict[int, Bound]:
    """How the claims stand that name a time of the timeline."""
    found: dict[int, Bound] = {}
    for when in whens:
        for place, part in enumerate(when.ends or (when,)):
            if part.kind not in _NAMED:
                continue
            edge = place if when.ends and _tells_span(text, when.start) else None
            standing, row = _standing(part, timeline, edge)
            if standing is Standing.GROUNDED and not when.ends:
                against = _row_against(when, text, timeline, told, bounds, words)
                if against is not None:
                    standing, row = Standing.CONTRADICTED, against
            for index, claim in enumerate(claims):
                stated = claim.role is Role.STATED
                if stated and part.start < claim.end and claim.start < part.end:
                    found[index] = _bound(claim, standing, timeline, row)
    return found


def _row_against(
    when: When,
    text: str,
    timeline: Timeline,
    told: Sequence[Told],
    bounds: Mapping[int, Bound],
    words: ExtentWords,
) -> int | None:
    """The row that speaks against a time: its weekday, its values, the extreme told of it."""
    rows = timeline.rows_on(when.stretches)
    if rows and _wrong_weekday(text[when.start : when.end], when):
        return rows[0]
    misdated = _misdated(when, told, bounds)
    if misdated is not None or any(each.when is when and not each.carried for each in told):
        return misdated
    return _missed_extreme(when, text, timeline, rows, told, words)


def _wrong_weekday(said: str, when: When) -> bool:
    number = WEEKDAYS.get(said.split(",")[0].split(" ")[0].casefold())
    return number is not None and all(begin.weekday() != number for begin, _ in when.stretches)


def _missed_extreme(
    when: When,
    text: str,
    timeline: Timeline,
    rows: Sequence[int],
    told: Sequence[Told],
    words: ExtentWords,
) -> int | None:
    """The row of the lowest or highest value, where that is said to lie in another time."""
    begin = max((match.end() for match in _PAUSE.finditer(text, 0, when.start)), default=0)
    phrase = text[begin : when.start]
    extent = extent_of(phrase, "", words)
    if extent not in (Extent.LOW, Extent.HIGH) or _ONE_OF_SEVERAL.search(phrase):
        return None
    if any(each.claim.start >= begin and each.claim.end <= when.start for each in told):
        return None
    columns = timeline.measures
    named = named_columns(columns, phrase, "") or (columns if len(columns) == 1 else ())
    extremes: list[int] = []
    for column in named:
        track = timeline.track(column.column)
        best = track.by_value[0 if extent is Extent.LOW else -1][0]
        extremes += [row for _, row, _ in track.around(best, 0.0)]
    if not extremes or set(extremes) & set(rows):
        return None
    return extremes[0]


def _tells_span(text: str, at: int) -> bool:
    """True where the sentence says what the data cover, not how they moved."""
    begin = max((match.end() for match in _SENTENCE_START.finditer(text, 0, at)), default=0)
    opening = text[begin:at]
    return bool(_ABOUT_THE_DATA.search(opening)) and not _MOVES.search(opening)


def _standing(part: When, timeline: Timeline, edge: int | None) -> tuple[Standing, int]:
    first, last = timeline.first.date(), timeline.last.date()
    if edge is not None:
        real = (first, last)[edge]
        row = _row(timeline, real)
        meets = any(begin <= real <= end for begin, end in part.stretches)
        return (Standing.GROUNDED if meets else Standing.CONTRADICTED), row
    rows = timeline.rows_on(part.stretches)
    if rows:
        return Standing.GROUNDED, rows[0]
    inside = any(begin <= last and end >= first for begin, end in part.stretches)
    early = all(end < first for _, end in part.stretches)
    nearest = _row(timeline, first if early else last)
    return (Standing.GROUNDED if inside else Standing.UNGROUNDED), nearest


def _row(timeline: Timeline, day: date) -> int:
    return timeline.rows_on([(day, day)])[0]


def _misdated(when: When, told: Sequence[Told], bounds: Mapping[int, Bound]) -> int | None:
    """The row that speaks against a day under which no value is right."""
    under = [
        bounds[each.index]
        for each in told
        if each.when is when and not each.carried and each.index in bounds
    ]
    if not under or any(bound.standing is Standing.GROUNDED for bound in under):
        return None
    return next((bound.place.row for bound in under if bound.place), None)


def _bound(claim: Claim, standing: Standing, timeline: Timeline, row: int) -> Bound:
    place = Place(timeline.sheet, row, timeline.column)
    ground = Ground.CELL if standing is Standing.GROUNDED else None
    return Bound(claim, standing, ground, place)
