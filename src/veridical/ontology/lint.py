"""The drift between an ontology and a live schema."""

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

import sqlglot
from rapidfuzz import fuzz, process
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.language import Language
from veridical.contracts.schema import Schema, ValueType
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.compile import column_name, compile_catalog
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Constraint,
    Entity,
    Favourable,
    Field,
    Judgement,
    OntologyDescriptor,
    Role,
)
from veridical.ontology.parents import is_reached
from veridical.ontology.slice import card_constraints

_ALIKE = 80.0
_SLOT = re.compile(r"\{(\w+)\}")


class DriftKind(StrEnum):
    """The kind of a drift."""

    MISSING_TABLE = "MISSING_TABLE"
    MISSING_COLUMN = "MISSING_COLUMN"
    TYPE_CHANGED = "TYPE_CHANGED"
    UNKNOWN_KEY = "UNKNOWN_KEY"
    BROKEN_RELATION = "BROKEN_RELATION"
    IDLE_CONSTRAINT = "IDLE_CONSTRAINT"
    UNKNOWN_IN_CONSTRAINT = "UNKNOWN_IN_CONSTRAINT"
    UNKNOWN_PURPOSE = "UNKNOWN_PURPOSE"
    BROKEN_PATTERN = "BROKEN_PATTERN"
    BROKEN_METRIC = "BROKEN_METRIC"
    BROKEN_JUDGEMENT = "BROKEN_JUDGEMENT"
    UNFIT_COMPARATOR = "UNFIT_COMPARATOR"
    TAKEN_JUDGEMENT = "TAKEN_JUDGEMENT"
    UNNAMED_JUDGEMENT = "UNNAMED_JUDGEMENT"
    UNFIT_FAVOURABLE = "UNFIT_FAVOURABLE"
    CONTRADICTORY_FAVOURABLE = "CONTRADICTORY_FAVOURABLE"
    UNCONFIRMED_JUDGEMENT = "UNCONFIRMED_JUDGEMENT"
    UNDESCRIBED_TABLE = "UNDESCRIBED_TABLE"
    UNDESCRIBED_COLUMN = "UNDESCRIBED_COLUMN"

    @property
    def is_note(self) -> bool:
        """True for things that are merely not described or confirmed: nothing breaks."""
        return self in (
            DriftKind.UNDESCRIBED_TABLE,
            DriftKind.UNDESCRIBED_COLUMN,
            DriftKind.UNCONFIRMED_JUDGEMENT,
        )


class Drift(Wire):
    """One place where the two differ."""

    kind: DriftKind
    path: str
    detail: str = ""

    def text(self, language: Language) -> str:
        """The finding in words."""
        return f"{self.path}: {message(f'lint.{self.kind}', language, detail=self.detail)}"


def lint(
    ontology: OntologyDescriptor, schema: Schema, dialect: str = "postgres"
) -> tuple[Drift, ...]:
    """All drift, errors first, in a stable order. The SQL of known questions is in the dialect."""
    catalog = compile_catalog(schema, ontology)
    found = (
        *_tables(ontology, catalog),
        *_undescribed(ontology, catalog),
        *_relations(ontology, catalog),
        *_constraints(ontology, catalog),
        *_patterns(ontology, catalog, dialect),
        *_metrics(ontology),
        *_judgements(ontology),
        *_favourable(ontology),
    )
    each_once = {(one.kind.is_note, one.kind, one.path, one.detail): one for one in found}
    return tuple(each_once[order] for order in sorted(each_once))


def _tables(ontology: OntologyDescriptor, catalog: Catalog) -> Iterator[Drift]:
    for entity in ontology.entities:
        if not entity.table:
            continue
        card = catalog.tables.get(entity.table)
        if card is None:
            detail = entity.table + _perhaps(entity.table, catalog.tables)
            yield Drift(kind=DriftKind.MISSING_TABLE, path=entity.name, detail=detail)
            continue
        yield from _columns(entity, card)
        for name in _unknown_columns(entity, card, (name for key in entity.keys for name in key)):
            yield Drift(kind=DriftKind.UNKNOWN_KEY, path=entity.name, detail=name)


def _columns(entity: Entity, card: TableCard) -> Iterator[Drift]:
    for field in entity.fields:
        path, column = f"{entity.name}.{field.name}", card.column(column_name(field))
        if column is None:
            if not field.expr:
                name = column_name(field)
                detail = f"{card.name}.{name}{_perhaps(name, card.columns)}"
                yield Drift(kind=DriftKind.MISSING_COLUMN, path=path, detail=detail)
        elif _family(field.type) != _family(column.type) and ValueType.UNKNOWN not in (
            field.type,
            column.type,
        ):
            yield Drift(
                kind=DriftKind.TYPE_CHANGED, path=path, detail=f"{field.type} → {column.type}"
            )


def _undescribed(ontology: OntologyDescriptor, catalog: Catalog) -> Iterator[Drift]:
    entities = {entity.table: entity for entity in ontology.entities if entity.table}
    for card in catalog.tables.values():
        entity = entities.get(card.name)
        if entity is None:
            yield Drift(kind=DriftKind.UNDESCRIBED_TABLE, path=card.name)
            continue
        described = {column_name(field).casefold() for field in entity.fields}
        for name in card.columns:
            if name.casefold() not in described:
                yield Drift(kind=DriftKind.UNDESCRIBED_COLUMN, path=f"{card.name}.{name}")


def _relations(ontology: OntologyDescriptor, catalog: Catalog) -> Iterator[Drift]:
    entities = {entity.name: entity for entity in ontology.entities}
    for relation in ontology.relations:
        for side, name in enumerate((relation.from_entity, relation.to_entity)):
            entity = entities[name]
            card = catalog.tables.get(entity.table or "")
            if card is None:
                continue
            for unknown in _unknown_columns(entity, card, (pair[side] for pair in relation.pairs)):
                path = f"{relation.from_entity}–{relation.to_entity}"
                detail = f"{name}.{unknown}"
                yield Drift(kind=DriftKind.BROKEN_RELATION, path=path, detail=detail)


def _constraints(ontology: OntologyDescriptor, catalog: Catalog) -> Iterator[Drift]:
    entities = {entity.table: entity for entity in ontology.entities if entity.table}
    purposes = {purpose.name for purpose in ontology.purposes}
    effective: set[tuple[str, str]] = set()
    for card in catalog.tables.values():
        for constraint in card_constraints(card):
            effective.add((constraint.applies_to, constraint.rule))
            named = (*_fields_of(constraint), *_named_in(card, constraint))
            own = [name for name in named if "." not in name]
            for name in _unknown_columns(entities[card.name], card, own):
                yield _on(constraint, DriftKind.UNKNOWN_IN_CONSTRAINT, f"{card.name}.{name}")
            for name in named:
                if "." in name and not is_reached(catalog, card, name):
                    yield _on(constraint, DriftKind.UNKNOWN_IN_CONSTRAINT, name)
            for name in _unknown_rates(catalog, constraint):
                yield _on(constraint, DriftKind.UNKNOWN_IN_CONSTRAINT, name)
    for constraint in ontology.constraints:
        if (constraint.applies_to, constraint.rule) not in effective:
            yield _on(constraint, DriftKind.IDLE_CONSTRAINT, constraint.rule)
        for name in set(constraint.purposes) - purposes:
            yield _on(constraint, DriftKind.UNKNOWN_PURPOSE, name)


def _fields_of(constraint: Constraint) -> tuple[str, ...]:
    return (*constraint.fields, *constraint.last_per, *constraint.instead_of)


def _named_in(card: TableCard, constraint: Constraint) -> Iterator[str]:
    """The columns of the condition of the rows that count."""
    for condition in card.counted:
        if condition.constraint is constraint:
            yield from (part.column for parts in condition.parts for part in parts)


def _unknown_rates(catalog: Catalog, constraint: Constraint) -> Iterator[str]:
    if constraint.conversion is None:
        return
    table, _, rate = constraint.conversion.rate.rpartition(".")
    card = catalog.table(table)
    for name in filter(None, (rate, constraint.conversion.unit, constraint.conversion.period)):
        if card is None or card.column(name) is None:
            yield f"{table}.{name}"


def _on(constraint: Constraint, kind: DriftKind, detail: str) -> Drift:
    return Drift(kind=kind, path=constraint.applies_to, detail=detail)


def _patterns(ontology: OntologyDescriptor, catalog: Catalog, dialect: str) -> Iterator[Drift]:
    for pattern in ontology.canonical_patterns:
        slots = {slot.name for slot in pattern.slots}
        used = set(_SLOT.findall(json.dumps(pattern.pattern)))
        unknown = [f"{{{name}}}" for name in used - slots]
        unknown += _unknown_in_pattern(pattern, catalog, dialect)
        for name in unknown:
            yield Drift(kind=DriftKind.BROKEN_PATTERN, path=pattern.intent, detail=name)


def _unknown_in_pattern(
    pattern: CanonicalQueryPattern, catalog: Catalog, dialect: str
) -> Iterable[str]:
    call = pattern.pattern
    if isinstance(sql := call.get("sql"), str):
        return _unknown_in_sql(sql, catalog, dialect)
    if not isinstance(name := call.get("tableName"), str):
        return ()
    card = catalog.table(name)
    if card is None:
        return (name,)
    return [each for each in _named_fields(call) if card.column(each) is None]


def _named_fields(call: dict[str, object]) -> Iterator[str]:
    """The fields of a structured call, in any of its arguments."""
    for argument in ("field", "fields", "groupBy", "filters"):
        value = call.get(argument)
        for each in value if isinstance(value, list | tuple) else [value]:
            name = each.get("field") if isinstance(each, dict) else each
            if isinstance(name, str) and name != "*" and not _SLOT.search(name):
                yield name


def _unknown_in_sql(sql: str, catalog: Catalog, dialect: str) -> list[str]:
    try:
        tree = sqlglot.parse_one(_SLOT.sub("1", sql), dialect=dialect)
    except SqlglotError:
        return ["sql"]
    local = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
    named = {table.name for table in tree.find_all(exp.Table)} - local
    cards = [card for name in named if (card := catalog.table(name))]
    defined = {alias.alias for alias in tree.find_all(exp.Alias)}
    columns = {column.name for column in tree.find_all(exp.Column)} - defined
    unknown = [name for name in named if catalog.table(name) is None]
    return unknown + [
        name for name in columns if name and not any(card.column(name) for card in cards)
    ]


def _metrics(ontology: OntologyDescriptor) -> Iterator[Drift]:
    entities = {entity.name: entity for entity in ontology.entities}
    metrics = {metric.name for metric in ontology.metrics}
    for metric in ontology.metrics:
        unknown = [name for name in metric.inputs if name not in metrics]
        if metric.entity and metric.entity not in entities:
            unknown.append(metric.entity)
        elif metric.entity and metric.field:
            fields = {field.name for field in entities[metric.entity].fields}
            unknown += [] if metric.field in fields else [metric.field]
        for name in unknown:
            yield Drift(kind=DriftKind.BROKEN_METRIC, path=metric.name, detail=name)


def _judgements(ontology: OntologyDescriptor) -> Iterator[Drift]:
    for entity in ontology.entities:
        fields = {field.name: field for field in entity.fields}
        taken = {name.casefold() for each in fields.values() for name in (each.name, each.column)
                 if name}  # fmt: skip
        for judgement in entity.judgements:
            path = f"{entity.name}.{judgement.name}"
            for name in judgement.fields:
                if name not in fields:
                    detail = name + _perhaps(name, fields)
                    yield Drift(kind=DriftKind.BROKEN_JUDGEMENT, path=path, detail=detail)
            field = fields.get(judgement.field)
            if field is not None and not _fits(judgement, field):
                detail = f"{judgement.comparator} ({field.type})"
                yield Drift(kind=DriftKind.UNFIT_COMPARATOR, path=path, detail=detail)
            if not judgement.label:
                yield Drift(kind=DriftKind.UNNAMED_JUDGEMENT, path=path)
            called = [each for each in judgement.names if each.casefold() in taken]
            for name in called[:1]:
                yield Drift(kind=DriftKind.TAKEN_JUDGEMENT, path=path, detail=name)
            taken.update(each.casefold() for each in judgement.names)
            if judgement.proposed:
                detail = judgement.told()
                yield Drift(kind=DriftKind.UNCONFIRMED_JUDGEMENT, path=path, detail=detail)


def _fits(judgement: Judgement, field: Field) -> bool:
    """True if values have an order here: not texts, nor yes and no."""
    if not judgement.comparator.orders or field.numeric or field.encoding is not None:
        return True
    return field.type.is_numeric or field.type.is_temporal or field.type is ValueType.UNKNOWN


def _favourable(ontology: OntologyDescriptor) -> Iterator[Drift]:
    """Directions on fields that are no measure, and contradictions of one column or one label."""
    directions: dict[str, tuple[str, Favourable]] = {}
    for entity in ontology.entities:
        for field in entity.fields:
            if field.favourable is None:
                continue
            path = f"{entity.name}.{field.name}"
            if field.role is not Role.MEASURE:
                detail = field.role.value
                yield Drift(kind=DriftKind.UNFIT_FAVOURABLE, path=path, detail=detail)
            labels = (field.label,) if isinstance(field.label, str) else field.label.values()
            column = f"{entity.table or entity.parent_entity}.{column_name(field)}"
            for name in (column, *(f"“{each.casefold()}”" for each in labels if each)):
                other, way = directions.setdefault(name, (path, field.favourable))
                if way is not field.favourable:
                    detail = f"{other} {way}, {field.favourable}"
                    kind = DriftKind.CONTRADICTORY_FAVOURABLE
                    yield Drift(kind=kind, path=path, detail=detail)


def _unknown_columns(entity: Entity, card: TableCard, names: Iterable[str]) -> Iterator[str]:
    fields = {field.name: field for field in entity.fields}
    for name in names:
        field = fields.get(name)
        computed = field is not None and field.expr is not None
        if not computed and card.column(column_name(field) if field else name) is None:
            yield name


def _perhaps(name: str, known: Iterable[str]) -> str:
    """The name that this one may have become."""
    found = process.extractOne(
        name, tuple(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=_ALIKE
    )
    return f" ({found[0]}?)" if found else ""


def _family(kind: ValueType) -> ValueType:
    return ValueType.NUMBER if kind.is_numeric else kind
