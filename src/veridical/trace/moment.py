"""An event's time as a date."""

from datetime import UTC, datetime

_LAST = 253_402_300_799.0
"""The end of the year 9999, where calendars stop."""


def moment(at: float) -> datetime:
    """The point in time so many seconds after 1970, within what a calendar can say."""
    return datetime.fromtimestamp(min(max(at, 0.0), _LAST), UTC)
