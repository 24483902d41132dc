"""Counts a table in four statements, at any width; a sample if it has many rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from veridical.contracts.schema import Column, Table, ValueType
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, Sampling, TableProfile, Value
from veridical.onboarding.shapes import shapes_of
from veridical.onboarding.source import Source

Item = TypeVar("Item")
FEW = 60
"""Columns with at most so many values are counted value by value."""
_HANDFUL = 40
_AT_ONCE = 60
"""Columns of one statement."""
_LONGEST = 120
"""Characters of a value that is kept."""
_CELL = 8
_FEWER = 10
_UNCOUNTABLE = frozenset({ValueType.JSON, ValueType.OTHER, ValueType.INTERVAL})
_LISTED = frozenset({ValueType.TEXT, ValueType.INTEGER, ValueType.BOOLEAN, ValueType.UNKNOWN})


def profile_table(source: Source, table: Table) -> TableProfile:
    """The profile of a table within the budget; the bare schema if nothing can be counted."""
    bare = TableProfile(
        name=table.name,
        counted=False,
        is_view=table.is_view,
        keys=table.keys,
        links=tuple((key.columns, key.target, key.target_columns) for key in table.foreign_keys),
        columns=tuple(ColumnProfile(name=each.name, type=each.type) for each in table.columns),
    )
    place = source.table(table.name)
    most = source.meter.budget.rows
    about = source.about(table.name)
    if about is not None and about > most:
        source.large.add(place)
    total = source.one(f"SELECT COUNT(*) FROM {place}")
    if total is None and about is None:
        return bare
    rows = int(total[0]) if total else about or 0
    known = bare.model_copy(update={"rows": rows, "is_about": total is None, "most": most})
    for way, some in _attempts(rows, most):
        tried = known.model_copy(update={"sampling": way, "most": some})
        found = _count(source, table, tried)
        if found is None or (rows and not found.seen):
            continue
        whole = _with_values(source, found)
        if place not in source.large:  # what was estimated is counted already
            source.meter.add(found.seen * len(found.columns) * _CELL)
        if whole is not None:
            return whole
    return bare


def _attempts(rows: int, most: int) -> tuple[tuple[Sampling, int], ...]:
    """All rows, or else a sample, and a smaller one where the bytes don't suffice for it.

    A view or a table without row numbers can't be sampled everywhere: then its first rows.
    """
    if rows <= most:
        return ((Sampling.NONE, most),)
    ways = (Sampling.SPREAD, Sampling.FIRST)
    return tuple((way, some) for way in ways for some in (most, max(1, most // _FEWER)))


def _count(source: Source, table: Table, profile: TableProfile) -> TableProfile | None:
    """The profile with its columns counted; None if a statement fails."""
    columns: list[ColumnProfile] = []
    seen = 0
    for some in _portions(table.columns):
        aggregates = [_aggregates(source, column) for column in some]
        flat = [part for parts in aggregates for part in parts]
        row = source.one(f"SELECT COUNT(*), {', '.join(flat)} FROM {source.rows_of(profile)}")
        if row is None:
            return None
        seen = int(row[0])
        cells = iter(row[1:])
        columns += [
            _column(column, [next(cells) for _ in parts])
            for column, parts in zip(some, aggregates, strict=True)
        ]
    counted = {"seen": seen, "counted": True, "columns": tuple(columns)}
    return profile.model_copy(update={**counted, "rows": max(profile.rows, seen)})


def _aggregates(source: Source, column: Column) -> list[str]:
    name = f"t.{source.name(column.name)}"
    aggregates = [f"COUNT({name})"]
    if column.type in _UNCOUNTABLE:
        return aggregates
    aggregates.append(f"COUNT(DISTINCT {name})")
    if column.type is ValueType.BOOLEAN:
        return aggregates
    if column.type is ValueType.TEXT:
        text = f"CAST({name} AS TEXT)"
        return [*aggregates, f"MIN({text})", f"MAX({text})", f"MAX(LENGTH({text}))"]
    aggregates += [f"MIN({name})", f"MAX({name})"]
    if column.type.is_numeric or column.type is ValueType.UNKNOWN:
        whole = f"CASE WHEN {name} <> ROUND({name}) THEN 1 ELSE 0 END"
        if column.type is ValueType.UNKNOWN:  # its values have no type that could be computed with
            return aggregates
        aggregates += [f"SUM(CASE WHEN {name} < 0 THEN 1 ELSE 0 END)", f"SUM({whole})"]
    return aggregates


def _column(column: Column, cells: Sequence[Any]) -> ColumnProfile:
    filled, distinct, low, high, *rest = [*cells, *[None] * (4 - len(cells))]
    found: dict[str, Any] = {
        "name": column.name,
        "type": column.type,
        "filled": filled or 0,
        "distinct": distinct or 0,
        "low": _kept(column, low),
        "high": _kept(column, high),
    }
    if column.type is ValueType.TEXT:
        found["longest"] = (rest or [0])[0] or 0
    elif len(rest) == 2:
        found |= {"negatives": rest[0] or 0, "fractions": rest[1] or 0}
    return ColumnProfile(**found)


def _kept(column: Column, value: Any) -> Value:
    """The value to keep; a number that came as text, to keep its digits, is a number."""
    if isinstance(value, str) and column.type.is_numeric:
        try:
            return float(value)
        except ValueError:
            return value[:_LONGEST]
    return value[:_LONGEST] if isinstance(value, str) else value


def _with_values(source: Source, profile: TableProfile) -> TableProfile | None:
    """The profile with the values of columns that have few, and the shapes of a handful of rows;
    None if the budget ends before."""
    origin = source.rows_of(profile)
    few = [each for each in profile.columns if _has_few(profile, each)]
    values = _values(source, origin, few)
    rows = source.ask(f"SELECT * FROM {origin} LIMIT {_HANDFUL}", _HANDFUL)
    if values is None or rows is None:
        return None
    shapes = dict(_shapes(profile.columns, rows))
    columns = tuple(
        _without_people(
            each.model_copy(
                update={"values": values.get(each.name, ()), **shapes.get(each.name, {})}
            )
        )
        for each in profile.columns
    )
    return profile.model_copy(update={"columns": columns})


def _without_people(column: ColumnProfile) -> ColumnProfile:
    """The profile without names and addresses of people, only with their number."""
    named = hints_at(column.name, "person_name") or hints_at(column.name, "person_detail")
    if not column.is_text or not (named or column.has_shape("mail") or column.has_shape("phone")):
        return column
    return column.model_copy(update={"low": None, "high": None, "values": ()})


def _has_few(profile: TableProfile, column: ColumnProfile) -> bool:
    listed = column.type in _LISTED and 0 < column.distinct <= FEW
    return listed and column.longest <= _LONGEST and not profile.is_unique(column)


def _values(
    source: Source, origin: str, columns: Sequence[ColumnProfile]
) -> dict[str, tuple[tuple[Value, int], ...]] | None:
    found: dict[str, tuple[tuple[Value, int], ...]] = {}
    for some in _portions(columns):
        parts = [
            f"SELECT {number} AS c, CAST(t.{source.name(each.name)} AS TEXT) AS v, COUNT(*) AS n"
            f" FROM {origin} WHERE t.{source.name(each.name)} IS NOT NULL GROUP BY 2"
            for number, each in enumerate(some)
        ]
        rows = source.ask(" UNION ALL ".join(parts))
        if rows is None:
            return None
        for number, each in enumerate(some):
            present = [
                (_typed(each, value), count) for place, value, count in rows if place == number
            ]
            found[each.name] = tuple(sorted(present, key=lambda pair: (-pair[1], str(pair[0]))))
    return found


def _portions(columns: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (columns[start : start + _AT_ONCE] for start in range(0, len(columns), _AT_ONCE))


def _typed(column: ColumnProfile, text: Any) -> Value:
    if column.is_numeric and isinstance(text, str):
        try:
            return int(text)
        except ValueError:
            return text
    return text


def _shapes(
    columns: Iterable[ColumnProfile], rows: Sequence[Sequence[Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, column in enumerate(columns):
        present = [row[number] for row in rows if row[number] is not None]
        counts: dict[str, int] = {}
        for value in present:
            for shape in shapes_of(value):
                counts[shape] = counts.get(shape, 0) + 1
        yield column.name, {"shapes": counts, "looked_at": len(present)}
