"""One dbt semantic model as an entity: its links, its fields, the constraints of its measures."""

from typing import Final

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.dbt_spec import DbtDimension, DbtEntity, DbtMeasure, DbtModel
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guard_sum,
    guessed_type,
    sourced,
)
from veridical.ontology.importers.expression import plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    Link,
    LinkKind,
    Role,
    SemanticType,
)

_SUMMED: Final = frozenset({"sum", "average"})
_COUNTED: Final = frozenset({"count", "count_distinct"})


def fields_of(model: DbtModel) -> EntityFields:
    """Dimensions first, then keys, then measures: a column used as several is its last use."""
    entity_fields = EntityFields()
    for dimension in model.dimensions:
        entity_fields.put(_dimension(dimension))
    for key in model.entities:
        column = plain_column(key.expr or key.name)
        if column is None:
            entity_fields.put(Field(name=key.name, role=Role.KEY, expr=key.expr))
        elif entity_fields.on_column(column) is None:
            entity_fields.put(Field(name=column, role=Role.KEY, description=key.description))
    for measure in model.measures:
        measured_field(measure, entity_fields)
    return entity_fields


def measured_field(measure: DbtMeasure, entity_fields: EntityFields) -> str:
    """The name of the field that a measure aggregates, put on the entity_fields when it is new."""
    expr = measure.expr or measure.name
    column = plain_column(expr)
    value_type = ValueType.NUMBER if measure.agg in _SUMMED else ValueType.UNKNOWN
    if column is None:
        return entity_fields.put(
            Field(
                name=measure.name,
                role=Role.MEASURE,
                type=value_type,
                expr=expr,
                description=measure.description,
            )
        )
    known = entity_fields.on_column(column)
    if known and (measure.agg in _COUNTED or entity_fields.fields[known].role is Role.MEASURE):
        return known
    name = measure.name if column in entity_fields.fields else column
    return entity_fields.put(
        Field(
            name=name,
            role=Role.MEASURE,
            type=value_type,
            column=column if name != column else None,
            description=measure.description,
        )
    )


def add_entity(model: DbtModel, entity_fields: EntityFields, draft: Draft) -> None:
    """Put the entity of this model, and the constraints of its measures, into the draft."""
    links = links_of(model)
    keys = [
        (name,)
        for key in model.entities
        if key.type in ("primary", "unique")
        and (name := entity_fields.on_column(plain_column(key.expr or key.name) or ""))
    ]
    draft.entities.append(
        Entity(
            name=model.name,
            semantic_type=_semantic_type(model),
            description=model.description,
            table=model.table,
            fields=tuple(entity_fields.fields.values()),
            keys=tuple(keys),
            links=links,
            synonyms=(model.label,) if model.label else (),
        )
    )
    for key in model.entities:
        if plain_column(key.expr or key.name) is None:
            draft.approximated(f"{model.name}.entities.{key.name}", "computed_key", expr=key.expr)
    for measure in model.measures:
        _add_demands(model, measure, entity_fields, draft)


def links_of(model: DbtModel) -> tuple[Link, ...]:
    """The links of a model, its nameless primary key among them."""
    links = [
        Link(name=key.name, kind=_kind(key), expr=key.expr if key.expr != key.name else None)
        for key in model.entities
    ]
    if model.primary_entity and all(link.name != model.primary_entity for link in links):
        links.append(Link(name=model.primary_entity, kind=LinkKind.PRIMARY))
    return tuple(links)


def _kind(key: DbtEntity) -> LinkKind:
    return LinkKind(key.type.upper())


def _dimension(dimension: DbtDimension) -> Field:
    is_time = dimension.type == "time"
    plain = Field(
        name=dimension.name,
        role=Role.TIME if is_time else Role.DIMENSION,
        description=dimension.description,
        grain=dimension.type_params.time_granularity if is_time else None,
        synonyms=(dimension.label,) if dimension.label else (),
    )
    return sourced(plain, dimension.expr)


def _semantic_type(model: DbtModel) -> SemanticType:
    is_snapshot = any(measure.non_additive_dimension for measure in model.measures)
    return guessed_type(bool(model.measures), is_snapshot)


def _add_demands(
    model: DbtModel, measure: DbtMeasure, entity_fields: EntityFields, draft: Draft
) -> None:
    target = f"{model.name}.{measured_field(measure, entity_fields)}"
    path = f"{model.name}.measures.{measure.name}"
    if measure.agg in _SUMMED and plain_column(measure.expr or measure.name):
        guard_sum(target, path, draft)
    bound = measure.non_additive_dimension
    if bound is None:
        return
    draft.constraints.append(
        Constraint(
            applies_to=target,
            rule=ConstraintRule.SEMI_ADDITIVE_OVER,
            fields=(entity_fields.column_of(bound.name),),
        )
    )
    draft.approximated(
        path,
        "semi_additive",
        dimension=bound.name,
        choice=bound.window_choice,
        groupings=", ".join(bound.window_groupings) or "-",
    )
