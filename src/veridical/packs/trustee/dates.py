"""Dates as the books store them: Unix seconds at midnight UTC of the day."""

from calendar import monthrange
from datetime import date

DAY = 86_400
_EPOCH = date(1970, 1, 1).toordinal()

MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip


def unix_seconds(year: int, month: int, day: int) -> int:
    """Midnight UTC of this day."""
    return (date(year, month, day).toordinal() - _EPOCH) * DAY


def days_in(year: int, month: int) -> int:
    """The number of days in the month."""
    return monthrange(year, month)[1]
