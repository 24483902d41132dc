"""The host's record of one executed call."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlglot import exp

from veridical.contracts.call import AggregateCall, Scalar
from veridical.contracts.caller import Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import TimeRange
from veridical.engines.conditions import Condition
from veridical.engines.limits import Fetched
from veridical.engines.values import Row
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.model import Role


@dataclass(frozen=True, slots=True)
class Freshness:
    """The maximum age of a table's data, and the time of its last change."""

    limit: timedelta
    updated_at: Callable[[str], datetime | None]

    def is_stale(self, tables: Iterable[str]) -> bool:
        """True if any of these tables is older than allowed, or of unknown age."""
        oldest = datetime.now(UTC) - self.limit
        ages = (self.updated_at(table) for table in tables)
        return any(age is None or age < oldest for age in ages)


def time_ranges(conditions: Iterable[Condition]) -> tuple[TimeRange, ...]:
    """The periods in the conditions, one for each time field of each block."""
    ranges: dict[tuple[int, str], dict[str, Any]] = {}
    for condition in conditions:
        if not is_time(condition.column):
            continue
        bounds = _bounds(condition)
        if bounds:
            field = f"{condition.column.table}.{condition.column.name}"
            ranges.setdefault((condition.block, field), {}).update(bounds)
    found = {(field, *bounds.items()): (field, bounds) for (_, field), bounds in ranges.items()}
    return tuple(TimeRange(field=field, **bounds) for field, bounds in found.values())


def fixed_values(
    checked: CheckedQuery, conditions: Iterable[Condition]
) -> dict[str, str | int | float | bool]:
    """The common values of all rows, from the conditions of the query.

    A filter on a measure proves nothing about it, so it is left out.
    """
    if checked.tree is not None and not isinstance(checked.tree, exp.Select):
        return {}  # each part of a set operation has filters of its own
    return {
        condition.column.name: condition.values[0]
        for condition in conditions
        if condition.block == 0
        and condition.op in ("=", "in")
        and len(condition.values) == 1
        and condition.values[0] is not None
        and condition.column.role is not Role.MEASURE
        and condition.column.encoding is None
    }


def is_time(column: ColumnCard) -> bool:
    """True for a time field."""
    return column.role is Role.TIME or column.type.is_temporal or column.encoding is not None


def _bounds(condition: Condition) -> dict[str, Any]:
    values = [value for value in condition.values if value is not None]
    if not values:
        return {}
    match condition.op:
        case "=" | "in" | "between":
            first, last = min(values, key=_rank), max(values, key=_rank)
            return {"start": _text(first), "end": _text(last), "end_excluded": False}
        case ">" | ">=":
            return {"start": _text(values[0])}
        case "<" | "<=":
            return {"end": _text(values[0]), "end_excluded": condition.op == "<"}
        case _:
            return {}


def _rank(value: Scalar) -> tuple[float, str]:
    return (value, "") if isinstance(value, int | float) else (0.0, str(value))


def _text(value: Scalar) -> str:
    return str(value)


def names_only_foreign_tenants(conditions: Iterable[Condition], scope: Scope) -> bool:
    """True if the query names only tenants that the caller may not see."""
    return any(
        condition.op in ("=", "in")
        and condition.column.name in scope.allowed
        and not {str(value) for value in condition.values}.intersection(
            map(str, scope.allowed[condition.column.name])
        )
        for condition in conditions
    )


def is_empty(checked: CheckedQuery, fetched: Fetched) -> bool:
    """True if no row matched: there are none, or the one row is an aggregate over none."""
    if len(fetched.rows) != 1:
        return not fetched.rows
    row: Row = fetched.rows[0]
    if checked.tree is not None:
        return _aggregates_nothing(checked.tree, row)
    call = checked.call
    counts = isinstance(call, AggregateCall) and call.aggregate.lower().startswith("count")
    ungrouped = isinstance(call, AggregateCall) and not call.group_by
    return ungrouped and (row[0] is None or (counts and row[0] == 0))


def _aggregates_nothing(tree: exp.Query, row: Sequence[object]) -> bool:
    if not isinstance(tree, exp.Select) or tree.args.get("group") or not tree.find(exp.AggFunc):
        return False
    shown = [each.unalias() for each in tree.expressions]
    return len(shown) == len(row) and all(
        each.find(exp.AggFunc) is not None
        and (value is None or (isinstance(each, exp.Count) and value == 0))
        for each, value in zip(shown, row, strict=True)
    )
