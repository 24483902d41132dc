"""dbt: semantic models with entities, dimensions and measures, and metrics with their filters."""

from collections.abc import Iterator
from typing import Any, Final

from veridical.contracts.language import Language, in_language
from veridical.ontology.exporters.exported import ExportNotes
from veridical.ontology.exporters.measures import (
    CARRIED,
    Measure,
    column_named,
    column_of,
    filled,
    measures_of,
    note_elsewhere,
    plain_name,
    rules_left,
    with_columns,
)
from veridical.ontology.importers.imported import Fidelity
from veridical.ontology.model import (
    Cardinality,
    ConstraintRule,
    Entity,
    Field,
    OntologyDescriptor,
    Role,
)
from veridical.ontology.yaml_text import yaml_text

_DAY: Final = "day"


def dbt_text(ontology: OntologyDescriptor, notes: ExportNotes) -> str:
    """The semantic models of all entities that have a table, and a metric for each measure."""
    note_elsewhere(ontology, notes)
    models: list[dict[str, Any]] = []
    metrics: list[dict[str, Any]] = []
    for entity in (each for each in ontology.entities if each.table):
        measures = measures_of(ontology, entity, notes)
        models.append(_model(ontology, entity, measures, notes))
        metrics += [_metric(each, entity) for each in measures]
    return yaml_text({"semantic_models": models, "metrics": metrics})


def _model(
    ontology: OntologyDescriptor,
    entity: Entity,
    measures: tuple[Measure, ...],
    notes: ExportNotes,
) -> dict[str, Any]:
    over = {name for each in measures for name in each.not_over}
    times = [each for each in entity.fields if each.role is Role.TIME or each.name in over]
    if measures and not times:
        notes.add(Fidelity.APPROXIMATED, entity.name, "no_time")
    left = rules_left(ontology, entity, notes, lambda rule: _is_carried(rule, measures))
    joined = list(_entities(ontology, entity, notes))
    keys = {each["expr"] for each in joined}
    aggregated = {each.sql for each in measures}
    return filled(
        name=_named(entity.name),
        model=f"ref('{entity.table}')",
        description=in_language(entity.description, Language.EN),
        config={"meta": {"veridical": {"rules": left}}} if left else None,
        defaults={"agg_time_dimension": _named(times[0].name)} if measures and times else None,
        entities=joined,
        primary_entity=None if _has_primary(joined) else _named(entity.name),
        dimensions=[
            _dimension(each, each.name in over)
            for each in entity.fields
            if column_of(each) not in keys | aggregated
        ],
        measures=[_measure(each, entity) for each in measures],
    )


def _is_carried(rule: ConstraintRule, measures: tuple[Measure, ...]) -> bool:
    if rule is ConstraintRule.SEMI_ADDITIVE_OVER:
        return any(each.not_over for each in measures)
    return rule in CARRIED


def _has_primary(entities: list[dict[str, Any]]) -> bool:
    return any(each["type"] == "primary" for each in entities)


def _entities(
    ontology: OntologyDescriptor, entity: Entity, notes: ExportNotes
) -> Iterator[dict[str, Any]]:
    """Its key, and the keys of the entities that it points to: dbt joins by equal names."""
    for key in entity.keys[:1]:
        if len(key) == 1:
            yield {
                "name": _named(entity.name),
                "type": "primary",
                "expr": column_named(entity, key[0]),
            }
    seen: set[str] = set()
    for each in ontology.relations:
        if each.from_entity != entity.name:
            continue
        path = f"{entity.name} → {each.name or each.to_entity}"
        is_plain = len(each.pairs) == 1 and each.cardinality is not Cardinality.MANY_TO_MANY
        if not is_plain or each.to_entity in seen or each.cardinality is Cardinality.ONE_TO_MANY:
            notes.add(
                Fidelity.DROPPED,
                path,
                "relation_twice" if each.pairs else "relation_without_columns",
            )
            continue
        seen.add(each.to_entity)
        yield {
            "name": _named(each.to_entity),
            "type": "foreign",
            "expr": column_named(entity, each.pairs[0][0]),
        }


def _dimension(field: Field, is_moment: bool) -> dict[str, Any]:
    column = column_of(field)
    is_time = field.role is Role.TIME or is_moment
    return filled(
        name=_named(field.name),
        type="time" if is_time else "categorical",
        expr=column if column != _named(field.name) else None,
        label=in_language(field.label, Language.EN),
        description=in_language(field.description, Language.EN),
        type_params={"time_granularity": field.grain or _DAY} if is_time else None,
    )


def _measure(measure: Measure, entity: Entity) -> dict[str, Any]:
    times = {each.name for each in entity.fields if each.role in (Role.TIME, Role.KEY)}
    over = next((each for each in measure.not_over if each in times), None)
    return filled(
        name=_unique(measure, entity),
        agg=measure.aggregate,
        expr=measure.sql or "1",
        description=measure.description,
        non_additive_dimension={"name": _named(over), "window_choice": "max"} if over else None,
    )


def _metric(measure: Measure, entity: Entity) -> dict[str, Any]:
    conditions = [_templated(each, entity) for each in measure.conditions]
    return filled(
        name=_unique(measure, entity),
        type="simple",
        label=measure.label or measure.name,
        description=measure.description,
        type_params={"measure": _unique(measure, entity)},
        filter=" AND ".join(conditions) or None,
    )


def _templated(condition: str, entity: Entity) -> str:
    """The condition with dimensions in place of columns."""

    def dimension(name: str) -> str:
        return f"{{{{ Dimension('{_named(entity.name)}__{_named(name)}') }}}}"

    return with_columns(condition, dimension)


def _unique(measure: Measure, entity: Entity) -> str:
    """Measures of all models share one list of names."""
    return _named(f"{entity.name}_{measure.name}")


def _named(name: str) -> str:
    """A name that dbt takes: lower case letters, digits and underscores."""
    return plain_name(name).lower()
