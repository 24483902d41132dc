"""Exhibits as typed tables, which the prover evaluates."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from veridical.contracts.result import TimeRange
from veridical.evidence.column import Additivity as Adds
from veridical.evidence.column_types import Declared
from veridical.evidence.read import Grid, grids_of
from veridical.evidence.read import typed_tables as typed_grids
from veridical.evidence.table import EvidenceTable
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure
from veridical.gate.evidence.grid import is_untyped, sheets_from_grid
from veridical.gate.evidence.sheet import Sheet
from veridical.gate.evidence.text import sheets_from_text

_PERCENT = "%"
_LABEL = "label"
_ADDS = {
    Additivity.ADDITIVE: Adds.FULL,
    Additivity.SEMI: Adds.NOT_OVER_TIME,
    Additivity.NEVER: Adds.NEVER,
    Additivity.UNKNOWN: None,
}


def typed_tables(evidence: Any, asked_on: date | None = None) -> tuple[EvidenceTable, ...]:
    """All tables of evidence that is prepared, of exhibits, or of any other shape. Judgements that
    depend on today need the day of the question."""
    found = typed_grids(_grids(evidence))
    if asked_on is None:
        return found
    return tuple(replace(table, asked_on=asked_on) for table in found)


def _grids(evidence: Any) -> Iterator[Grid]:
    if isinstance(evidence, Evidence):
        if evidence.over is not None:
            raise evidence.over
        evidence = evidence.exhibits
    if isinstance(evidence, str):
        evidence = Exhibit(text=evidence)
    if isinstance(evidence, Exhibit):
        yield from _of_exhibit(evidence)
    elif isinstance(evidence, tuple | list) and any(isinstance(x, Exhibit | str) for x in evidence):
        for each in evidence:
            yield from _grids(each)
    else:
        yield from grids_of(evidence)


def _of_exhibit(exhibit: Exhibit) -> Iterator[Grid]:
    if exhibit.calculation is not None:
        done = exhibit.calculation
        yield Grid(exhibit.name, (done.expression,), ((done.value,),), {})
    elif is_untyped(exhibit):
        for sheet in sheets_from_grid(0, exhibit):
            yield from _of_sheet(sheet)
    elif exhibit.columns:
        yield Grid(
            exhibit.name,
            exhibit.columns,
            exhibit.rows,
            {**exhibit.held, **_periods(exhibit)},
            exhibit.row_count,
            exhibit.truncated,
            {name: _declared(measure) for name, measure in exhibit.measures.items()},
            exhibit.nouns,
            exhibit.judgements,
            (exhibit.text,) if exhibit.text else (),
        )
    elif exhibit.record is not None:
        yield from grids_of(exhibit.record)
    else:
        found = list(grids_of(exhibit.text))
        for sheet in sheets_from_text(exhibit.text, 0, exhibit) if not found else ():
            found += _of_sheet(sheet)
        if found:
            yield replace(found[0], passages=(exhibit.text,))
        yield from found[1:]


def _of_sheet(sheet: Sheet) -> Iterator[Grid]:
    """The grids of a page: a row's label is a cell of its own, and rows of one unit go together,
    since a page has percents among its amounts."""
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for at, (label, cells) in enumerate(zip(sheet.row_labels, sheet.rows, strict=True)):
        units = {unit for (row, _), unit in sheet.units.items() if row == at}
        unit = units.pop() if len(units) == 1 else ""
        rows.setdefault(unit, []).append((label, *cells))
    for unit, mine in rows.items():
        scale = 1.0 if unit == _PERCENT else sheet.scale
        declared = dict.fromkeys(sheet.columns, Declared(unit=unit, scale=scale))
        columns = (_LABEL, *sheet.columns)
        yield Grid(sheet.title, columns, tuple(mine), sheet.source.held, declared=declared)


def _periods(exhibit: Exhibit) -> dict[str, str]:
    """The days of the call's filters: times that the answer may mention."""
    days = (day for each in exhibit.time_range for day in (each.start, _last(each)) if day)
    return {f"period {at}": day for at, day in enumerate(days)}


def _last(period: TimeRange) -> str | None:
    """The last day of a period, where its end is the day after."""
    if not period.end_excluded or not period.end:
        return period.end
    try:
        return (date.fromisoformat(period.end) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return period.end


def _declared(measure: Measure) -> Declared:
    return Declared(
        measure.labels,
        measure.unit,
        _ADDS[measure.additivity],
        measure.is_key,
        measure.scale,
        measure.label,
        measure.percent,
        measure.decimals,
        measure.favourable,
        coined=measure.coined,
    )
