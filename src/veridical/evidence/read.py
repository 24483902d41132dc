"""Evidence of any shape as typed tables: rows, results of tools, nested records, JSON, text."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import CellKind, Column
from veridical.evidence.column_types import Declared, typed_columns
from veridical.evidence.column_words import names_amount, names_total, names_unit
from veridical.evidence.dimension import Dimension, Quantity
from veridical.evidence.table import Cell, EvidenceTable
from veridical.evidence.unit import scale_factor, unit_dimension
from veridical.ontology.judgement import Judgement
from veridical.ontology.printed import Noun
from veridical.reading.units import CURRENCIES

_READY = frozenset({str, int, float, type(None)})
_MOST_DEPTH = 6
_LEAST_ROWS = 2
_CURRENCY_LETTERS = 3
_ARGUMENTS = ("arguments", "args", "input", "parameters")
_COUNTS = ("total_rows", "row_count", "rowCount", "total", "total_count", "totalRows")


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns and rows before they are typed."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    held: Mapping[str, Any]
    row_count: int | None = None
    truncated: bool = False
    declared: Mapping[str, Declared] = field(default_factory=dict[str, Declared])
    """The ontology's declarations of its columns, by their names."""
    nouns: Mapping[Language, Noun] = field(default_factory=dict[Language, Noun])
    judgements: tuple[Judgement, ...] = ()
    passages: tuple[str, ...] = ()


def read_tables(evidence: Any) -> tuple[EvidenceTable, ...]:
    """All tables of the evidence, named ``r1``, ``r2`` … in the order of appearance."""
    return typed_tables(grids_of(evidence))


def grids_of(evidence: Any) -> Iterator[Grid]:
    """The columns and rows of the evidence, as they are found in it."""
    return iter(_grids(evidence, "", {}, 0))


def typed_tables(grids: Iterable[Grid]) -> tuple[EvidenceTable, ...]:
    """Grids as typed tables, in their order."""
    kept = [grid for grid in grids if grid.columns]
    tables = tuple(_typed(f"r{at}", grid) for at, grid in enumerate(kept, start=1))
    return _with_one_currency(tables)


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


def _grids(value: Any, title: str, held: Mapping[str, Any], depth: int) -> Iterable[Grid]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, str):
        yield from _of_text(value, title, held, depth)
    elif isinstance(value, Mapping):
        yield from _of_mapping(dict(value), title, held, depth)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        yield from _of_list(value, title, held, depth)


def _of_text(text: str, title: str, held: Mapping[str, Any], depth: int) -> Iterable[Grid]:
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        try:
            parsed = json.loads(stripped)
        except (ValueError, RecursionError):
            parsed = None
        if parsed is not None:
            yield from _grids(parsed, title, held, depth + 1)
            return
    yield from _markdown(stripped, title, held) or _separated(stripped, title, held)


def _markdown(text: str, title: str, held: Mapping[str, Any]) -> list[Grid]:
    found: list[Grid] = []
    rows: list[list[str]] = []
    for line in (*text.splitlines(), ""):
        if line.strip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if len(rows) >= _LEAST_ROWS + 1:
            found.append(_of_cells(rows[0], rows[2:], title, held))
        rows = []
    return found


def _separated(text: str, title: str, held: Mapping[str, Any]) -> list[Grid]:
    lines = text.splitlines()
    if len(lines) < _LEAST_ROWS:
        return []
    for sign in ("\t", ";", ","):
        if all(sign in line for line in lines[:_LEAST_ROWS]):
            rows = list(csv.reader(io.StringIO(text), delimiter=sign))
            if len({len(row) for row in rows if row}) == 1:
                return [_of_cells(rows[0], rows[1:], title, held)]
    return []


def _of_cells(
    head: Sequence[str], rows: Iterable[Sequence[str]], title: str, held: Mapping[str, Any]
) -> Grid:
    width = len(head)
    cells = tuple(
        tuple((cell.strip() or None) for cell in (*row, *([""] * width))[:width]) for row in rows
    )
    return Grid(title, tuple(head), cells, held)


def _of_list(
    values: Sequence[Any], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Grid]:
    mappings = [dict(each) for each in values if isinstance(each, Mapping)]
    if mappings and len(mappings) == len(values) and not any(map(_is_result, mappings)):
        yield from _of_records(mappings, title, held, depth)
    elif values and not any(isinstance(each, Mapping | list | tuple) for each in values):
        if all(isinstance(each, str) and len(each) > 60 for each in values):
            for each in values:
                yield from _grids(each, title, held, depth + 1)
        else:
            yield Grid(title, (title or "value",), tuple((each,) for each in values), held)
    else:
        for each in values:
            yield from _grids(each, title, held, depth + 1)


def _is_result(value: Mapping[str, Any]) -> bool:
    return _rows_key(value) is not None or ("role" in value and "content" in value)


def _rows_key(value: Mapping[str, Any]) -> str | None:
    known = ("rows", "data", "result") if "tool" in value else ("rows", "data")
    key = next((each for each in known if each in value), None)
    return key if key is not None and isinstance(value[key], list) else None


def _of_mapping(
    value: dict[str, Any], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Grid]:
    if "role" in value and "content" in value:
        if value["role"] in ("tool", "function", "user", "tool_result"):
            yield from _grids(value["content"], str(value.get("name", title)), held, depth + 1)
        return
    key = _rows_key(value)
    if key is None:
        yield from _of_records([value], title, held, depth)
        return
    named = str(value.get("tool", value.get("name", title)))
    arguments = next((value[name] for name in _ARGUMENTS if name in value), {})
    context = {**held, **(_flat(arguments) if isinstance(arguments, Mapping) else {})}
    rows: list[Any] = value[key]
    count = next((value[name] for name in _COUNTS if isinstance(value.get(name), int)), None)
    cut = bool(value.get("truncated")) or (count is not None and count > len(rows))
    columns = value.get("columns")
    names = [_column_name(each) for each in columns] if isinstance(columns, list) else []
    if names and all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
        width = len(names)
        cells = tuple(tuple((*row, *([None] * width))[:width]) for row in rows)
        yield Grid(named, tuple(names), cells, context, count, cut)
        return
    mappings = [dict(row) for row in rows if isinstance(row, Mapping)]
    for at, grid in enumerate(_of_records(mappings, named, context, depth)):
        yield replace(grid, row_count=count, truncated=cut) if at == 0 else grid


def _column_name(column: Any) -> str:
    return str(column.get("name", column) if isinstance(column, Mapping) else column)


def _flat(value: Mapping[str, Any], path: str = "", depth: int = 0) -> dict[str, Any]:
    """The single values of a record, by their path."""
    found: dict[str, Any] = {}
    for key, each in value.items():
        name = f"{path}{key}"
        if isinstance(each, Mapping) and depth < _MOST_DEPTH:
            found |= _flat(dict(each), f"{name}.", depth + 1)
        elif not isinstance(each, list | tuple):
            found[name] = each
    return found


def _lists(value: Mapping[str, Any], path: str = "") -> Iterable[tuple[str, list[Any]]]:
    for key, each in value.items():
        if isinstance(each, Mapping):
            yield from _lists(dict(each), f"{path}{key}.")
        elif isinstance(each, list | tuple) and each:
            yield f"{path}{key}", list(each)


def _of_records(
    records: list[dict[str, Any]], title: str, held: Mapping[str, Any], depth: int
) -> Iterable[Grid]:
    flat = [_flat(record) for record in records]
    columns = tuple(dict.fromkeys(name for record in flat for name in record))
    if columns:
        cells = tuple(tuple(record.get(name) for name in columns) for record in flat)
        yield Grid(title, columns, cells, held)
    for name, values in _merged_lists(records, columns):
        yield from _grids(values, name, held, depth + 1)


def _merged_lists(
    records: list[dict[str, Any]], columns: tuple[str, ...]
) -> Iterable[tuple[str, list[Any]]]:
    """The lists within records: those of several records as one, beside what names their own."""
    named: dict[str, list[Any]] = {}
    for record in records:
        key = next((name for name in columns if isinstance(record.get(name), str)), None)
        for path, values in _lists(record):
            for each in values:
                if isinstance(each, Mapping) and key is not None and len(records) > 1:
                    named.setdefault(path, []).append({key: record[key], **each})
                else:
                    named.setdefault(path, []).append(each)
    yield from named.items()


def _typed(name: str, grid: Grid) -> EvidenceTable:
    plain = tuple(tuple(_plain(cell) for cell in row) for row in grid.rows)
    columns, rows = typed_columns(grid.columns, plain, grid.declared)
    columns = _with_currency(columns, rows)
    if not _names_currencies(columns, rows):
        columns = _with_unit(columns, grid.held)
    return EvidenceTable(
        name=name,
        columns=columns,
        rows=rows,
        title=grid.title,
        totals=_totals(columns, rows),
        held={key: _plain(value) for key, value in grid.held.items()},
        truncated=grid.truncated,
        row_count=grid.row_count,
        nouns=grid.nouns,
        judgements=grid.judgements,
        passages=grid.passages,
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


def _with_currency(
    columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]
) -> tuple[Column, ...]:
    """Figures beside a column of one currency's code are amounts of that currency."""
    for at, column in enumerate(columns):
        codes = {row[at] for row in rows if row[at] is not None}
        if column.kind is not CellKind.NAME or len(codes) != 1:
            continue
        code = str(next(iter(codes)))
        if len(code) == _CURRENCY_LETTERS and code in CURRENCIES:
            path = column.name.rpartition(".")[0]
            return tuple(_in_currency(each, code, path) for each in columns)
    return columns


def _names_currencies(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> bool:
    """True if each row names its own currency, in spite of the call's filters."""
    for at, column in enumerate(columns):
        codes = {row[at] for row in rows if row[at] is not None}
        if column.kind is CellKind.NAME and len(codes) > 1 and codes <= CURRENCIES.keys():
            return True
    return False


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


def _is_amount(column: Column, columns: tuple[Column, ...]) -> bool:
    if column.kind is not CellKind.FIGURE or column.dimension is None:
        return False
    plain = column.dimension.quantity in (Quantity.NUMBER, Quantity.COUNT)
    alone = sum(each.kind is CellKind.FIGURE for each in columns) == 1
    return plain and (alone or names_amount(column.name))


def _in_currency(column: Column, code: str, path: str) -> Column:
    is_sibling = column.name.rpartition(".")[0] == path
    plain = column.dimension is not None and column.dimension.quantity in (
        Quantity.NUMBER,
        Quantity.COUNT,
    )
    if column.kind is CellKind.FIGURE and plain and is_sibling and names_amount(column.name):
        return replace(column, dimension=Dimension(Quantity.MONEY, code))
    return column
