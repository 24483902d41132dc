"""The measures of an ontology as other tools know them: an aggregate over one table's rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.language import Language, in_language
from veridical.ontology.exporters.exported import ExportNotes
from veridical.ontology.importers.imported import Fidelity
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Metric,
    OntologyDescriptor,
    Role,
)

CARRIED: Final = frozenset({ConstraintRule.NEVER_SUM, ConstraintRule.FAN_OUT})
"""Rules that a measure itself keeps: its aggregate, and the table whose rows it is over."""
_UNQUOTED = re.compile(r"'[^']*'|\d+\.\d+")
_NO_NAME = re.compile(r"\W+")
_STAND_IN: Final = "veridical_column_"
_AGGREGATES: Final = frozenset({"sum", "average", "count", "count_distinct", "min", "max"})


@dataclass(frozen=True, slots=True)
class Measure:
    """One aggregate with the condition on its rows."""

    name: str
    aggregate: str
    sql: str
    """What is aggregated; empty where rows are counted."""
    conditions: tuple[str, ...] = ()
    not_over: tuple[str, ...] = ()
    """The fields over which it does not add up."""
    description: str = ""
    label: str = ""


def column_of(field: Field) -> str:
    """The column or the SQL behind a field."""
    return field.expr or field.column or field.name


def column_named(entity: Entity, name: str) -> str:
    """The column behind the field of this name; the name itself where there is no such field."""
    return next((column_of(each) for each in entity.fields if each.name == name), name)


def plain_name(name: str) -> str:
    """A name of letters, digits and underscores."""
    return _NO_NAME.sub("_", name).strip("_")


def filled(**values: Any) -> dict[str, Any]:
    """The parts of an object that are not empty."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


def rules_on(ontology: OntologyDescriptor, entity: Entity) -> list[Constraint]:
    """The constraints that name this entity or one of its fields."""
    return [
        each for each in ontology.constraints if each.applies_to.partition(".")[0] == entity.name
    ]


def measures_of(
    ontology: OntologyDescriptor, entity: Entity, notes: ExportNotes
) -> tuple[Measure, ...]:
    """The figures over the rows of an entity: its metrics, and what no metric aggregates."""
    rules = rules_on(ontology, entity)
    conditions = tuple(_conditions(entity, rules, notes))
    simple = [
        each
        for each in ontology.metrics
        if each.entity == entity.name and each.aggregate in _AGGREGATES
    ]
    found = [_of_metric(each, entity, conditions, rules) for each in simple]
    summed = {each.field for each in simple}
    for field in entity.fields:
        if field.role is Role.MEASURE and field.name not in summed:
            found += _of_field(field, entity, conditions, rules, notes)
    return tuple(found)


def _of_metric(
    metric: Metric, entity: Entity, conditions: tuple[str, ...], rules: Sequence[Constraint]
) -> Measure:
    fields = {field.name: field for field in entity.fields}
    field = fields.get(metric.field or "")
    own = (metric.filter,) if metric.filter else ()
    return Measure(
        name=_short(metric.name, entity.name),
        aggregate=metric.aggregate or "",
        sql=column_of(field) if field else metric.expr or "",
        conditions=(*conditions, *own),
        not_over=_not_over(entity, metric.field or "", rules),
        description=in_language(metric.description, Language.EN),
        label=metric.label or "",
    )


def _of_field(
    field: Field,
    entity: Entity,
    conditions: tuple[str, ...],
    rules: Sequence[Constraint],
    notes: ExportNotes,
) -> list[Measure]:
    path = f"{entity.name}.{field.name}"
    own = {each.rule for each in rules if each.applies_to == path}
    if ConstraintRule.NEVER_AGGREGATE in own:
        notes.add(Fidelity.DROPPED, path, "never_aggregated")
        return []
    is_mean = ConstraintRule.NEVER_SUM in own
    if is_mean:
        notes.add(Fidelity.APPROXIMATED, path, "mean_instead")
    measure = Measure(
        name=field.name,
        aggregate="average" if is_mean else "sum",
        sql=column_of(field),
        conditions=conditions,
        not_over=_not_over(entity, field.name, rules),
        description=in_language(field.description, Language.EN),
        label=in_language(field.label, Language.EN),
    )
    return [measure]


def _conditions(entity: Entity, rules: Sequence[Constraint], notes: ExportNotes) -> Iterator[str]:
    """The conditions of the rows that count, as far as a person confirmed them."""
    for each in rules:
        if each.rule is ConstraintRule.COUNTS_ONLY and is_filter(each, entity):
            notes.add(Fidelity.KEPT, each.applies_to, "rows_that_count", condition=each.condition)
            yield each.condition


def is_filter(rule: Constraint, entity: Entity) -> bool:
    """True for a confirmed condition on columns of the entity itself."""
    return (
        rule.rule is ConstraintRule.COUNTS_ONLY
        and not rule.warns
        and not rule.purposes
        and rule.applies_to == entity.name
        and "." not in _UNQUOTED.sub("", rule.condition)
    )


def with_columns(condition: str, written: Callable[[str], str]) -> str:
    """The condition with each column as another tool writes it."""
    try:
        tree = sqlglot.parse_one(condition, dialect="postgres")
    except (SqlglotError, RecursionError):
        return condition
    columns = list(tree.find_all(exp.Column))
    names = [column.name for column in columns]
    for place, column in enumerate(columns):
        column.replace(exp.to_identifier(f"{_STAND_IN}{place}_"))
    text = tree.sql(dialect="postgres")
    for place, name in enumerate(names):
        text = text.replace(f"{_STAND_IN}{place}_", written(name))
    return text


def rules_left(
    ontology: OntologyDescriptor,
    entity: Entity,
    notes: ExportNotes,
    is_carried: Callable[[ConstraintRule], bool],
) -> list[dict[str, Any]]:
    """The rules of an entity that the other tool has no place for, as its metadata has them."""
    left = [
        each
        for each in rules_on(ontology, entity)
        if not is_carried(each.rule) and not is_filter(each, entity)
    ]
    if left:
        kinds = ", ".join(sorted({each.rule for each in left}))
        notes.add(Fidelity.APPROXIMATED, entity.name, "in_meta", rules=kinds)
    return [each.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in left]


def _not_over(entity: Entity, field: str, rules: Sequence[Constraint]) -> tuple[str, ...]:
    return next(
        (
            each.fields
            for each in rules
            if each.rule is ConstraintRule.SEMI_ADDITIVE_OVER
            and each.applies_to == f"{entity.name}.{field}"
        ),
        (),
    )


def _short(name: str, entity: str) -> str:
    return name.removeprefix(f"{entity}.")


def note_elsewhere(ontology: OntologyDescriptor, notes: ExportNotes) -> None:
    """Note the entities without a table, and the known questions: they stay in the ontology."""
    if without := [each.name for each in ontology.entities if not each.table]:
        notes.add(Fidelity.DROPPED, "entities", "no_table", names=", ".join(without))
    if ontology.canonical_patterns:
        count = len(ontology.canonical_patterns)
        notes.add(Fidelity.DROPPED, "canonicalPatterns", "no_questions", count=count)
