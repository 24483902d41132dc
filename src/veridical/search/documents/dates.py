"""Dates that documents state, with a time zone: one without counts as UTC."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def aware(moment: datetime) -> datetime:
    """The moment in UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def read_date(text: str | None) -> datetime | None:
    """The date that a text states in ISO 8601 or as mail and feeds do; none where it states none.

    A bare year is none: it would say the first of January.
    """
    stated = (text or "").strip()
    if len(stated) < len("2026-11"):
        return None
    try:
        return aware(datetime.fromisoformat(stated))
    except ValueError:
        pass
    try:
        return aware(parsedate_to_datetime(stated))
    except ValueError:
        return None
