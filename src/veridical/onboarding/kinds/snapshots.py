"""Snapshots: the same thing again at every date. Its states don't add up over time."""

from collections.abc import Iterable
from dataclasses import dataclass

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.measures import is_stock_name
from veridical.onboarding.kinds.rates import RATIO_PARTS
from veridical.onboarding.kinds.reports import irregular
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.source import text_literal

_FEWEST_DATES = 3
_DENSE = 0.4
"""The least share of all things times all dates that has rows."""
_SMOOTH = 0.5
"""Mean change from date to date as a share of the mean: below it, the name decides."""
_STILL = 0.15
_UNCHANGED = 0.3
_MOST_STATES = 4
_CARRIED = 0.9
"""Share of dates at which a state starts as it ended: some start anew every year."""
_APART = 0.05
"""Share of dates at which start and end differ; else they are the same column twice."""
_SAME = 0.005


@dataclass(frozen=True, slots=True)
class _Series:
    """Rows of one table as series: the columns of the thing, and those of the date."""

    thing: tuple[str, ...]
    when: tuple[str, ...]
    things: int
    dates: int
    only: str = ""
    """The condition that leaves out totals."""
    dense: bool = True
    """True if most things have a row at most dates. Meters are read irregularly: of these only
    columns named as a state are one."""


def find(findings: Findings) -> Iterable[Proposal]:
    """The measures that are states, with the columns over which they must not be summed."""
    for table in findings.base_tables():
        rates = findings.of(ProposalKind.NOT_ADDITIVE, table.name)
        # The parts of a ratio are summed before they are divided: rooms sold, rooms on offer.
        left_out = {each.columns[0] for each in rates}
        left_out |= {str(each.evidence.get(part)) for each in rates for part in RATIO_PARTS}
        measures = [each for each in findings.measures(table.name) if each not in left_out]
        if measures and table.seen:
            series = _series(findings, table)
            if series is not None:
                found = list(_states(findings, table, series, measures))
                found = _with_reports(findings, table, series, found)
                yield from _with_openings(findings, table, series, found)


def _series(findings: Findings, table: TableProfile) -> _Series | None:
    key = findings.key(table.name)
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    calendar = {each.name for each in table.columns if hints_at(each.name, "calendar")}
    dated = [each for each in key if each in times] or [each for each in key if each in calendar]
    rest = [each for each in key if each not in dated]
    if len(key) < 2 or not dated:
        dated, rest = _beside_a_single_key(findings, table, times, calendar)
    if not dated or not rest:
        return None
    only = _without_totals(findings, table)
    counted = _distinct(findings, table, rest, dated, only)
    if counted is None:
        return None
    rows, pairs, things, dates = counted
    repeated = rows >= 2 * things and dates >= _FEWEST_DATES and pairs == rows
    if not repeated:
        return None
    return _Series(
        tuple(rest), tuple(dated), things, dates, only, dense=rows >= _DENSE * things * dates
    )


def _beside_a_single_key(
    findings: Findings, table: TableProfile, times: set[str], calendar: set[str]
) -> tuple[list[str], list[str]]:
    """Dates and pointers beside a single key, which may identify the rows as well."""
    key = set(findings.key(table.name))
    pointing = findings.columns(ProposalKind.FOREIGN_KEY, table.name)
    dated = [each.name for each in table.columns if each.name in calendar]
    if not dated:
        dated = [each.name for each in table.columns if each.name in times][:1]
    rest = [each.name for each in table.columns if each.name in pointing and each.name not in key]
    return dated, rest


def _without_totals(findings: Findings, table: TableProfile) -> str:
    source = findings.source
    parts: list[str] = []
    for each in findings.of(ProposalKind.TOTAL_ROWS, table.name):
        value = each.values[0]
        written = text_literal(value) if isinstance(value, str) else str(value)
        parts.append(f"t.{source.name(each.columns[0])} <> {written}")
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _distinct(
    findings: Findings, table: TableProfile, rest: list[str], dated: list[str], only: str
) -> tuple[int, int, int, int] | None:
    """Rows, distinct pairs of thing and date, things, dates."""
    source = findings.source
    place = f"{source.table(table.name)} AS t{only}"

    def counted(names: list[str]) -> str:
        columns = ", ".join(f"t.{source.name(each)}" for each in names)
        return f"(SELECT COUNT(*) FROM (SELECT DISTINCT {columns} FROM {place}) AS d)"

    wanted = ", ".join(map(counted, ([*rest, *dated], rest, dated)))
    row = source.one(f"SELECT (SELECT COUNT(*) FROM {place}), {wanted}")
    return None if row is None else (int(row[0]), int(row[1]), int(row[2]), int(row[3]))


def _states(
    findings: Findings, table: TableProfile, series: _Series, measures: list[str]
) -> Iterable[Proposal]:
    source = findings.source
    by = ", ".join(f"t.{source.name(each)}" for each in series.thing)
    along = ", ".join(f"t.{source.name(each)}" for each in series.when)
    window = f"OVER (PARTITION BY {by} ORDER BY {along})"
    inner = ", ".join(
        f"t.{source.name(name)} AS v{number}, LAG(t.{source.name(name)}) {window} AS b{number}"
        for number, name in enumerate(measures)
    )
    outer = ", ".join(
        f"COUNT(NULLIF(b{number}, 0)),"
        f" SUM(CASE WHEN v{number} = b{number} AND b{number} <> 0 THEN 1 ELSE 0 END),"
        f" SUM(ABS(v{number} - b{number})), SUM(ABS(v{number}))"
        for number in range(len(measures))
    )
    place = f"{source.table(table.name)} AS t{series.only}"
    row = source.one(f"SELECT {outer} FROM (SELECT {inner} FROM {place}) AS s")
    if row is None:
        return
    for number, name in enumerate(measures):
        steps, same, moved, level = (float(each or 0) for each in row[4 * number : 4 * number + 4])
        if steps:
            found = _state(table, series, name, int(steps), same / steps, _share(moved, level))
            if found is not None:
                yield found


def _with_openings(
    findings: Findings, table: TableProfile, series: _Series, states: list[Proposal]
) -> Iterable[Proposal]:
    """Each state with the column of its value at the date before, if there is one."""
    names = [each.columns[0] for each in states][:_MOST_STATES]
    if len(names) < 2:
        return states
    source = findings.source
    by = ", ".join(f"t.{source.name(each)}" for each in series.thing)
    along = ", ".join(f"t.{source.name(each)}" for each in series.when)
    inner = ", ".join(
        f"t.{source.name(name)} AS v{number}, LAG(t.{source.name(name)})"
        f" OVER (PARTITION BY {by} ORDER BY {along}) AS b{number}"
        for number, name in enumerate(names)
    )
    pairs = [(end, start) for end in range(len(names)) for start in range(len(names))]
    pairs = [(end, start) for end, start in pairs if end != start]
    outer = ", ".join(
        f"SUM(CASE WHEN ABS(v{start} - b{end}) <= {_SAME} THEN 1 ELSE 0 END),"
        f" SUM(CASE WHEN ABS(v{start} - v{end}) > {_SAME} THEN 1 ELSE 0 END), COUNT(b{end})"
        for end, start in pairs
    )
    place = f"{source.table(table.name)} AS t{series.only}"
    row = source.one(f"SELECT {outer} FROM (SELECT {inner} FROM {place}) AS s")
    openings: dict[str, str] = {}
    for number, (end, start) in enumerate(pairs):
        same, apart, steps = (
            float(each or 0) for each in (row or ())[3 * number :][:3] or (0,) * 3
        )
        if steps and same >= _CARRIED * steps and apart >= _APART * steps:
            openings[names[end]] = names[start]
    return [
        each.model_copy(
            update={"evidence": {**each.evidence, "opening": openings[each.columns[0]]}}
        )
        if each.columns[0] in openings
        else each
        for each in states
    ]


def _with_reports(
    findings: Findings, table: TableProfile, series: _Series, states: list[Proposal]
) -> list[Proposal]:
    """Each state with the columns of those that don't report at every date."""
    one = states and len(series.when) == 1
    found = irregular(findings, table, series.thing, series.when[0]) if one else ()
    more = {"reports": ", ".join(found)} if found else {}
    return [
        each.model_copy(update={"evidence": {**each.evidence, **more}}) if more else each
        for each in states
    ]


def _share(moved: float, level: float) -> float:
    return moved / level if level else 1.0


def _state(
    table: TableProfile, series: _Series, name: str, steps: int, unchanged: float, change: float
) -> Proposal | None:
    named = is_stock_name(name) or is_stock_name(table.name)
    if not series.dense and not (is_stock_name(name) and change <= _SMOOTH):
        return None
    smooth = named and change <= _SMOOTH
    still = change <= _STILL or unchanged >= _UNCHANGED
    # Stock that is sold out and refilled from date to date is still stock, if its name says so.
    if hints_at(name, "flow") or not (smooth or still or is_stock_name(name)):
        return None
    return Proposal(
        kind=ProposalKind.SNAPSHOT,
        table=table.name,
        columns=(name,),
        target_columns=series.when,
        reason="counted",
        evidence={
            "things": series.things,
            "dates": series.dates,
            "thing": ", ".join(series.thing),
            "unchanged": round(100 * unchanged, 1),
            "change": round(100 * change, 1),
            "steps": steps,
        },
        confidence=0.97 if smooth else 0.8,
        proven=smooth or (named and still),
        stake=float(series.dates - 1),
    )
