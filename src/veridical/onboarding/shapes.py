"""The shapes of a single value: a date in one of its spellings, an email address, a number."""

import re
from collections.abc import Iterable
from datetime import date

from veridical.onboarding.profile import Value

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?")
_MONTH = re.compile(r"(19|20)\d{2}[-/.](0[1-9]|1[0-2])")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE = re.compile(r"\+?[\d\s()./-]{7,20}")
_DAY_FIRST = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}( \d{2}:\d{2}(:\d{2})?)?")
_DIGITS = re.compile(r"\d+")
_DECIMAL = re.compile(r"-?\d+[.,]\d+")
_COMPACT = re.compile(r"(19|20)\d{6}|99991231")
"""A day, or the last one that can be written: until further notice."""
_CURRENCY = re.compile(r"[A-Z]{3}")
_SECONDS = (315_532_800, 4_102_444_800)
"""1980 to 2100."""
_MILLISECONDS = (315_532_800_000, 4_102_444_800_000)


def shapes_of(value: Value) -> Iterable[str]:
    """The names of all shapes of a value."""
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return [*_whole(value), *(["compact_date"] if is_compact_date(str(value)) else [])]
    return list(_text(value)) if isinstance(value, str) else ()


def is_compact_date(text: str) -> bool:
    """True if eight digits are a day of the calendar: 20250131."""
    if not _COMPACT.fullmatch(text):
        return False
    try:
        date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return False
    return True


def _whole(value: int) -> Iterable[str]:
    if _SECONDS[0] <= value < _SECONDS[1]:
        yield "unix_seconds"
    if _MILLISECONDS[0] <= value < _MILLISECONDS[1]:
        yield "unix_milliseconds"


def _text(value: str) -> Iterable[str]:
    text = value.strip()
    if _ISO.fullmatch(text):
        yield "iso_date"
    if is_compact_date(text):
        yield "compact_date"
    if _MAIL.fullmatch(text):
        yield "mail"
    if _DIGITS.fullmatch(text):
        yield "digits"
    elif _DECIMAL.fullmatch(text):
        yield "decimal"
    elif _DAY_FIRST.fullmatch(text):
        yield "day_first"
    elif _MONTH.fullmatch(text):
        yield "month"
    elif _PHONE.fullmatch(text) and not _ISO.fullmatch(text):
        yield "phone"
    if _CURRENCY.fullmatch(text):
        yield "three_letters"
