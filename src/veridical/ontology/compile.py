"""Schema and ontology in, one catalog out: every glob expanded, every name resolved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from veridical.contracts.caller import Permissions
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.ontology.catalog import Catalog, ColumnCard, JoinCard, TableCard
from veridical.ontology.demands import Demands
from veridical.ontology.metric_scope import visible_graph
from veridical.ontology.metrics import MetricGraph
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Conversion,
    Entity,
    Field,
    OntologyDescriptor,
    Role,
)
from veridical.ontology.name_kinds import is_total_name, kinds_of
from veridical.ontology.row_condition import RowCondition, parts_of

Card = TypeVar("Card")

_CARD_SLOT: dict[ConstraintRule, str] = {
    ConstraintRule.NEVER_AGGREGATE: "never_aggregate",
    ConstraintRule.NEVER_SUM: "never_aggregate",
    ConstraintRule.SEMI_ADDITIVE_OVER: "semi_additive",
    ConstraintRule.SAME_UNIT: "same_unit",
    ConstraintRule.FAN_OUT: "fan_out",
    ConstraintRule.ALLOWED_VALUES: "allowed_values",
    ConstraintRule.ONLY_FOR_PURPOSE: "purpose",
    ConstraintRule.TYPE_MISMATCH_GUARD: "encoding_guard",
    ConstraintRule.EMPTY_COUNTS: "empty_counts",
    ConstraintRule.LOCAL_DAYS: "local_days",
    ConstraintRule.NOT_KEPT: "not_kept",
    ConstraintRule.NOT_UNIQUE: "not_unique",
    ConstraintRule.SIGNED: "signed",
    ConstraintRule.INCLUDES: "includes",
    ConstraintRule.SPELLINGS: "spellings",
}
_OF_THINGS = (
    ConstraintRule.FIRST_OR_LAST,
    ConstraintRule.MERGED_INTO,
    ConstraintRule.PERIOD_BY,
)
_WITHIN_A_DAY = frozenset({"second", "minute", "hour"})
_MIRRORED = {
    Cardinality.ONE_TO_MANY: Cardinality.MANY_TO_ONE,
    Cardinality.MANY_TO_ONE: Cardinality.ONE_TO_MANY,
}


def compile_catalog(schema: Schema | None, ontology: OntologyDescriptor | None = None) -> Catalog:
    """The catalog of this schema under this ontology; either may be missing.

    Without a schema the ontology's own fields are the columns.
    """
    if ontology is None:
        cards = {table.name: _bare_card(table) for table in (schema or Schema()).tables.values()}
        return _catalog(cards, None)
    physical = schema or schema_of(ontology)
    entities = {entity.table.casefold(): entity for entity in ontology.entities if entity.table}
    demands = Demands(ontology)
    folded = _fold(dict(physical.tables))
    joins = _joins(ontology, folded)
    placed = {
        name: spelling
        for entity in ontology.entities
        if (spelling := _placed(entity, folded))
        for name in (entity.name, spelling.table.name)
    }
    cards = {
        table.name: _card(
            table, entities.get(table.name.casefold()), demands, joins.get(table.name, []), placed
        )
        for table in physical.tables.values()
    }
    return _catalog(cards, ontology)


def restrict(catalog: Catalog, permissions: Permissions) -> Catalog:
    """The part of the catalog that these permissions show; the rest is kept as hidden names."""
    if permissions.allow == ("*",) and not permissions.deny:
        return catalog
    hidden: set[str] = set()
    shown: dict[str, TableCard] = {}
    for card in catalog.tables.values():
        columns = {
            column.name: column
            for column in card.columns.values()
            if _permitted(f"{card.name}.{column.name}", card.name, permissions)
        }
        hidden.update(
            f"{card.name}.{name}".casefold() for name in card.columns if name not in columns
        )
        if columns:
            shown[card.name] = replace(card, columns=columns, folded=_fold(columns))
        else:
            hidden.update((card.name.casefold(), ".".join(card.place(())).casefold()))
    metrics = catalog.metrics
    if metrics is not None:
        columns = {card.name: tuple(card.columns) for card in shown.values()}
        metrics = visible_graph(metrics, columns, hidden)
    return replace(
        catalog, tables=shown, folded=_fold(shown), metrics=metrics, hidden=frozenset(hidden)
    )


def with_values(
    catalog: Catalog, values: Mapping[str, Mapping[str, Iterable[str | int | float]]]
) -> Catalog:
    """The catalog with all values of some columns: table, column, values."""
    tables = dict(catalog.tables)
    for table_name, by_column in values.items():
        card = tables[table_name]
        columns = {
            name: replace(column, values=frozenset(by_column[name]))
            if name in by_column
            else column
            for name, column in card.columns.items()
        }
        tables[table_name] = replace(card, columns=columns, folded=_fold(columns))
    return replace(catalog, tables=tables, folded=_fold(tables))


def schema_of(ontology: OntologyDescriptor) -> Schema:
    """The tables that an ontology describes, for use where no live schema is at hand."""
    return Schema.of(
        Table(
            entity.table,
            tuple(Column(column_name(field), field.type) for field in entity.fields),
            keys=tuple(_columns_of(entity, key) for key in entity.keys),
        )
        for entity in ontology.entities
        if entity.table
    )


def column_name(field: Field) -> str:
    """The physical column behind a field."""
    return field.column or field.name


def _catalog(cards: dict[str, TableCard], ontology: OntologyDescriptor | None) -> Catalog:
    if ontology is None:
        return Catalog(cards, _fold(cards))
    graph = MetricGraph(ontology) if ontology.metrics else None
    return Catalog(cards, _fold(cards), graph, ontology.purposes, _notions(ontology), ontology.hash)


def _notions(ontology: OntologyDescriptor) -> frozenset[str]:
    named: dict[bool, set[str]] = {True: set(), False: set()}
    for each in ontology.constraints:
        named[each.rule is ConstraintRule.ONLY_FOR_PURPOSE].update(each.purposes)
    return frozenset(named[False] - named[True])


def _fold(cards: dict[str, Card]) -> dict[str, Card]:
    return {name.casefold(): card for name, card in cards.items()}


def _permitted(column: str, table: str, permissions: Permissions) -> bool:
    def matches(patterns: Iterable[str]) -> bool:
        return any(
            fnmatchcase(column, pattern) or ("." not in pattern and fnmatchcase(table, pattern))
            for pattern in patterns
        )

    return matches(permissions.allow) and not matches(permissions.deny)


def _nullable(table: Table) -> frozenset[str]:
    """The columns that may be empty; none if all but the keys may, which is just the default."""
    keys = {name for key in table.keys for name in key}
    optional = frozenset(column.name for column in table.columns if column.nullable)
    chosen = any(not column.nullable and column.name not in keys for column in table.columns)
    return optional - keys if chosen else frozenset()


def _bare_card(table: Table) -> TableCard:
    nullable = _nullable(table)
    columns = {
        column.name: ColumnCard(
            column.name,
            table.name,
            column.type,
            named_total=is_total_name(column.name),
            named=kinds_of(column.name),
            nullable=column.name in nullable,
        )
        for column in table.columns
    }
    return TableCard(
        table.name,
        columns,
        _fold(columns),
        keys=tuple(frozenset(key) for key in table.keys),
        joins=_foreign_joins(table),
        schema=table.schema,
        own_name=table.own_name,
    )


def _foreign_joins(table: Table) -> tuple[JoinCard, ...]:
    return tuple(
        JoinCard(
            key.target,
            tuple(zip(key.columns, key.target_columns, strict=True)),
            Cardinality.MANY_TO_ONE,
        )
        for key in table.foreign_keys
    )


def _card(
    table: Table,
    entity: Entity | None,
    demands: Demands,
    joins: list[JoinCard],
    placed: "Mapping[str, _Spelling]",
) -> TableCard:
    bare = _bare_card(table)
    if entity is None:
        return bare
    fields = {column_name(field).casefold(): field for field in entity.fields}
    spelling = _Spelling(entity, table, placed)
    columns: dict[str, ColumnCard] = {}
    for column in table.columns:
        field = fields.get(column.name.casefold())
        optional = field is not None and field.optional
        columns[column.name] = replace(
            _column_card(column, spelling, field, demands),
            nullable=optional or bare.columns[column.name].nullable,
        )
    keys = {*bare.keys, *(frozenset(spelling.all(key)) for key in entity.keys)}
    return TableCard(
        table.name,
        columns,
        _fold(columns),
        entity.name,
        entity.description,
        tuple(sorted(keys, key=sorted)),
        (*joins, *bare.joins),
        tuple(
            spelling.applied(each)
            for each in demands.on_entity(entity, ConstraintRule.REQUIRES_FILTER_ON)
        ),
        tuple(
            spelling.counted(each) for each in demands.on_entity(entity, ConstraintRule.COUNTS_ONLY)
        ),
        tuple(
            spelling.applied(each)
            for rule in _OF_THINGS
            for each in demands.on_entity(entity, rule)
        ),
        next(demands.on_entity(entity, ConstraintRule.ONLY_FOR_PURPOSE), None),
        table.schema,
        table.own_name,
    )


class _Spelling:
    """An entity's fields as its table spells the columns behind them."""

    def __init__(
        self, entity: Entity, table: Table, others: "Mapping[str, _Spelling] | None" = None
    ) -> None:
        self.entity = entity
        self.table = table
        self._others = others or {}
        self._columns = {column.name.casefold(): column.name for column in table.columns}
        self._fields = {field.name: column_name(field) for field in entity.fields}

    def all(self, fields: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self._one, fields))

    def _one(self, name: str) -> str:
        """The column of a field; ``table.column`` for a field of a parent, ``Order.currency``."""
        owner, dot, field = name.rpartition(".")
        other = self._others.get(owner) if dot else None
        if other is not None:
            column = other.all((field,))[0]
            return column if other.table is self.table else f"{other.table.name}.{column}"
        named = self._fields.get(name, name)
        return self._columns.get(named.casefold(), named)

    def applied(self, constraint: Constraint) -> Constraint:
        opening = self.all((constraint.opening,))[0] if constraint.opening else None
        update = {
            "fields": self.all(constraint.fields),
            "settled_by": self.all(constraint.settled_by),
            "where_read": self.all(constraint.where_read),
            "opening": opening,
            "last_per": self.all(constraint.last_per),
            "instead_of": self.all(constraint.instead_of),
            "conversion": self._converting(constraint.conversion),
        }
        if all(getattr(constraint, name) == value for name, value in update.items()):
            return constraint
        return constraint.model_copy(update=update)

    def _converting(self, conversion: Conversion | None) -> Conversion | None:
        if conversion is None:
            return None
        owner = conversion.rate.rpartition(".")[0]
        there = self._others.get(owner, self)
        update = {
            "rate": self._one(conversion.rate),
            "unit": there._one(conversion.unit.rpartition(".")[2]),
            "period": there._one(conversion.period.rpartition(".")[2]),
        }
        return conversion.model_copy(update=update)

    def counted(self, constraint: Constraint) -> RowCondition:
        """The rows that count, by the columns of the tables."""
        parts = tuple(
            tuple(replace(part, column=self._one(part.column)) for part in alternatives)
            for alternatives in parts_of(constraint.condition)
        )
        return RowCondition(self.applied(constraint), parts)


def _column_card(
    column: Column, spelling: _Spelling, field: Field | None, demands: Demands
) -> ColumnCard:
    name = field.name if field else column.name
    applied = [spelling.applied(each) for each in demands.on_field(spelling.entity, name)]
    slots: dict[str, Any] = {
        _CARD_SLOT[each.rule]: each for each in applied if each.rule in _CARD_SLOT
    }
    levels = {each.fields: each for each in applied if each.rule is ConstraintRule.ONE_LEVEL}
    guard = slots.get("encoding_guard")
    closed = slots.get("allowed_values")
    known = column.type is not ValueType.UNKNOWN
    return ColumnCard(
        column.name,
        spelling.table.name,
        column.type if known or not field else field.type,
        field.role if field else Role.DIMENSION,
        field.description if field else "",
        guard.encoding if guard else (field.encoding if field else None),
        numeric_text=field is not None and field.numeric,
        timed=field is not None and field.grain in _WITHIN_A_DAY,
        allowed_texts=frozenset(map(str, closed.values)) if closed else None,
        one_level=tuple(levels.values()),
        scale=field.scale if field else 1.0,
        percent=field.percent if field else None,
        **slots,
    )


def _columns_of(entity: Entity, fields: Iterable[str]) -> tuple[str, ...]:
    names = {field.name: column_name(field) for field in entity.fields}
    return tuple(names.get(name, name) for name in fields)


def _joins(ontology: OntologyDescriptor, tables: dict[str, Table]) -> dict[str, list[JoinCard]]:
    """The declared joins by table; ``tables`` are the physical ones by casefolded name."""
    entities = {entity.name: entity for entity in ontology.entities}
    joins: defaultdict[str, list[JoinCard]] = defaultdict(list)
    for relation in ontology.relations:
        here = _placed(entities[relation.from_entity], tables)
        there = _placed(entities[relation.to_entity], tables)
        if here and there and relation.pairs:
            near = here.all(pair[0] for pair in relation.pairs)
            far = there.all(pair[1] for pair in relation.pairs)
            pairs = tuple(zip(near, far, strict=True))
            joins[here.table.name].append(JoinCard(there.table.name, pairs, relation.cardinality))
            back = tuple(zip(far, near, strict=True))
            mirrored = _MIRRORED.get(relation.cardinality, relation.cardinality)
            joins[there.table.name].append(JoinCard(here.table.name, back, mirrored))
    return joins


def _placed(entity: Entity, tables: dict[str, Table]) -> _Spelling | None:
    table = tables.get(entity.table.casefold()) if entity.table else None
    return _Spelling(entity, table) if table else None
