"""The filters and columns of one executed call, however it was written."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from veridical.check.checker import Checker
from veridical.check.dialects import dialect_named
from veridical.check.facts import Aggregate, Facts, Filter, LiteralKind
from veridical.check.from_call import facts_of_call, respelled
from veridical.check.from_sql import facts_of_sql
from veridical.contracts.answer import Source
from veridical.contracts.call import MetricCall, SqlCall, parse_call
from veridical.ontology.catalog import ColumnCard, TableCard

_WRITTEN = frozenset({LiteralKind.NUMBER, LiteralKind.TEXT, LiteralKind.BOOLEAN})
_SHOWING = frozenset({"select", "group"})
_NARROWING = frozenset({"where", "having"})


class Coverage(StrEnum):
    """The relation of a call to one thing that a question names."""

    COVERED = "covered"
    """Also where it can't be decided."""
    OTHER = "other"
    """The call is about another thing of this sort."""
    ABSENT = "absent"
    """Its tables have no column for such a thing."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A column compared with values; without values when they can't be read."""

    use: int
    """The mention of its table that the column belongs to."""
    column: ColumnCard
    op: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadCall:
    """One executed call: its tables, filters and resulting rows."""

    source: Source
    tables: tuple[TableCard, ...]
    picks: tuple[Pick, ...]
    aggregates: tuple[Aggregate, ...]
    shown: frozenset[str]
    """The columns, by name, that it shows under any heading."""

    def picks_on(self, columns: Collection[str]) -> tuple[Pick, ...]:
        """The comparisons of the columns with these names."""
        return tuple(pick for pick in self.picks if pick.column.name in columns)

    def cells(self, columns: Collection[str]) -> list[Any]:
        """The values of the shown columns with these names."""
        places = [at for at, name in enumerate(self.source.columns) if name in columns]
        return [row[at] for row in self.source.rows for at in places]

    def texts(self) -> Iterator[str]:
        """All texts in the rows."""
        return (cell for row in self.source.rows for cell in row if isinstance(cell, str))

    @property
    def columns(self) -> Iterator[ColumnCard]:
        """All columns of the tables that are read."""
        return (column for table in self.tables for column in table.columns.values())


def read_call(source: Source, checker: Checker) -> ReadCall | None:
    """The call behind a source; none where it is no readable query on tables."""
    facts = call_facts(source.tool, source.arguments, checker)
    if facts is None:
        return None
    tables = tuple(dict.fromkeys(use.table for use in facts.uses))
    added = {term.origin for each in facts.aggregates for term in each.terms}
    shown = frozenset(
        each.origin.column.name
        for each in facts.readings
        if each.clause in _SHOWING and each.origin not in added
    )
    return ReadCall(source, tables, tuple(picks_of(facts)), tuple(facts.aggregates), shown)


def call_facts(tool: str, arguments: Mapping[str, Any], checker: Checker) -> Facts | None:
    """The facts of a call that is a readable query on tables; none for any other."""
    try:
        call = parse_call({**arguments, "tool": tool})
    except ValidationError:
        return None
    if isinstance(call, MetricCall):
        return None
    if isinstance(call, SqlCall):
        facts = facts_of_sql(call.sql, checker.catalog, dialect_named(checker.dialect)).facts
    else:
        facts = facts_of_call(respelled(call), checker.catalog)
    return None if facts.problems or not facts.uses else facts


def picks_of(facts: Facts) -> Iterator[Pick]:
    """All comparisons, then the columns that conditions read in an unresolvable way."""
    compared = dict.fromkeys((*facts.comparisons, *facts.filters))
    yield from (_pick(each) for each in compared)
    plain = {each.origin for each in compared}
    joined = {side for each in facts.equalities for side in (each.left, each.right)}
    for reading in facts.readings:
        if reading.clause in _NARROWING and reading.origin not in plain | joined:
            yield Pick(reading.origin.use, reading.origin.column, "within")


def _pick(compared: Filter) -> Pick:
    values = compared.values
    written = all(each.kind in _WRITTEN for each in values)
    known = tuple(each.value for each in values) if written else ()
    return Pick(compared.origin.use, compared.origin.column, compared.op, known)


def describe_picks(picks: Iterable[Pick]) -> str:
    """The comparisons in one line: ``periodYear = 2024, periodMonth = 0``."""
    comparisons = (
        f"{pick.column.name} {pick.op} {'…'.join(map(str, pick.values))}"
        for pick in picks
        if pick.values
    )
    return ", ".join(dict.fromkeys(comparisons))
