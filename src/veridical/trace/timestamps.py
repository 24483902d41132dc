"""Timestamps of events: seconds since 1970 as datetimes, and when events ended."""

from datetime import UTC, datetime

from veridical.contracts.trace import Event, ModelCalled, ToolCalled

_LAST = 253_402_300_799.0
"""The end of the year 9999, where calendars stop."""
_MS_PER_S = 1000


def moment(at: float) -> datetime:
    """The datetime so many seconds after 1970, within the calendar's range."""
    return datetime.fromtimestamp(min(max(at, 0.0), _LAST), UTC)


def ended(event: Event) -> float:
    """When an event ended: calls have a duration, other events are instantaneous."""
    if isinstance(event, ModelCalled | ToolCalled):
        return event.at + event.elapsed_ms / _MS_PER_S
    return event.at
