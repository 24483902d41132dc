"""Records to sheets: lists of objects become tables, parallel objects rows, the rest fields.

A field is named by its path. ``homeTeam``, ``awayTeam``, ``homeScore`` and ``awayScore`` beside
each other are one sheet with the rows ``home`` and ``away``: what is told of one must not be
borne out by the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from veridical.gate.evidence.exhibit import Exhibit, Measure
from veridical.gate.evidence.sheet import Sheet
from veridical.ontology.terms import split_name, terms

_FEWEST_PARALLELS = 2
_UNIT_WORDS = frozenset({"unit", "units"})

_NO_MEASURES = frozenset(terms("date year month day time id datum jahr zeit"))

Row = dict[str, Any]
Lists = dict[str, list[Any]]


@dataclass(slots=True)
class _Found:
    """What a walk through the record gathers."""

    fields: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    tables: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])
    parallels: list[tuple[str, dict[str, Row]]] = field(
        default_factory=list[tuple[str, dict[str, Row]]]
    )
    units: dict[str, str] = field(default_factory=dict[str, str])


def sheets_from_record(value: Any, exhibit_index: int, exhibit: Exhibit) -> tuple[Sheet, ...]:
    """The sheets of a record: its fields, its parallel objects and each of its lists."""
    found = _Found()
    if isinstance(value, list):
        _read_list("", cast("list[Any]", value), {}, found)
    else:
        _read_object("", {"": value} if not isinstance(value, dict) else _keyed(value), found)
    sheets: list[Sheet] = []
    if found.fields:
        labels = tuple(path for path, _ in found.fields)
        rows = tuple((cell,) for _, cell in found.fields)
        sheets.append(Sheet(exhibit_index, ("value",), rows, exhibit, row_labels=labels))
    sheets += [_parallel_sheet(*group, exhibit_index, exhibit) for group in found.parallels]
    sheets += [_table_sheet(*table, exhibit_index, exhibit) for table in found.tables.items()]
    if not found.units:
        return tuple(sheets)
    return tuple(replace(sheet, source=_with_units(sheet, found.units)) for sheet in sheets)


def _keyed(value: object) -> Row:
    return {str(key): item for key, item in cast("Mapping[Any, Any]", value).items()}


def _read_object(path: str, record: Row, found: _Found) -> None:
    parallel = _parallels(record)
    for group in parallel:
        found.parallels.append((path, group))
    taken = {
        f"{row} {part}" for group in parallel for row, parts in group.items() for part in parts
    }
    for key, item in record.items():
        here = f"{path}.{key}" if path and key else path or key
        if isinstance(item, dict):
            entry = _keyed(item)
            if " ".join(_split_key(key)) in taken:
                continue
            if _is_units(key, entry):
                found.units.update({name: str(unit) for name, unit in entry.items()})
            else:
                _read_object(here, entry, found)
        elif isinstance(item, list):
            _read_list(here, cast("list[Any]", item), {}, found)
        else:
            if _is_unit_word(key) and isinstance(item, str):
                found.units[""] = item
            found.fields.append((here, item))


def _is_units(key: str, entry: Row) -> bool:
    return _is_unit_word(key) and all(isinstance(unit, str) for unit in entry.values())


def _is_unit_word(key: str) -> bool:
    return key.casefold() in _UNIT_WORDS


def _read_list(path: str, items: list[Any], parent: Row, found: _Found) -> None:
    """A list of objects is a table, told apart by what its parent says; plain items are fields."""
    table = found.tables.setdefault(path, [])
    flat = [_flattened(_keyed(item)) for item in items if isinstance(item, dict)]
    several = {name for _, lists in flat for name, inner in lists.items() if len(inner) > 1}
    for row, lists in flat:
        _read_row(path, row, lists, several, parent, found)
    for item in items:
        if isinstance(item, list):
            _read_list(path, cast("list[Any]", item), parent, found)
        elif parent and not isinstance(item, dict):
            table.append({**parent, _last(path): item})
        elif not isinstance(item, dict):
            found.fields.append((path, item))
    if not found.tables.get(path):
        found.tables.pop(path, None)


def _read_row(
    path: str, row: Row, lists: Lists, several: set[str], parent: Row, found: _Found
) -> None:
    """One object of a list. A list inside it that never has two entries is part of the row; any
    other becomes a table whose rows carry the object's own plain cells."""
    own = {**parent, **row}
    for name in lists.keys() - several:
        for entry in lists[name]:
            inner, _ = _flattened({name: entry})
            own.update(inner)
    if own != parent and not (several & lists.keys() and len(row) == 1):
        found.tables[path].append(own)
    for name in [name for name in lists if name in several]:
        _read_list(f"{path}.{name}" if path else name, lists[name], own, found)


def _flattened(item: Row) -> tuple[Row, Lists]:
    """The plain cells of an object by their path, and the lists of objects inside it."""
    flat: Row = {}
    lists: Lists = {}
    for key, cell in item.items():
        if isinstance(cell, dict):
            inner, inner_lists = _flattened(_keyed(cell))
            flat.update({f"{key}.{name}": value for name, value in inner.items()})
            lists.update({f"{key}.{name}": entries for name, entries in inner_lists.items()})
        elif isinstance(cell, list):
            entries = cast("list[Any]", cell)
            if any(isinstance(entry, dict | list) for entry in entries):
                lists[key] = entries
            elif entries:
                flat[key] = ", ".join(map(str, entries))
        else:
            flat[key] = cell
    return flat, lists


def _parallels(record: Row) -> list[dict[str, Row]]:
    """Objects whose keys differ in one word only, pivoted: row word to part to object."""
    parts: dict[str, dict[str, Row]] = {}
    for key, item in record.items():
        if isinstance(item, dict):
            row, part = _split_key(key)
            if row and part:
                parts.setdefault(part, {})[row] = _keyed(item)
    groups: dict[tuple[str, ...], dict[str, Row]] = {}
    for part, rows in parts.items():
        if len(rows) >= _FEWEST_PARALLELS:
            group = groups.setdefault(tuple(sorted(rows)), {row: {} for row in rows})
            for row, item in rows.items():
                group[row][part] = item
    return list(groups.values())


def _split_key(key: str) -> tuple[str, str]:
    """The row word and the part: ``homeTeam`` is ``home`` and ``Team``."""
    words = split_name(key).replace("_", " ").split()
    return (words[0], " ".join(words[1:])) if len(words) > 1 else ("", "")


def _parallel_sheet(path: str, group: dict[str, Row], index: int, exhibit: Exhibit) -> Sheet:
    rows = [_flattened(dict(parts))[0] for parts in group.values()]
    return _sheet(path, rows, index, exhibit, tuple(group))


def _table_sheet(path: str, rows: list[Row], index: int, exhibit: Exhibit) -> Sheet:
    return _sheet(path, rows, index, exhibit, ())


def _sheet(
    title: str, rows: list[Row], index: int, exhibit: Exhibit, labels: tuple[str, ...]
) -> Sheet:
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    cells = tuple(tuple(row.get(name) for name in columns) for row in rows)
    return Sheet(index, columns, cells, exhibit, row_labels=labels, title=title)


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _with_units(sheet: Sheet, units: Mapping[str, str]) -> Exhibit:
    """The exhibit with a measure for every column that a unit is told for."""
    measures = dict(sheet.source.measures)
    for at, column in enumerate(sheet.columns):
        unit = _unit_of(column, units)
        if unit and column not in measures and _has_figures(sheet, at):
            measures[column] = Measure(unit=unit)
    return replace(sheet.source, measures=measures)


def _unit_of(column: str, units: Mapping[str, str]) -> str:
    words = set(terms(column))
    for name, unit in units.items():
        if name and set(terms(name)) <= words:
            return unit
    return "" if words & _NO_MEASURES else units.get("", "")


def _has_figures(sheet: Sheet, column: int) -> bool:
    return any(
        isinstance(row[column], int | float) and not isinstance(row[column], bool)
        for row in sheet.rows
    )
