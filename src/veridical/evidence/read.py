"""Exhibits as typed tables."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from veridical.contracts.result import TimeRange
from veridical.evidence.column import CellKind, Column
from veridical.evidence.column_types import typed_columns
from veridical.evidence.column_words import names_amount, names_total, names_unit
from veridical.evidence.dimension import Dimension, Quantity
from veridical.evidence.exhibit import Exhibit, Measure
from veridical.evidence.page import tables_in_text
from veridical.evidence.report import is_untyped, tables_in_cells
from veridical.evidence.rows import tables_in
from veridical.evidence.table import Cell, EvidenceTable
from veridical.evidence.unit import common_dimension, scale_factor, unit_dimension
from veridical.reading.units import CURRENCIES

_READY = frozenset({str, int, float, type(None)})
_LEAST_ROWS = 2


def typed_tables(evidence: Any, asked_on: date | None = None) -> tuple[EvidenceTable, ...]:
    """All tables of exhibits, or of evidence of any other shape, named ``r1``, ``r2`` … in their
    order. Judgements that depend on today need the day of the question."""
    kept = [each for each in _tables(evidence) if each.columns]
    tables = tuple(_typed(f"r{at}", each) for at, each in enumerate(kept, start=1))
    tables = _with_one_currency(tables)
    if asked_on is None:
        return tables
    return tuple(replace(table, asked_on=asked_on) for table in tables)


def read_tables(evidence: Any) -> tuple[EvidenceTable, ...]:
    """The tables that evidence of any shape has as such; running text is not searched for them."""
    return typed_tables(tuple(tables_in(evidence)))


def _tables(evidence: Any) -> Iterator[Exhibit]:
    if isinstance(evidence, str):
        evidence = Exhibit(text=evidence)
    if isinstance(evidence, Exhibit):
        yield from _of_exhibit(evidence)
    elif isinstance(evidence, tuple | list) and any(isinstance(x, Exhibit | str) for x in evidence):
        for each in evidence:
            yield from _tables(each)
    else:
        yield from tables_in(evidence)


def _of_exhibit(exhibit: Exhibit) -> Iterator[Exhibit]:
    """The tables of an exhibit: its own, or those within its record or its text."""
    if exhibit.calculation is not None:
        done = exhibit.calculation
        yield Exhibit(exhibit.name, (done.expression,), ((done.value,),))
    elif is_untyped(exhibit):
        yield from (replace(each, held=exhibit.held) for each in tables_in_cells(exhibit))
    elif exhibit.columns:
        yield replace(exhibit, held={**exhibit.held, **_periods(exhibit)})
    elif exhibit.record is not None:
        yield from tables_in(exhibit.record)
    else:
        on_page = (replace(each, held=exhibit.held) for each in tables_in_text(exhibit))
        found = list(tables_in(exhibit.text)) or list(on_page)
        yield from (replace(each, text=exhibit.text) for each in found[:1])
        yield from found[1:]


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


def _with_one_currency(tables: tuple[EvidenceTable, ...]) -> tuple[EvidenceTable, ...]:
    """Amounts without a currency get the one that all others have."""
    units = {
        column.dimension.unit
        for table in tables
        for column in table.columns
        if column.dimension is not None and column.dimension.quantity is Quantity.MONEY
    }
    if len(units) != 1:
        return tables
    code = next(iter(units))
    return tuple(
        replace(table, columns=tuple(_as_amount(each, code) for each in table.columns))
        for table in tables
    )


def _as_amount(column: Column, code: str) -> Column:
    if column.kind is not CellKind.FIGURE or column.dimension is None:
        return column
    plain = column.dimension.quantity in (Quantity.NUMBER, Quantity.COUNT)
    if plain and not column.dimension.unit and names_amount(column.name):
        return replace(column, dimension=Dimension(Quantity.MONEY, code, column.dimension.factor))
    return column


def _typed(name: str, exhibit: Exhibit) -> EvidenceTable:
    plain = tuple(tuple(_plain(cell) for cell in row) for row in exhibit.rows)
    columns, rows = typed_columns(exhibit.columns, plain, exhibit.measures)
    currencies = _currency_column(columns, rows)
    if not currencies:
        columns = _with_unit(columns, exhibit.held)
    columns = _with_unit_columns(columns, rows, currencies, exhibit.measures)
    return EvidenceTable(
        name=name,
        columns=columns,
        rows=rows,
        title=exhibit.name,
        totals=_totals(columns, rows),
        held={key: _plain(value) for key, value in exhibit.held.items()},
        truncated=exhibit.truncated,
        row_count=exhibit.row_count,
        nouns=exhibit.nouns,
        judgements=exhibit.judgements,
        passages=(exhibit.text,) if exhibit.text else (),
        emptiness=exhibit.emptiness,
        known=exhibit.known,
    )


def _plain(cell: Any) -> Any:
    if type(cell) in _READY:
        return cell
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, Mapping | list | tuple):
        return json.dumps(cell, ensure_ascii=False, default=str)
    if cell is None or isinstance(cell, str | int | float | date | datetime):
        return cell
    return str(cell)


def _totals(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> frozenset[int]:
    """Rows that are totals of the others by their name."""
    names = [at for at, each in enumerate(columns) if each.kind in (CellKind.NAME, CellKind.CODE)]
    if len(rows) < _LEAST_ROWS + 1:
        return frozenset()
    return frozenset(
        at
        for at, row in enumerate(rows)
        if any(isinstance(row[name], str) and names_total(str(row[name])) for name in names)
    )


def _currency_column(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> str:
    """The column in which each row names its currency; empty where there is none."""
    for at, column in enumerate(columns):
        codes = {row[at] for row in rows if row[at] is not None}
        if column.kind is CellKind.NAME and codes and codes <= CURRENCIES.keys():
            return column.name
    return ""


def _with_unit_columns(
    columns: tuple[Column, ...],
    rows: tuple[tuple[Cell, ...], ...],
    currencies: str,
    declared: Mapping[str, Measure],
) -> tuple[Column, ...]:
    """Figures with the column that names the unit of each row: the declared one, or that of the
    currencies beside amounts."""
    places = {each.name.casefold(): at for at, each in enumerate(columns)}
    path = currencies.rpartition(".")[0]

    def in_unit(column: Column) -> Column:
        named = declared[column.name].unit_column if column.name in declared else ""
        if named.casefold() not in places:
            is_sibling = bool(currencies) and column.name.rpartition(".")[0] == path
            named = currencies if is_sibling and _is_amount(column, columns, counts=False) else ""
        if not named or column.kind is not CellKind.FIGURE:
            return column
        at = places[named.casefold()]
        units = {str(row[at]) for row in rows if row[at] is not None}
        return replace(column, unit_column=named, dimension=common_dimension(units))

    return tuple(map(in_unit, columns))


def _with_unit(columns: tuple[Column, ...], held: Mapping[str, Any]) -> tuple[Column, ...]:
    """Amounts of a call that names its unit: ``unit: thousand EUR``."""
    unit_text = next((str(held[key]) for key in held if names_unit(key)), "")
    units = [unit for word in unit_text.split() if (unit := unit_dimension(word))]
    money = next((unit for unit in units if unit.quantity is Quantity.MONEY), None)
    if money is None:
        return columns
    factor = next((each for word in unit_text.split() if (each := scale_factor(word))), 1.0)
    unit = replace(money, factor=money.factor * factor)
    return tuple(
        replace(each, dimension=unit) if _is_amount(each, columns) else each for each in columns
    )


def _is_amount(column: Column, columns: tuple[Column, ...], *, counts: bool = True) -> bool:
    """True if a figure may be an amount: by its name, or the only one, which may be a count."""
    if column.kind is not CellKind.FIGURE or column.dimension is None:
        return False
    plain = column.dimension.quantity in (Quantity.NUMBER, Quantity.COUNT)
    alone = sum(each.kind is CellKind.FIGURE for each in columns) == 1
    likely = alone and (counts or column.dimension.quantity is Quantity.NUMBER)
    return plain and (likely or names_amount(column.name))
