"""The effect of removing a constraint: statements of gold questions with another verdict."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic

from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Call, Filter, QueryCall, SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema, Table
from veridical.evals.gold.case import Case, Condition, GoldSet
from veridical.evals.gold.query import DIALECT, own_books
from veridical.ontology.compile import column_name, compile_catalog
from veridical.ontology.model import OntologyDescriptor, Role

SECONDS = 3.0
"""The time limit; the statements left over are reported."""


@dataclass(frozen=True, slots=True)
class Change:
    """A statement with another verdict without the constraint."""

    case: str
    question: str
    statement: str
    """``truth``, ``trap``, the ``call`` that is expected, or one that is ``loose``: the sum of a
    measure with one of the expected conditions left out."""
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes, and how many statements were looked at."""

    changes: tuple[Change, ...]
    looked: int
    left: int


def effect_of(
    ontology: OntologyDescriptor, schema: Schema, number: int, golds: Iterable[GoldSet]
) -> Effect:
    """The effect of taking away the constraint with this number."""
    kept = (each for place, each in enumerate(ontology.constraints) if place != number)
    without = ontology.model_copy(update={"constraints": tuple(kept)})
    before, after = (
        Checker(compile_catalog(schema, each), DIALECT) for each in (ontology, without)
    )
    measures = _measures(ontology, schema)
    numbers = {name: _numbers(table) for name, table in schema.tables.items()}
    statements = [
        each
        for gold in golds
        for case in gold.cases
        for each in _statements(case, measures, numbers)
    ]
    until = monotonic() + SECONDS
    changes: list[Change] = []
    looked = 0
    for case, name, call in statements:
        if monotonic() > until:
            break
        looked += 1
        codes = [_codes(checker, call, case.question) for checker in (before, after)]
        if codes[0] != codes[1]:
            changes.append(Change(case.id, case.question, name, *codes))
    return Effect(tuple(changes), looked, len(statements) - looked)


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


def _codes(checker: Checker, call: Call, question: str) -> tuple[str, ...]:
    verdict = checker.check(call, question=question)
    if isinstance(verdict, CheckedQuery):
        found = verdict.warnings
    else:
        found = (*verdict.violations, *verdict.warnings)
    return tuple(dict.fromkeys(each.code.value for each in found))
