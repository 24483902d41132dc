"""Cube's data model in YAML: cubes, their joins, and views over them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlglot import exp

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.cube_spec import (
    Cube,
    CubeDimension,
    CubeFile,
    CubeMeasure,
    CubeView,
    CubeViewPart,
    is_by_user,
    members_in,
    plain_sql,
)
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guard_sum,
    guessed_type,
    join_pairs,
    sourced,
)
from veridical.ontology.importers.expression import ADDITIVE, parse_sql, plain_column
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import children, unknown_keys
from veridical.ontology.importers.row_filter import add_row_filter
from veridical.ontology.model import (
    Cardinality,
    Entity,
    Field,
    Metric,
    MetricKind,
    Relation,
    Role,
    SemanticType,
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
_POLICY: Final = "access_policy"
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
    """True when there are cubes, views made of cubes, or programs that change queries."""
    views = children(document, "views")
    if document.get("rewrites") or any("cubes" in view for view in views):
        return True
    return bool(children(document, "cubes") or children(document, "computed"))


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
        _note_display(part, draft)
        for path, key in unknown_keys(part, part.name):
            if key == _POLICY:
                policy = json.dumps((part.model_extra or {}).get(key), ensure_ascii=False)
                draft.unprotected(f"{path}.{key}", "row_security", condition=policy)
            else:
                draft.dropped(path, "key_unread", part=key)
    for file in whole:
        for computed in file.computed:
            code = " ".join(computed.code.split())
            draft.dropped(computed.path, "computed_part", code=code)
        for rewrite in file.rewrites:
            code = " ".join(rewrite.split())
            draft.unprotected("queryRewrite", "queries_rewritten", code=code)


def _note_display(part: Cube | CubeView, draft: Draft) -> None:
    """One note each for what is hidden and for how figures are printed."""
    members = [] if isinstance(part, CubeView) else [*part.dimensions, *part.measures]
    hidden = [each.name for each in members if not each.public]
    if hidden or not part.public:
        names = ", ".join([part.name, *hidden] if not part.public else hidden)
        draft.approximated(f"{part.name}.hidden", "hidden_members", names=names)
    if formats := [f"{each.name} ({each.format})" for each in members if each.format]:
        draft.dropped(f"{part.name}.formats", "formats", formats=", ".join(formats))


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
    kind = guessed_type(bool(cube.measures))
    return Entity(
        name=cube.name,
        semantic_type=kind,
        description=cube.description,
        table=table_of(cube, draft),
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


def add_view(view: CubeView, draft: Draft) -> None:
    """Put the view's entity, and its measures as ``view.measure``, into the draft."""
    entities = {entity.name: entity for entity in draft.entities}
    metrics = {metric.name: metric for metric in draft.metrics}
    fields: list[Field] = []
    root: str | None = None
    for part in view.cubes:
        cube = part.join_path.rpartition(".")[2]
        if cube not in entities:
            draft.dropped(f"{view.name}.cubes.{part.join_path}", "relation_to_nowhere")
            continue
        root = root or part.join_path.partition(".")[0]
        own = {field.name: field for field in entities[cube].fields if field.role != Role.MEASURE}
        for member, name in _members(part, cube, own, metrics):
            if member in own:
                fields.append(_renamed(own[member], name))
            elif (metric := metrics.get(f"{cube}.{member}")) is not None:
                draft.metrics.append(_moved(metric, view.name, name))
            else:
                draft.dropped(f"{view.name}.{name}", "member_unknown", member=f"{cube}.{member}")
    draft.entities.append(
        Entity(
            name=view.name,
            semantic_type=SemanticType.TRANSACTION,
            description=view.description,
            parent_entity=root if root in entities else None,
            fields=tuple(fields),
        )
    )
    draft.approximated(view.name, "view")


def _members(
    part: CubeViewPart, cube: str, own: dict[str, Field], metrics: dict[str, Metric]
) -> Iterator[tuple[str, str]]:
    """Each member taken, with the name it gets in the view."""
    stem = f"{part.alias or cube}_" if part.prefix else ""
    if part.includes == "*":
        start = f"{cube}."
        measures = (name.removeprefix(start) for name in metrics if name.startswith(start))
        taken: list[Any] = [*own, *measures]
    else:
        taken = list(part.includes or ())
    for each in taken:
        name = each.get("name", "") if isinstance(each, dict) else str(each)
        alias = each.get("alias") if isinstance(each, dict) else None
        if name not in part.excludes:
            yield name, f"{stem}{alias or name}"


def _renamed(field: Field, name: str) -> Field:
    column = field.column or (field.name if field.expr is None else None)
    return field.model_copy(
        update={"name": name, "column": column if column != name else None, "role": _role(field)}
    )


def _role(field: Field) -> Role:
    return Role.DIMENSION if field.role is Role.KEY else field.role


def _moved(metric: Metric, view: str, name: str) -> Metric:
    return metric.model_copy(update={"name": f"{view}.{name}", "entity": view})


def table_of(cube: Cube, draft: Draft) -> str | None:
    """The cube's table; a condition on its rows becomes a rule, another query is noted."""
    if cube.sql_table:
        return cube.sql_table.rpartition(".")[2]
    if not cube.sql:
        return None
    path, text = f"{cube.name}.sql", " ".join(cube.sql.split())
    if is_by_user(text):
        draft.unprotected(path, "row_security", condition=text)
        return None
    tree = parse_sql(plain_sql(text, cube.name))
    if not isinstance(tree, exp.Select) or not _is_whole_table(tree):
        draft.approximated(path, "query_text", sql=text)
        return None
    if where := tree.args.get("where"):
        for column in where.find_all(exp.Column):
            column.set("table", None)
        add_row_filter(cube.name, where.this.sql(), path, draft)
    return tree.args["from_"].this.name


def _is_whole_table(query: exp.Select) -> bool:
    """True for ``SELECT * FROM table``, perhaps with a condition."""
    used = {key for key, value in query.args.items() if value}
    source = query.args.get("from_")
    return (
        used <= {"expressions", "from_", "where"}
        and query.is_star
        and len(query.expressions) == 1
        and source is not None
        and isinstance(source.this, exp.Table)
        and isinstance(source.this.this, exp.Identifier)
        and not any(query.find_all(exp.Subquery, exp.Func))
    )
