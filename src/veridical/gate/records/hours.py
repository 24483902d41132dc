"""The opening hours of a record: which days, from when to when."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from veridical.gate.records.clock import ROUND_THE_CLOCK, Hours, find_hours
from veridical.gate.records.weekday import read_day
from veridical.gate.records.word_lists import word_list, word_set

_FEWEST_DAYS = 2
_CLOSED = word_set("closed_values")
_NAMES = word_list("hours_keys")


@dataclass(frozen=True, slots=True)
class Week:
    """Each day with its spans; a closed day has none, a day that is not named is missing."""

    key: str
    days: Mapping[int, tuple[Hours, ...]]
    said: Mapping[int, str]
    """What the record writes."""

    @property
    def known(self) -> bool:
        """False where the record has the key and no hours."""
        return bool(self.days)

    @property
    def ends(self) -> frozenset[int]:
        """Every time at which it opens or closes on some day."""
        return frozenset(
            time for spans in self.days.values() for span in spans for time in span.ends
        )

    @property
    def open_days(self) -> frozenset[int]:
        """The days with hours."""
        return frozenset(day for day, spans in self.days.items() if spans)


def names_hours(key: str) -> bool:
    """Whether a key is about opening hours."""
    return any(part in key.casefold() for part in _NAMES)


def read_weeks(record: object) -> Iterator[Week]:
    """Every table of opening hours in the record, and every empty one."""
    if not isinstance(record, Mapping):
        return
    for name, value in cast("Mapping[str, Any]", record).items():
        key = str(name)
        if value is None and names_hours(key):
            yield Week(key, {}, {})
        elif isinstance(value, Mapping):
            table = cast("Mapping[str, Any]", value)
            week = _week(key, table)
            if week is None:
                yield from read_weeks(table)
            else:
                yield week


def _week(key: str, table: Mapping[str, Any]) -> Week | None:
    named = {
        day: value for name, value in table.items() if (day := read_day(str(name))) is not None
    }
    if len(named) < _FEWEST_DAYS:
        return None
    days = {day: _spans(value) for day, value in named.items()}
    empty = {day for day, spans in days.items() if spans == (ROUND_THE_CLOCK,)}
    if empty and len(empty) < len(days):
        # From midnight to midnight on one day among others with hours is how a closed day is kept.
        days = {day: () if day in empty else spans for day, spans in days.items()}
    return Week(key, days, {day: str(value) for day, value in named.items()})


def _spans(value: object) -> tuple[Hours, ...]:
    if isinstance(value, Mapping):
        value = " - ".join(str(part) for part in cast("Mapping[str, Any]", value).values())
    if isinstance(value, list | tuple):
        value = ", ".join(str(part) for part in cast("list[Any]", value))
    said = "" if value is None else str(value)
    if said.strip().casefold() in _CLOSED:
        return ()
    return tuple(
        Hours(span.opens, span.closes)
        for span in find_hours(said, bare=True)
        if not span.alone and not span.of_ends
    )
