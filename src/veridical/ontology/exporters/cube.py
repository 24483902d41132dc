"""Cube's data model in YAML: cubes with measures whose filters are those that a figure requires."""

from typing import Any, Final

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import ValueType
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


def cube_text(ontology: OntologyDescriptor, notes: ExportNotes) -> str:
    """The cubes of all entities that have a table."""
    note_elsewhere(ontology, notes)
    entities = {each.name: each for each in ontology.entities if each.table}
    cubes = [_cube(ontology, entity, entities, notes) for entity in entities.values()]
    return yaml_text({"cubes": cubes})


def _cube(
    ontology: OntologyDescriptor, entity: Entity, entities: dict[str, Entity], notes: ExportNotes
) -> dict[str, Any]:
    left = rules_left(ontology, entity, notes, CARRIED.__contains__)
    keys = set(entity.keys[0]) if entity.keys else set[str]()
    measures = measures_of(ontology, entity, notes)
    for each in measures:
        if each.not_over:
            path, over = f"{entity.name}.{each.name}", ", ".join(each.not_over)
            notes.add(Fidelity.UNPROTECTED, path, "summed_over", fields=over)
    taken = {each.name for each in measures}
    return filled(
        name=plain_name(entity.name),
        sql_table=entity.table,
        description=in_language(entity.description, Language.EN),
        meta={"veridical": {"rules": left}} if left else None,
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
    return filled(
        name=plain_name(field.name),
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

    return filled(
        name=plain_name(measure.name),
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
    name = plain_name(far.name)
    pairs = (
        f"{{CUBE}}.{column_named(near, one)} = {{{name}}}.{column_named(far, other)}"
        for one, other in relation.pairs
    )
    return {
        "name": name,
        "relationship": relation.cardinality.value.lower(),
        "sql": " AND ".join(pairs),
    }
