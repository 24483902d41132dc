"""Times of day and spans between two of them, in minutes after midnight."""

import re
from dataclasses import dataclass, replace

from veridical.contracts.input_budget import keep_time
from veridical.gate.records.word_lists import alternatives, expression, word_set, word_values
from veridical.late_pattern import late_pattern

DAY = 24 * 60

_NOON = 12

_PART_OF_DAY, _HALF, _AT_NOON = map(alternatives, ("day_parts", "half_days", "noon"))
_TIME = (
    rf"(?:(?P<{{0}}before>{_PART_OF_DAY})\s*)?"
    r"(?:(?P<{0}hour>\d{{1,2}})(?:[:.点时h](?P<{0}minute>\d{{1,2}}))?\s*"
    rf"(?P<{{0}}half>{_HALF})?(?:\s*(?:{_AT_NOON}))?"
    rf"|(?P<{{0}}word>{alternatives('named_times')}))"
)
_TO = rf"\s*(?:{alternatives('from_to')})\s*"
_SPAN = late_pattern(_TIME.format("a") + _TO + _TIME.format("b"), re.IGNORECASE)
_END = late_pattern(
    rf"(?P<side>{alternatives('until')})\s*(?:{alternatives('around')})?" + _TIME.format("a"),
    re.IGNORECASE,
)
_BEGIN = late_pattern(rf"(?P<side>{alternatives('since')})\s*" + _TIME.format("a"), re.IGNORECASE)
_ALONE = late_pattern(_TIME.format("a"), re.IGNORECASE)
_ENDS_BEFORE = expression("range_of_ends")
_MORE_BEHIND = late_pattern(rf"\s*(?:{alternatives('another_end')})\s*\d")
_ALWAYS = expression("round_the_clock")
_WORDS = word_values("named_minutes")
_AFTERNOON = word_set("afternoon")


@dataclass(frozen=True, slots=True)
class Hours:
    """From when to when; a side that is not said is none."""

    opens: int | None
    closes: int | None
    start: int = 0
    end: int = 0
    also_opens: int | None = None
    """The other reading of ``5:00-7:00 PM``: from five in the morning, or in the afternoon."""
    of_ends: bool = False
    """Between two closing times, not from opening to closing."""
    alone: bool = False
    """One time of which nobody says whether it opens or closes: both sides hold it."""

    def agrees(self, other: "Hours") -> bool:
        """Whether both say the same wherever both say something."""
        if self.alone:
            return self.opens in (other.opens, other.closes)
        opens = _same(self.opens, other.opens) or self.also_opens == other.opens
        return opens and _same(self.closes, other.closes)

    @property
    def ends(self) -> tuple[int, ...]:
        """The times that are said."""
        return tuple(time for time in (self.opens, self.closes) if time is not None)

    @property
    def length(self) -> int:
        """How long, in minutes, over midnight where need be."""
        return ((self.closes or 0) - (self.opens or 0)) % DAY


ROUND_THE_CLOCK = Hours(0, 0)


def find_hours(text: str, *, bare: bool = False) -> list[Hours]:
    """Every span of times, every opening or closing time and every time alone, in order.

    Figures alone are times only where ``bare`` says so: in a table of opening hours.
    """
    found = [Hours(0, 0, *match.span()) for match in _ALWAYS.finditer(text)]
    taken = [(hours.start, hours.end) for hours in found]
    for match in _SPAN.finditer(text):
        span = _span(match, bare=bare)
        if span is not None:
            found.append(span)
            taken.append(match.span())
    found = [replace(span, of_ends=_is_range_of_ends(text, span)) for span in found]
    for pattern in (_END, _BEGIN, _ALONE):
        for match in pattern.finditer(text):
            keep_time()
            minutes = _minutes(match, "a", bare=False)
            decimal = "." in match.group() and not match["ahalf"]
            if (
                minutes is None
                or decimal
                or any(s < match.end() and match.start() < e for s, e in taken)
            ):
                continue
            taken.append(match.span())
            opens = None if pattern is _END else minutes
            closes = None if pattern is _BEGIN else minutes
            found.append(Hours(opens, closes, *match.span(), alone=pattern is _ALONE))
    return sorted(found, key=lambda hours: hours.start)


def _is_range_of_ends(text: str, span: Hours) -> bool:
    """``closing between 8:30 and 9:30``, ``5 pm to 9:00/9:30 pm``: no span from open to close."""
    ends = _ENDS_BEFORE.search(text[: span.start]) is not None
    return ends or _MORE_BEHIND.match(text[span.end :]) is not None


def _span(match: re.Match[str], *, bare: bool) -> Hours | None:
    opens = _minutes(match, "a", bare=True)
    closes = _minutes(match, "b", bare=bare)
    if opens is None or closes is None:
        return None
    marked = any(match[f"a{part}"] for part in ("half", "word", "before"))
    later = match["bhalf"] or ""
    also = None
    if not marked and not bare and later[:1].casefold() == "p" and opens < _NOON * 60:
        also = opens + _NOON * 60
    return Hours(opens, closes, match.start(), match.end(), also)


def _minutes(match: re.Match[str], side: str, *, bare: bool) -> int | None:
    word = match[f"{side}word"]
    if word:
        return _WORDS[word.casefold()]
    hour, minute = int(match[f"{side}hour"]), int(match[f"{side}minute"] or 0)
    half = (match[f"{side}half"] or "").casefold()
    before = match[f"{side}before"] or ""
    told = half or before or match[f"{side}minute"]
    if hour > 24 or minute > 59 or not (told or bare):
        return None
    if (half.startswith("p") or before in _AFTERNOON) and hour < _NOON:
        hour += _NOON
    elif half.startswith("a") and hour == _NOON:
        hour = 0
    return (hour * 60 + minute) % DAY


def _same(first: int | None, second: int | None) -> bool:
    return first is None or second is None or first == second
