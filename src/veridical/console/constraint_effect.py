"""The effect of adding or removing a constraint: statements with another verdict, among gold
questions and among what ran in the last weeks."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Row, text

from veridical.check.checker import Checker
from veridical.contracts.call import (
    CALL_MODELS,
    AggregateCall,
    Call,
    Filter,
    QueryCall,
    SqlCall,
    parse_call,
)
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema, Table
from veridical.evals.gold.case import Case, Condition, GoldSet
from veridical.evals.gold.query import DIALECT, own_books
from veridical.ontology.compile import column_name, compile_catalog
from veridical.ontology.model import OntologyDescriptor, Role

SECONDS = 3.0
"""The time limit; the statements left over are reported."""
MOST = 2_000
"""The most statements that ran which are looked at."""
_RAN = text("""
    SELECT e.trace_id, s.event -> 'question' ->> 'text' AS question,
           coalesce(e.event -> 'ranAs' ->> 'tool', e.event ->> 'tool') AS tool,
           coalesce(e.event -> 'ranAs' -> 'arguments', e.event -> 'arguments') AS arguments
    FROM veridical.runs r
    JOIN veridical.events s ON s.trace_id = r.trace_id AND s.sequence = 0
    JOIN veridical.events e ON e.trace_id = r.trace_id AND e.kind = 'toolCalled'
    WHERE r.tenant = :tenant AND r.started_at >= :since
      AND s.event -> 'question' ->> 'feature' = :feature
      AND e.event ->> 'success' = 'true'
    ORDER BY r.started_at DESC, e.sequence LIMIT :most
""")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is looked at."""

    case: str
    """Of a gold question; the run of one that ran."""
    question: str
    name: str
    """``ran``; of a gold question the ``truth``, the ``trap``, the ``call`` that is expected, or
    one that is ``loose``: the sum of a measure with one of the expected conditions left out."""
    call: Call


@dataclass(frozen=True, slots=True)
class Change:
    """A statement with another verdict."""

    statement: Statement
    before: tuple[str, ...]
    after: tuple[str, ...]
    is_refused: bool
    """True if it would be refused now and was not before."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes, and how many statements were looked at."""

    changes: tuple[Change, ...]
    looked: int
    left: int

    @property
    def refused(self) -> int:
        """The number of statements that would be refused."""
        return sum(each.is_refused for each in self.changes)

    @property
    def warned(self) -> int:
        """The number of further statements that would get another warning."""
        return len(self.changes) - self.refused


def effect_of(
    before: OntologyDescriptor,
    after: OntologyDescriptor,
    schema: Schema,
    statements: Sequence[Statement],
    dialect: str = DIALECT,
) -> Effect:
    """The effect of a change of the constraints on these statements."""
    checkers = [Checker(compile_catalog(schema, each), dialect) for each in (before, after)]
    until = monotonic() + SECONDS
    changes: list[Change] = []
    looked = 0
    for each in statements:
        if monotonic() > until:
            break
        looked += 1
        (old, passed), (new, passes) = (_verdict(checker, each) for checker in checkers)
        if old != new:
            changes.append(Change(each, old, new, passed and not passes))
    return Effect(tuple(changes), looked, len(statements) - looked)


def without_constraint(ontology: OntologyDescriptor, number: int) -> OntologyDescriptor:
    """The ontology without the constraint with this number."""
    kept = (each for place, each in enumerate(ontology.constraints) if place != number)
    return ontology.model_copy(update={"constraints": tuple(kept)})


def gold_statements(
    ontology: OntologyDescriptor, schema: Schema, golds: Iterable[GoldSet]
) -> list[Statement]:
    """The statements of gold questions."""
    measures = _measures(ontology, schema)
    numbers = {name: _numbers(table) for name, table in schema.tables.items()}
    return [
        Statement(each.id, each.question, name, call)
        for gold in golds
        for case in gold.cases
        for each, name, call in _statements(case, measures, numbers)
    ]


def _statements(
    case: Case,
    measures: Mapping[str, tuple[str, ...]],
    numbers: Mapping[str, frozenset[str]],
) -> Iterator[tuple[Case, str, Call]]:
    for name, oracle in (("truth", case.truth), ("trap", case.wrong_if)):
        tree = own_books(oracle) if oracle else None
        if tree is not None:
            yield case, name, SqlCall(tree.sql(DIALECT))
    expected = case.expected_tool_pattern
    if expected is None or expected.table_name not in measures:
        return
    own = numbers[expected.table_name]
    filters = tuple(_filter(each, is_number=each.field in own) for each in expected.conditions)
    yield case, "call", QueryCall(table_name=expected.table_name, filters=filters)
    for measure in measures[expected.table_name]:
        for left_out in filters:
            kept = tuple(each for each in filters if each is not left_out)
            yield (
                case,
                "loose",
                AggregateCall(
                    table_name=expected.table_name, aggregate="sum", field=measure, filters=kept
                ),
            )


def _numbers(table: Table) -> frozenset[str]:
    return frozenset(column.name for column in table.columns if column.type.is_numeric)


def _filter(each: Condition, *, is_number: bool) -> Filter:
    values = tuple(
        int(value) if is_number and value.isdecimal() else value for value in each.values
    )
    if each.op == "=" and len(values) > 1:
        return Filter(field=each.field, op="in", value=values)
    return Filter(field=each.field, op=each.op, value=values if len(values) != 1 else values[0])


def _measures(ontology: OntologyDescriptor, schema: Schema) -> dict[str, tuple[str, ...]]:
    """By table: the first of its measures, which stands for the others: each costs a check."""
    return {
        entity.table: tuple(
            column_name(field) for field in entity.fields if field.role is Role.MEASURE
        )[:1]
        for entity in ontology.entities
        if entity.table and entity.table in schema.tables
    }


def _verdict(checker: Checker, statement: Statement) -> tuple[tuple[str, ...], bool]:
    """The codes of the findings, and whether the statement passes."""
    verdict = checker.check(statement.call, question=statement.question)
    passes = isinstance(verdict, CheckedQuery)
    found = verdict.warnings if passes else (*verdict.violations, *verdict.warnings)
    return tuple(dict.fromkeys(each.code.value for each in found)), passes


def past_statements(
    connection: Connection, tenant: str, feature: str, since: datetime
) -> tuple[Statement, ...]:
    """The statements that ran for a feature, each once, the newest first."""
    wanted = {"tenant": tenant, "feature": feature, "since": since, "most": MOST}
    found: dict[str, Statement] = {}
    for row in connection.execute(_RAN, wanted):
        key = json.dumps([row.tool, row.arguments], sort_keys=True)
        if key not in found:
            found.update((key, each) for each in _statement(row))
    return tuple(found.values())


def _statement(row: Row[Any]) -> Iterator[Statement]:
    if row.tool not in CALL_MODELS or not isinstance(row.arguments, dict):
        return
    try:
        call = parse_call({**row.arguments, "tool": row.tool})
    except ValidationError:
        return
    yield Statement(row.trace_id, row.question or "", "ran", call)
