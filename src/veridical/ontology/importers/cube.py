"""Cube's data model in YAML: cubes, their joins, and views over them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.cube_spec import (
    Cube,
    CubeDimension,
    CubeFile,
    CubeMeasure,
    members_in,
    plain_sql,
)
from veridical.ontology.importers.cube_views import add_view
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guard_sum,
    guessed_type,
    join_pairs,
    sourced,
)
from veridical.ontology.importers.expression import ADDITIVE, plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import children, unknown_keys
from veridical.ontology.model import (
    Cardinality,
    Entity,
    Field,
    Metric,
    MetricKind,
    Relation,
    Role,
)

_TYPES: Final = {
    "string": ValueType.TEXT,
    "number": ValueType.NUMBER,
    "boolean": ValueType.BOOLEAN,
    "time": ValueType.TIMESTAMP,
}
_AGGREGATES: Final = {
    "sum": "sum",
    "count": "count",
    "avg": "average",
    "min": "min",
    "max": "max",
    "count_distinct": "count_distinct",
    "count_distinct_approx": "count_distinct",
}
_RELATIONSHIPS: Final = {
    "many_to_one": Cardinality.MANY_TO_ONE,
    "belongs_to": Cardinality.MANY_TO_ONE,
    "belongsTo": Cardinality.MANY_TO_ONE,
    "one_to_many": Cardinality.ONE_TO_MANY,
    "has_many": Cardinality.ONE_TO_MANY,
    "hasMany": Cardinality.ONE_TO_MANY,
    "one_to_one": Cardinality.ONE_TO_ONE,
    "has_one": Cardinality.ONE_TO_ONE,
    "hasOne": Cardinality.ONE_TO_ONE,
}


def recognises(document: Mapping[str, Any]) -> bool:
    """True when there are cubes, or views made of cubes."""
    views = children(document, "views")
    return bool(children(document, "cubes")) or any("cubes" in view for view in views)


def read(document: Mapping[str, Any]) -> CubeFile:
    """The typed document. Raises ``pydantic.ValidationError``."""
    return CubeFile.model_validate(document)


def build(files: Iterable[CubeFile], draft: Draft) -> None:
    """Put all cubes, then all views, into the draft."""
    whole = list(files)
    declared = {cube.name: cube for file in whole for cube in file.cubes}
    cubes = [_extended(cube, declared) for cube in declared.values()]
    fields_by_entity = {cube.name: _entity_fields(cube) for cube in cubes}
    for cube in cubes:
        for measure in cube.measures:
            _add_measure(measure, cube, fields_by_entity[cube.name], draft)
        draft.entities.append(_entity(cube, fields_by_entity[cube.name], draft))
        draft.relations.extend(_relations(cube, fields_by_entity, draft))
    for view in (view for file in whole for view in file.views):
        add_view(view, draft)
    for part in (part for file in whole for part in (*file.cubes, *file.views)):
        for path, key in unknown_keys(part, part.name):
            draft.dropped(path, "key_unread", part=key)


def _extended(cube: Cube, declared: Mapping[str, Cube]) -> Cube:
    """The cube with its inherited members; its own members win."""
    parent = declared.get(cube.extends or "")
    if parent is None or parent is cube:
        return cube
    above = _extended(parent, {name: each for name, each in declared.items() if each is not cube})

    def joined(key: str) -> tuple[Any, ...]:
        own = getattr(cube, key)
        names = {member.name for member in own}
        return (*(each for each in getattr(above, key) if each.name not in names), *own)

    members = {key: joined(key) for key in ("joins", "dimensions", "measures")}
    source = {} if cube.sql or cube.sql_table else {"sql": above.sql, "sql_table": above.sql_table}
    return cube.model_copy(update={**members, **source})


def _entity_fields(cube: Cube) -> EntityFields:
    entity_fields = EntityFields()
    for each in cube.dimensions:
        entity_fields.put(sourced(_field(each), _source(each.sql, cube.name)))
    for measure in cube.measures:
        column = plain_column(_source(measure.sql, cube.name))
        if column and entity_fields.on_column(column) is None and measure.type in ("sum", "avg"):
            entity_fields.put(Field(name=column, role=Role.MEASURE, type=ValueType.NUMBER))
    return entity_fields


def _field(dimension: CubeDimension) -> Field:
    is_time = dimension.type == "time"
    role = Role.KEY if dimension.primary_key else Role.TIME if is_time else Role.DIMENSION
    return Field(
        name=dimension.name,
        role=role,
        type=_TYPES.get(dimension.type, ValueType.UNKNOWN),
        description=dimension.description,
        synonyms=(dimension.title,) if dimension.title else (),
    )


def _source(sql: str | None, cube: str) -> str | None:
    return plain_sql(sql, cube).strip() if sql else None


def _entity(cube: Cube, entity_fields: EntityFields, draft: Draft) -> Entity:
    key = tuple(each.name for each in cube.dimensions if each.primary_key)
    if not key:
        draft.approximated(cube.name, "no_key")
    if cube.sql and not cube.sql_table:
        draft.approximated(f"{cube.name}.sql", "query_source")
    kind = guessed_type(bool(cube.measures))
    return Entity(
        name=cube.name,
        semantic_type=kind,
        description=cube.description,
        table=cube.sql_table.rpartition(".")[2] if cube.sql_table else None,
        fields=tuple(entity_fields.fields.values()),
        keys=(key,) if key else (),
        synonyms=(cube.title,) if cube.title else (),
    )


def _relations(
    cube: Cube, fields_by_entity: dict[str, EntityFields], draft: Draft
) -> Iterator[Relation]:
    for join in cube.joins:
        path = f"{cube.name}.joins.{join.name}"
        kind = _RELATIONSHIPS.get(join.relationship)
        if join.name not in fields_by_entity or kind is None:
            draft.dropped(path, "relation_to_nowhere")
            continue
        via = join_pairs(plain_sql(join.sql, cube.name), cube.name, join.name, fields_by_entity)
        if via is None:
            draft.approximated(path, "join_unreadable", sql=join.sql)
        yield Relation(from_entity=cube.name, to_entity=join.name, cardinality=kind, via=via or ())


def _add_measure(
    measure: CubeMeasure, cube: Cube, entity_fields: EntityFields, draft: Draft
) -> None:
    path = f"{cube.name}.measures.{measure.name}"
    function = _AGGREGATES.get(measure.type)
    source = _source(measure.sql, cube.name)
    column = plain_column(source)
    field = entity_fields.on_column(column) if column and function else None
    if field and function in ("sum", "average"):
        entity_fields.measure(field)
        guard_sum(f"{cube.name}.{field}", path, draft)
    if measure.rolling_window:
        window = ", ".join(f"{key} {value}" for key, value in measure.rolling_window.items())
        draft.approximated(path, "cumulative", window=window)
    if function not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=measure.type)
    conditions = [plain_sql(each.sql, cube.name) for each in measure.filters]
    draft.metrics.append(
        Metric(
            name=f"{cube.name}.{measure.name}",
            kind=MetricKind.CUMULATIVE
            if measure.rolling_window
            else MetricKind.SIMPLE
            if function
            else MetricKind.DERIVED,
            entity=cube.name,
            aggregate=function,
            field=field,
            expr=None if field else source,
            inputs=() if function else members_in(measure.sql or "", cube.name),
            filter=" AND ".join(f"({each})" for each in conditions) or None,
            description=measure.description,
            label=measure.title,
            additive=function in ADDITIVE and not measure.rolling_window,
        )
    )
