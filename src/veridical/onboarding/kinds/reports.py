"""Those that report at some dates only, always on the same days of the week."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from veridical.onboarding.findings import Findings
from veridical.onboarding.profile import TableProfile

_MOST_REPORTING = 60
_FEWEST_DATES = 28
_REGULAR = 0.98
"""The least share of dates on the reporting days that have a report."""
_DAY = len("2025-01-31")


def irregular(
    findings: Findings, table: TableProfile, thing: Iterable[str], when: str
) -> tuple[str, ...]:
    """The columns of which some value skips the same days of every week; its last report holds.

    What is missing on no fixed day may be gone or zero, which a report would not be.
    """
    return tuple(each for each in thing if _skips(findings, table, each, when))


def _skips(findings: Findings, table: TableProfile, name: str, when: str) -> bool:
    if not 1 < table.by_name[name].distinct <= _MOST_REPORTING:
        return False
    source = findings.source
    rows = source.ask(
        f"SELECT DISTINCT t.{source.name(name)}, t.{source.name(when)}"
        f" FROM {source.table(table.name)} AS t"
    )
    found: defaultdict[str, set[date]] = defaultdict(set)
    for value, day in rows or ():
        try:
            found[str(value)].add(date.fromisoformat(str(day)[:_DAY]))
        except ValueError:
            return False
    every = set[date]().union(*found.values())
    if len(every) < _FEWEST_DATES:
        return False
    return any(_is_weekly(days, every) for days in found.values())


def _is_weekly(days: set[date], every: set[date]) -> bool:
    """True if some weekdays are always missing, and hardly any other day is."""
    own = {day.weekday() for day in days}
    rest = {day for day in every if day.weekday() in own}
    return own != {day.weekday() for day in every} and len(days) >= _REGULAR * len(rest)
