"""Rates that convert amounts of several currencies to one: a table with a rate for each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, is_value_of
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.source import text_literal

_CURRENCY = "currency"
_MATCHED = 0.99
"""The least share of rows that have a rate, or the one unit without rates."""
_SIDES = 3
"""Words of a name such as ``eur_per_unit``."""
_LENGTHS = (len("2025-01"), len("2025-01-31"))


@dataclass(frozen=True)
class _Rates:
    """A table of rates."""

    table: TableProfile
    rate: str
    unit: ColumnProfile
    period: str
    length: int
    """Characters of a period; zero if a rate holds for ever."""
    divides: bool


def find(findings: Findings) -> Iterable[Proposal]:
    """The amounts in several currencies, each with the rates that fit it."""
    rates = [each for table in findings.base_tables() for each in _rates(findings, table)]
    for table in findings.base_tables():
        for unit in findings.of(ProposalKind.UNIT, table.name):
            several = unit.reason == _CURRENCY and len(unit.values) > 1
            if several and len(rates) == 1 and rates[0].table.name != table.name:
                yield from _fitting(findings, table, unit, rates[0])


def _rates(findings: Findings, table: TableProfile) -> Iterator[_Rates]:
    key = findings.key(table.name)
    measures = findings.measures(table.name)
    units = [each for each in key if hints_at(each, _CURRENCY)]
    periods = [each for each in key if each not in units]
    if len(measures) != 1 or len(units) != 1 or len(periods) > 1:
        return
    divides = _divides(measures[0])
    period = table.by_name[periods[0]] if periods else None
    lengths = {len(str(end)) for end in (period.low, period.high)} if period else {0}
    if divides is None or len(lengths) > 1 or (period and lengths.isdisjoint(_LENGTHS)):
        return
    name = period.name if period else ""
    yield _Rates(table, measures[0], table.by_name[units[0]], name, lengths.pop(), divides)


def _divides(rate: str) -> bool | None:
    """False for ``eur_per_unit``, true for ``units_per_eur``; None if the name says neither."""
    words = words_of(rate)
    sides = [is_value_of(each, "currency_code") for each in (*words[:1], *words[-1:])]
    return None if len(words) < _SIDES or sides[0] == sides[1] else sides[1]


def _fitting(
    findings: Findings, table: TableProfile, unit: Proposal, rates: _Rates
) -> Iterator[Proposal]:
    known = {value for value, _ in rates.unit.values}
    base = [value for value in unit.values if value not in known]
    day = _day(findings, table) if rates.length else ""
    if len(base) > 1 or len(base) == len(unit.values) or day is None:
        return
    source = findings.source
    own = f"t.{source.name(unit.target_columns[0])}"
    met = f"r.{source.name(rates.unit.name)} = {own}"
    if day:
        written = f"SUBSTR(t.{source.name(day)}, 1, {rates.length})"
        met += f" AND r.{source.name(rates.period)} = {written}"
    rate = f"r.{source.name(rates.rate)}"
    amount = f"t.{source.name(unit.columns[0])}"
    stays = f"{own} = {text_literal(str(base[0]))}" if base else "1 = 0"
    value = f"{amount} / {rate}" if rates.divides else f"{amount} * {rate}"
    row = source.one(
        f"SELECT COUNT(*), SUM(CASE WHEN {rate} IS NOT NULL OR {stays} THEN 1 ELSE 0 END),"
        f" SUM({amount}), SUM(CASE WHEN {stays} THEN {amount} ELSE {value} END)"
        f" FROM {source.rows_of(table)} LEFT JOIN {source.table(rates.table.name)} AS r ON {met}"
    )
    if not row or not row[0] or (row[1] or 0) < _MATCHED * row[0]:
        return
    cut = f"substr({day}, 1, {rates.length})" if rates.length == _LENGTHS[0] else day
    yield Proposal(
        kind=ProposalKind.CONVERSION,
        table=table.name,
        columns=unit.columns,
        target=rates.table.name,
        target_columns=tuple(filter(None, (rates.rate, rates.unit.name, rates.period))),
        values=tuple(base),
        reason="counted",
        evidence={
            "unit": unit.target_columns[0],
            "day": cut,
            "divides": rates.divides,
            "matched": int(row[1]),
            "rows": int(row[0]),
            "wrong": f"{row[2] or 0:,.2f}",
            "right": f"{row[3] or 0:,.2f}",
        },
        confidence=0.8,
        stake=round(abs((row[2] or 0) - (row[3] or 0)) / abs(row[3] or 1), 4),
    )


def _day(findings: Findings, table: TableProfile) -> str | None:
    """The day of a row by which a rate can be chosen, a bare one first; None if there is none."""
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    left_out = findings.columns(ProposalKind.LOCAL_DAYS, table.name)
    found = [
        column
        for column in table.columns
        if column.name in times - left_out and column.is_text and not hints_at(column.name, "due")
    ]
    found.sort(key=lambda column: column.longest > _LENGTHS[-1])
    return found[0].name if found else None
