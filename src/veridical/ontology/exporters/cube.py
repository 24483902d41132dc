"""Cube's data model in YAML: cubes with measures whose filters are those that a figure requires."""

import re
from typing import Any, Final

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import ValueType
from veridical.ontology.exporters.exported import ExportNotes
from veridical.ontology.exporters.measures import (
    Measure,
    column_of,
    is_filter,
    measures_of,
    note_elsewhere,
    note_left,
    rules_on,
    with_columns,
)
from veridical.ontology.importers.imported import Fidelity
from veridical.ontology.model import (
    Cardinality,
    ConstraintRule,
    Entity,
    Field,
    OntologyDescriptor,
    Relation,
    Role,
)
from veridical.ontology.yaml_text import yaml_text

_TYPES: Final = {
    ValueType.INTEGER: "number",
    ValueType.NUMBER: "number",
    ValueType.BOOLEAN: "boolean",
    ValueType.DATE: "time",
    ValueType.TIMESTAMP: "time",
}
_MEASURES: Final = {"average": "avg"}
_NAME = re.compile(r"\W+")
_CARRIED: Final = frozenset({ConstraintRule.NEVER_SUM, ConstraintRule.FAN_OUT})


def cube_text(ontology: OntologyDescriptor, notes: ExportNotes) -> str:
    """The cubes of all entities that have a table."""
    note_elsewhere(ontology, notes)
    entities = {each.name: each for each in ontology.entities if each.table}
    cubes = [_cube(ontology, entity, entities, notes) for entity in entities.values()]
    return yaml_text({"cubes": cubes})


def _cube(
    ontology: OntologyDescriptor, entity: Entity, entities: dict[str, Entity], notes: ExportNotes
) -> dict[str, Any]:
    rules = rules_on(ontology, entity)
    left = [each for each in rules if each.rule not in _CARRIED and not is_filter(each, entity)]
    note_left(left, entity, notes)
    meta = [each.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in left]
    keys = set(entity.keys[0]) if entity.keys else set[str]()
    measures = measures_of(ontology, entity, notes)
    for each in measures:
        if each.not_over:
            path, over = f"{entity.name}.{each.name}", ", ".join(each.not_over)
            notes.add(Fidelity.UNPROTECTED, path, "summed_over", fields=over)
    taken = {each.name for each in measures}
    return _filled(
        name=_named(entity.name),
        sql_table=entity.table,
        description=in_language(entity.description, Language.EN),
        meta={"veridical": {"rules": meta}} if meta else None,
        joins=[
            join
            for each in ontology.relations
            if each.from_entity == entity.name and (join := _join(each, entities, notes))
        ],
        dimensions=[
            _dimension(each, each.name in keys)
            for each in entity.fields
            if each.name not in taken or each.name in keys
        ],
        measures=[
            *(_measure(each, entity) for each in measures),
            *([] if "count" in taken else [{"name": "count", "type": "count"}]),
        ],
    )


def _dimension(field: Field, is_key: bool) -> dict[str, Any]:
    kind = "time" if field.role is Role.TIME and field.encoding is None else None
    return _filled(
        name=_named(field.name),
        sql=column_of(field),
        type=kind or _TYPES.get(field.type, "string"),
        primary_key=is_key or None,
        title=in_language(field.label, Language.EN),
        description=in_language(field.description, Language.EN),
    )


def _measure(measure: Measure, entity: Entity) -> dict[str, Any]:
    columns = {each.name: column_of(each) for each in entity.fields}

    def in_cube(name: str) -> str:
        return f"{{CUBE}}.{columns.get(name, name)}"

    return _filled(
        name=_named(measure.name),
        sql=measure.sql or None,
        type=_MEASURES.get(measure.aggregate, measure.aggregate),
        filters=[{"sql": with_columns(each, in_cube)} for each in measure.conditions],
        title=measure.label,
        description=measure.description,
        meta={"veridical": {"notSummedOver": list(measure.not_over)}} if measure.not_over else None,
    )


def _join(
    relation: Relation, entities: dict[str, Entity], notes: ExportNotes
) -> dict[str, Any] | None:
    path = f"{relation.from_entity} → {relation.name or relation.to_entity}"
    if relation.to_entity not in entities or not relation.pairs:
        notes.add(Fidelity.DROPPED, path, "relation_without_columns")
        return None
    if relation.name or relation.cardinality is Cardinality.MANY_TO_MANY:
        notes.add(Fidelity.DROPPED, path, "relation_twice")
        return None
    near, far = entities[relation.from_entity], entities[relation.to_entity]
    pairs = (
        f"{{CUBE}}.{_column(near, one)} = {{{_named(far.name)}}}.{_column(far, other)}"
        for one, other in relation.pairs
    )
    return {
        "name": _named(far.name),
        "relationship": relation.cardinality.value.lower(),
        "sql": " AND ".join(pairs),
    }


def _column(entity: Entity, name: str) -> str:
    return next((column_of(each) for each in entity.fields if each.name == name), name)


def _named(name: str) -> str:
    """A name that Cube takes: letters, digits and underscores."""
    return _NAME.sub("_", name).strip("_")


def _filled(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}
