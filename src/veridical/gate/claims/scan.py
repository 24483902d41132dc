"""One pass over the text: every place where digits begin a figure, a date, a period or a code."""

import re

from veridical.gate.claims.codes import glued_code
from veridical.gate.claims.dates import DATE_READERS
from veridical.gate.claims.draft import Draft
from veridical.gate.claims.figures import figure
from veridical.reading.figure import DIGITS
from veridical.reading.period_words import MONTH_NUMBERS

_LATIN_MONTHS = sorted((name for name in MONTH_NUMBERS if name[0] < "\u2e80"), key=len)[::-1]
_MONTH = rf"(?i:{'|'.join(_LATIN_MONTHS)})\b\.?"
_YEAR = r"(?:19|20)[0-9]{2}(?![0-9])"
_DAY = r"[0-9]{1,2}"
_HALF_DAY = r"[aApP]\.?[mM]\b\.?"

_DIGIT = re.compile("[0-9]")
_PLACE = re.compile(
    rf"""
    (?P<iso>(?:19|20)[0-9]{{2}}-[0-9]{{2}}-[0-9]{{2}}(?![0-9-])
        (?:[T ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?Z?)?)
    |(?P<dotted>{_DAY}\.\s?{_DAY}\.(?:\s?{_YEAR}|[0-9]{{2}}(?![0-9.,'’]))?(?![0-9]))
    |(?P<slashed>[0-9]{{1,4}}/[0-9]{{1,4}}(?:/[0-9]{{2,4}})?(?![0-9/]))
    |(?P<clock>{_DAY}:[0-9]{{2}}(?::[0-9]{{2}})?(?![0-9:])(?:\s?{_HALF_DAY}|\sUhr\b)?)
    |(?P<hour>{_DAY}(?:\.[0-9]{{2}})?\s?(?:{_HALF_DAY}|Uhr\b))
    |(?P<dayed>{_DAY}(?:\.|st|nd|rd|th)?[ \u00a0-](?:of[ ])?{_MONTH}(?:,?[ -](?:of[ ])?{_YEAR})?)
    |(?P<ordered>[1-4](?:\.|st|nd|rd|th)[ ](?:Quartals?|[Qq]uarter|Halbjahr(?:es)?|[Hh]alf)\b
        (?:[ ](?:of[ ]|des[ ](?:Jahres[ ])?)?{_YEAR})?)
    |(?P<quartered>{_YEAR}[ -]?[QH][1-4]\b)
    |(?P<yeared>(?:19|20)[0-9]{{2}}[-–][0-9]{{2}}(?![0-9]|[.,'’-][0-9]))
    |(?P<han>(?:19|20)?[0-9]{{2}}\s?年\s?(?:(?:[0-9]{{1,2}}|十[一二]?|[一二三四五六七八九])\s?月份?\s?(?:[0-9]{{1,2}}\s?[日号])?
        |第?[1-4一二三四]季度?|[上下]半年|度|年?[底末初])?|[0-9]{{1,2}}\s?月份?(?:\s?[0-9]{{1,2}}\s?[日号])?)
    |(?P<number>{DIGITS})
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(DIGITS)


def scan(text: str) -> list[Draft]:
    """All places in order; digits inside another place are none of their own."""
    found: list[Draft] = []
    at = 0
    while (digit := _DIGIT.search(text, at)) is not None:
        start = digit.start()
        drafts = _at(text, start)
        if drafts:
            found.extend(drafts)
            at = max(found[-1].end, start + 1)
        else:
            at = _NUMBER.match(text, start).end()  # pyright: ignore[reportOptionalMemberAccess]
    return found


def _at(text: str, start: int) -> list[Draft]:
    if start:
        code = glued_code(text, start)
        if code is not None:
            return [code]
    match = _PLACE.match(text, start)
    if match is None:
        return []
    read = DATE_READERS.get(match.lastgroup or "")
    if read is not None:
        draft = read(text, match)
        if draft is not None:
            return [draft]
        match = _NUMBER.match(text, start)
    return figure(text, start, match.end()) if match is not None else []
