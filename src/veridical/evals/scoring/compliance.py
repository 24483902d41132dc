"""Pattern compliance: whether a run made the expected call, and no forbidden one.

A call counts by its table and its filters, in arguments or in SQL, which is read as the check
reads it. A known question counts as the call that was run for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from veridical.check.checker import Checker
from veridical.check.dialects import dialect_named
from veridical.check.facts import Facts, Filter, LiteralKind
from veridical.check.from_call import facts_of_call, respelled
from veridical.check.from_sql import facts_of_sql
from veridical.contracts.call import MetricCall, SqlCall, parse_call
from veridical.contracts.schema import ValueType
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import Condition, ToolPattern
from veridical.evals.scoring.narrowing import Compared, Narrowing, narrowing
from veridical.ontology.catalog import ColumnCard


def is_compliant(
    pattern: ToolPattern | None, trace: AgentTrace, checker: Checker | None
) -> bool | None:
    """True if calls that succeeded are the expected ones; none where none is expected, and where
    there is no checker to read calls."""
    if pattern is None or checker is None:
        return None
    read = [(call, facts) for call in _succeeded(trace) if (facts := _facts(call, checker))]
    return any(_is_met(each, read) for each in (pattern, *pattern.alternatives))


def forbidden_used(forbidden: tuple[str, ...], trace: AgentTrace) -> tuple[str, ...]:
    """The forbidden tools that were called with success, or run for a known question, each once."""
    used = {tool for call in _succeeded(trace) for tool in _tools(call)}
    return tuple(sorted(used & set(forbidden)))


def _succeeded(trace: AgentTrace) -> Iterator[ToolCalled]:
    for event in trace.events:
        if isinstance(event, ToolCalled) and event.success:
            yield event


def _tools(call: ToolCalled) -> tuple[str, ...]:
    return (call.tool, call.ran_as.tool) if call.ran_as else (call.tool,)


def _facts(called: ToolCalled, checker: Checker) -> Facts | None:
    """The facts of a call; none for one without a table."""
    ran = called.ran_as
    tool, arguments = (ran.tool, ran.arguments) if ran else (called.tool, called.arguments)
    try:
        call = parse_call({**arguments, "tool": tool})
    except ValidationError:
        return None
    if isinstance(call, MetricCall):
        return None
    if isinstance(call, SqlCall):
        return facts_of_sql(call.sql, checker.catalog, dialect_named(checker.dialect)).facts
    return facts_of_call(respelled(call), checker.catalog)


def _is_met(pattern: ToolPattern, calls: Iterable[tuple[ToolCalled, Facts]]) -> bool:
    """True if some calls together ask for all of it, and each of them for nothing else: for two
    years one call may do, or two."""
    wanted: defaultdict[str, list[Condition]] = defaultdict(list)
    for condition in pattern.conditions:
        wanted[condition.field].append(condition)
    tools, selected = set(pattern.tool.split("|")), set[tuple[str, str]]()
    fitting = False
    for call, facts in calls:
        if not tools.intersection(_tools(call)) or not _is_about(pattern.table_name, facts):
            continue
        left = {field: _left(field, conditions, facts) for field, conditions in wanted.items()}
        if None in left.values():
            continue
        fitting = True
        selected.update((field, point) for field, points in left.items() for point in points or ())
    return fitting and all(
        (field, value) in selected
        for field, conditions in wanted.items()
        for condition in conditions
        if condition.op == "="
        for value in condition.values
    )


def _is_about(table: str, facts: Facts) -> bool:
    return not table or any(use.table.name == table for use in facts.uses)


class _TableUse(NamedTuple):
    use: int
    table: str


def _left(field: str, wanted: list[Condition], facts: Facts) -> frozenset[str] | None:
    """The wanted values that the call leaves of a field, none where it leaves anything else.

    Every mention of a table counts: a second one without the condition brings back the rest.
    """
    columns = {
        _TableUse(use.id, use.table.name): use.table.columns[field]
        for use in facts.uses
        if field in use.table.columns
    }
    narrowed = _narrowed(field, columns, facts)
    tables = {place.table for place in narrowed}
    if not tables or any(each.table in tables and each not in narrowed for each in columns):
        return None
    left: set[str] = set()
    for place, mine in narrowed.items():
        as_code = _as_code(columns[place])
        if not all(each.meets(_wanted(wanted, as_code=as_code)) for each in mine):
            return None
        left.update(point for each in mine for point in each.points or ())
        if not any(each.points for each in mine):  # one value as a span
            left.update(value for each in wanted for value in each.values)
    return frozenset(left)


def _narrowed(
    field: str, columns: Mapping[_TableUse, ColumnCard], facts: Facts
) -> dict[_TableUse, list[Narrowing]]:
    """The values left of the field in each mention of a table that narrows it: by conditions on all
    rows, else by those that each sum is taken under."""
    found: dict[_TableUse, list[Narrowing]] = {}
    for place, column in columns.items():
        required = [each for each in facts.filters if _is_on(each, place, field)]
        sums = [required] if required else _under_sums(field, place, facts)
        if sums:
            as_code = _as_code(column)
            found[place] = [narrowing(map(_compared, each), as_code=as_code) for each in sums]
    return found


def _under_sums(field: str, place: _TableUse, facts: Facts) -> list[list[Filter]]:
    terms = [
        [each for each in term.conditions if _is_on(each, place, field)]
        for aggregate in facts.aggregates
        for term in aggregate.terms
        if term.origin.use == place.use
    ]
    return terms if terms and all(terms) else []


def _is_on(each: Filter, place: _TableUse, field: str) -> bool:
    return each.origin.use == place.use and each.origin.column.name == field


def _compared(each: Filter) -> Compared:
    if any(value.kind is LiteralKind.OTHER for value in each.values):
        return Compared("unknown", ())
    return Compared(each.op, tuple(str(value.value) for value in each.values))


def _wanted(conditions: Iterable[Condition], *, as_code: bool) -> Narrowing:
    """The conditions on one field, of which those with values are alternatives."""
    listed = tuple(value for each in conditions if each.op == "=" for value in each.values)
    others = [Compared(each.op, each.values) for each in conditions if each.op != "="]
    if listed:
        others.append(Compared("in", listed))
    return narrowing(others, as_code=as_code)


def _as_code(column: ColumnCard) -> bool:
    return column.type is ValueType.TEXT
