"""Times in one zone beside the days of another: a payment at 23:30 is of the next day."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from veridical.onboarding.findings import Findings
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

STORED = "UTC"
_ZONES = (
    "Europe/London", "Europe/Berlin", "Europe/Athens", "America/New_York", "America/Chicago",
    "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Dubai", "Asia/Kolkata",
    "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip
"""One zone for each usual clock; another of the same clock has the same days."""
_MOST_ROWS = 5_000
_FEWEST_MOVED = 5
"""Rows whose day differs: fewer may be mistakes."""
_SAME = 0.995
_DAY = len("2025-01-31")
_Rows = list[tuple[datetime, date]]


def find(findings: Findings) -> Iterable[Proposal]:
    """The columns of times whose days stand beside them, shifted by a zone."""
    for table in findings.base_tables():
        times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
        dated = [each for each in table.columns if each.name in times]
        days = [each for each in dated if _has_days(each)]
        for time in (each for each in dated if _has_times(each)):
            found = (_shifted(findings, table, time, day) for day in days)
            yield from [each for each in found if each is not None][:1]


def _has_times(column: ColumnProfile) -> bool:
    ends = (column.low, column.high)
    return all(isinstance(end, str) and len(end) > _DAY for end in ends)


def _has_days(column: ColumnProfile) -> bool:
    ends = (column.low, column.high)
    return all(isinstance(end, str) and len(end) == _DAY for end in ends)


def _shifted(
    findings: Findings, table: TableProfile, time: ColumnProfile, day: ColumnProfile
) -> Proposal | None:
    """The proposal, if the days are those of one zone in nearly every row, and not of the times."""
    rows = list(_rows(findings, table, time.name, day.name))
    moved = sum(at.date() != on for at, on in rows)
    if moved < _FEWEST_MOVED:
        return None
    counts = {zone: _met(rows, zone) for zone in _ZONES}
    zone = max(counts, key=lambda each: counts[each])
    if counts[zone] < _SAME * len(rows):
        return None
    return Proposal(
        kind=ProposalKind.LOCAL_DAYS,
        table=table.name,
        columns=(time.name,),
        target=table.name,
        target_columns=(day.name,),
        values=(zone,),
        reason="counted",
        evidence={"moved": moved, "rows": len(rows), "met": counts[zone], "day": day.name},
        confidence=0.9,
        stake=round(moved / len(rows), 4),
    )


def _rows(
    findings: Findings, table: TableProfile, time: str, day: str
) -> Iterator[tuple[datetime, date]]:
    source = findings.source
    at, on = f"t.{source.name(time)}", f"t.{source.name(day)}"
    rows = source.ask(
        f"SELECT {at}, {on} FROM {source.rows_of(table)}"
        f" WHERE {at} IS NOT NULL AND {on} IS NOT NULL LIMIT {_MOST_ROWS}",
        _MOST_ROWS,
    )
    for written, local in rows or ():
        try:
            found = datetime.fromisoformat(str(written)), date.fromisoformat(str(local))
        except ValueError:
            continue
        yield found


def _met(rows: _Rows, zone: str) -> int:
    """The rows whose day is that of the time in a zone."""
    try:
        local = ZoneInfo(zone)
    except ZoneInfoNotFoundError:
        return 0
    return sum(at.replace(tzinfo=UTC).astimezone(local).date() == on for at, on in rows)
