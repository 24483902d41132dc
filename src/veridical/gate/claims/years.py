"""The year of what names none: "Ende März" lies in a year that answer or question speaks of."""

from collections.abc import Iterable

from veridical.gate.claim import Days
from veridical.gate.claims.calendar import a_day, at_its_end, months
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern

_YEAR = late_pattern(r"(?<![0-9.,'’])(?:19|20)[0-9]{2}(?![0-9]|[.,'’][0-9])")
_MOST_YEARS = 4


def give_years(drafts: list[Draft], question: str) -> None:
    """Give every date and period without a year the years that are spoken of."""
    lacking = [draft for draft in drafts if draft.yearless is not None]
    if not lacking:
        return
    years = _years(drafts, question)
    for draft in lacking:
        first, count, day = draft.yearless or (1, 1, 1)
        days: tuple[Days, ...] = ()
        for year in years:
            days += a_day(year, first, day) if day else months(year, first, count)
        draft.days = at_its_end(days) if draft.at_end else days


def _years(drafts: Iterable[Draft], question: str) -> list[int]:
    said = {each.start.year: None for draft in drafts for each in draft.days}
    asked = {int(each): None for each in _YEAR.findall(question)}
    return list(said | asked)[:_MOST_YEARS]
