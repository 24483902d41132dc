"""Snowflake's metrics, named ``table.metric`` as in its queries."""

from typing import Final

from veridical.ontology.importers.entity_fields import EntityFields, guard_sum
from veridical.ontology.importers.expression import ADDITIVE, aggregate_of, columns_in
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.snowflake_spec import (
    SnowflakeFile,
    SnowflakeMetric,
    SnowflakeTable,
)
from veridical.ontology.model import Constraint, ConstraintRule, Metric, MetricKind

_DIALECT: Final = "snowflake"


def add_metrics(
    view: SnowflakeFile, fields_by_entity: dict[str, EntityFields], draft: Draft
) -> None:
    """Put the metrics of the tables, then those over several tables, into the draft."""
    for table in view.tables:
        _add_default_aggregates(table, draft)
        for metric in table.metrics:
            _add_table_metric(metric, table, fields_by_entity, draft)
    known = {metric.name.casefold(): metric.name for metric in draft.metrics}
    for metric in view.metrics:
        path = f"metrics.{metric.name}"
        used = (".".join(part).casefold() for part in columns_in(metric.expr, _DIALECT))
        inputs = tuple(known[name] for name in used if name in known)
        if not inputs:
            draft.approximated(path, "several_tables", tables=metric.expr)
        draft.metrics.append(_derived(metric, metric.name, inputs))
        _note(metric, path, draft)


def _add_default_aggregates(table: SnowflakeTable, draft: Draft) -> None:
    for fact in table.facts:
        if fact.default_aggregation:
            default = fact.default_aggregation.lower()
            function = "average" if default == "avg" else default
            draft.metrics.append(
                Metric(
                    name=f"{table.name}.{fact.name}",
                    entity=table.name,
                    aggregate=function,
                    field=fact.name,
                    description=fact.description,
                    additive=function in ADDITIVE,
                )
            )
            if function in ("sum", "average"):
                path = f"{table.name}.facts.{fact.name}"
                guard_sum(f"{table.name}.{fact.name}", path, draft)


def _add_table_metric(
    metric: SnowflakeMetric,
    table: SnowflakeTable,
    fields_by_entity: dict[str, EntityFields],
    draft: Draft,
) -> None:
    path, name = f"{table.name}.metrics.{metric.name}", f"{table.name}.{metric.name}"
    single = aggregate_of(metric.expr, _DIALECT)
    if single is None:
        derived = _derived(metric, name, ()).model_copy(update={"entity": table.name})
        draft.metrics.append(derived)
        _note(metric, path, draft)
        return
    field = (
        _field(single.argument or "", fields_by_entity[table.name]) if single.is_column else None
    )
    draft.metrics.append(
        Metric(
            name=name,
            entity=table.name,
            aggregate=single.function,
            field=field,
            expr=metric.expr,
            description=metric.description,
            additive=single.function in ADDITIVE and not metric.non_additive_dimensions,
        )
    )
    if field and single.function in ("sum", "average"):
        fields_by_entity[table.name].measure(field)
        guard_sum(f"{table.name}.{field}", path, draft)
    _add_semi_additive(
        metric, f"{table.name}.{field}" if field else None, path, fields_by_entity, draft
    )
    _note(metric, path, draft, single.function)


def _derived(metric: SnowflakeMetric, name: str, inputs: tuple[str, ...]) -> Metric:
    return Metric(
        name=name,
        kind=MetricKind.DERIVED,
        expr=metric.expr,
        inputs=inputs,
        description=metric.description,
        additive=False,
    )


def _field(name: str, entity_fields: EntityFields) -> str | None:
    folded = {field.casefold(): field for field in entity_fields.fields}
    return folded.get(name.casefold()) or entity_fields.on_column(name)


def _add_semi_additive(
    metric: SnowflakeMetric,
    target: str | None,
    path: str,
    fields_by_entity: dict[str, EntityFields],
    draft: Draft,
) -> None:
    bounds = metric.non_additive_dimensions
    if not bounds:
        return
    if target is None:
        draft.dropped(path, "semi_additive_computed")
        return
    columns = (
        fields_by_entity[bound.table].column_of(bound.dimension)
        if bound.table in fields_by_entity
        else bound.dimension
        for bound in bounds
    )
    draft.constraints.append(
        Constraint(applies_to=target, rule=ConstraintRule.SEMI_ADDITIVE_OVER, fields=tuple(columns))
    )
    draft.approximated(
        path,
        "semi_additive",
        dimension=", ".join(bound.dimension for bound in bounds),
        choice=", ".join(bound.sort_direction for bound in bounds),
        groupings="-",
    )


def _note(metric: SnowflakeMetric, path: str, draft: Draft, function: str | None = None) -> None:
    if function not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=function or metric.expr)
    if metric.access_modifier == "private_access":
        draft.approximated(path, "private_member")
