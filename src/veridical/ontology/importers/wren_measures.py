"""Computed parts of MDL: measures of cubes, and columns that aggregate or reach other models."""

from collections.abc import Mapping

from sqlglot import exp

from veridical.ontology.importers.entity_fields import EntityFields, guard_sum
from veridical.ontology.importers.expression import (
    ADDITIVE,
    aggregate_of,
    parse_sql,
    plain_column,
)
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.wren_spec import (
    WrenColumn,
    WrenCube,
    WrenExpression,
    WrenModel,
)
from veridical.ontology.model import Metric, MetricKind, Role


def is_computed(expression: str, dialect: str | None) -> bool:
    """True if a column needs more than its own row: an aggregate, or another model's column."""
    tree = parse_sql(expression, dialect)
    if tree is None:
        return True
    reaches = any(column.table for column in tree.find_all(exp.Column))
    return reaches or tree.find(exp.AggFunc) is not None


def add_calculated(column: WrenColumn, model: WrenModel, draft: Draft, dialect: str | None) -> None:
    """Adds an aggregate over a relationship as a metric that doesn't add up; drops a look-up."""
    path = f"{model.name}.{column.name}"
    tree = parse_sql(column.expression, dialect)
    if tree is None or tree.find(exp.AggFunc) is None:
        draft.dropped(path, "calculated_elsewhere", expr=column.expression)
        return
    single = aggregate_of(column.expression, dialect)
    draft.approximated(path, "calculated", expr=column.expression)
    draft.metrics.append(
        Metric(
            name=f"{model.name}.{column.name}",
            kind=MetricKind.DERIVED,
            entity=model.name,
            aggregate=single.function if single else None,
            expr=column.expression,
            description=column.properties.description,
            additive=False,
        )
    )


def add_cube(
    cube: WrenCube, fields_by_entity: Mapping[str, EntityFields], draft: Draft, dialect: str | None
) -> None:
    """Put a cube's measures into the draft, on its base model."""
    fields = fields_by_entity.get(cube.base_object)
    if fields is None:
        draft.dropped(cube.name, "member_unknown", member=cube.base_object)
        return
    for each in cube.time_dimensions:
        name = _field_of(plain_column(each.expression) or "", fields)
        if name and fields.fields[name].role is Role.DIMENSION:
            fields.fields[name] = fields.fields[name].model_copy(update={"role": Role.TIME})
    for measure in cube.measures:
        _add_measure(measure, cube, fields, draft, dialect)


def _add_measure(
    measure: WrenExpression,
    cube: WrenCube,
    fields: EntityFields,
    draft: Draft,
    dialect: str | None,
) -> None:
    path = f"{cube.name}.measures.{measure.name}"
    single = aggregate_of(measure.expression, dialect)
    function = single.function if single else None
    named = single.argument if single and single.is_column else None
    field = _field_of(named or "", fields)
    if field and function in ("sum", "average"):
        fields.measure(field)
        guard_sum(f"{cube.base_object}.{field}", path, draft)
    if function not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=function or measure.expression)
    draft.metrics.append(
        Metric(
            name=f"{cube.name}.{measure.name}",
            kind=MetricKind.SIMPLE if single else MetricKind.DERIVED,
            entity=cube.base_object,
            aggregate=function,
            field=field,
            expr=measure.expression,
            description=measure.properties.description,
            label=measure.properties.display_name or None,
            additive=function in ADDITIVE,
        )
    )


def _field_of(name: str, fields: EntityFields) -> str | None:
    """The field of this name, or else the one on that column."""
    return name if name in fields.fields else fields.on_column(name)
