"""Fits an imported ontology to the existing tables, and renders the same knowledge as text."""

from collections.abc import Iterator, Mapping

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import Schema
from veridical.ontology.compile import column_name
from veridical.ontology.lines import join_line, metric_line, rule_lines
from veridical.ontology.model import Entity, Field, Metric, OntologyDescriptor

_LANGUAGE = Language.EN


def fitted(ontology: OntologyDescriptor, schema: Schema) -> OntologyDescriptor:
    """The part of the ontology about these tables, in their spelling.

    A field that only a semantic layer can compute is no column; the metrics over it have its SQL.
    """
    places = {name.casefold(): name for name in schema.tables}
    kept = {
        entity.name: _placed(entity, schema, places[entity.table.casefold()])
        for entity in ontology.entities
        if entity.table and entity.table.casefold() in places
    }
    computed = {
        (entity.name, field.name): field.expr
        for entity in ontology.entities
        for field in entity.fields
        if field.expr
    }
    return ontology.model_copy(
        update={
            "entities": tuple(kept.values()),
            "relations": tuple(
                each
                for each in ontology.relations
                if each.from_entity in kept and each.to_entity in kept
            ),
            "constraints": tuple(
                each for each in ontology.constraints if each.applies_to.partition(".")[0] in kept
            ),
            "metrics": tuple(_with_sql(each, computed) for each in _metrics(ontology, kept)),
        }
    )


def as_hints(ontology: OntologyDescriptor) -> str:
    """The ontology beyond names and types, as lines of text."""
    entities = {entity.name: entity for entity in ontology.entities}
    lines = [*_descriptions(ontology)]
    lines += (join_line(relation, entities) for relation in ontology.relations)
    lines += (rule.full for rule in rule_lines(ontology.constraints, entities, _LANGUAGE))
    lines += (metric_line(metric, _LANGUAGE) for metric in ontology.metrics)
    return "\n".join(lines)


def _placed(entity: Entity, schema: Schema, table: str) -> Entity:
    """The entity with the table's own names; what the table has no column for is left out."""
    columns = {column.name.casefold(): column.name for column in schema.tables[table].columns}

    def spelled(field: Field) -> Field:
        return field.model_copy(update={"column": columns[column_name(field).casefold()]})

    fields = [spelled(field) for field in entity.fields if column_name(field).casefold() in columns]
    names = {field.name for field in fields}
    keys = tuple(key for key in entity.keys if names.issuperset(key))
    return entity.model_copy(update={"table": table, "fields": tuple(fields), "keys": keys})


def _metrics(ontology: OntologyDescriptor, entities: Mapping[str, Entity]) -> tuple[Metric, ...]:
    """The metrics over these entities, and those over them in turn."""
    kept = {each.name: each for each in ontology.metrics if (each.entity or "") in entities}
    waiting = [each for each in ontology.metrics if each.entity is None]
    while found := [each for each in waiting if all(name in kept for name in each.inputs)]:
        kept.update((each.name, each) for each in found)
        waiting = [each for each in waiting if each.name not in kept]
    return tuple(each for each in ontology.metrics if each.name in kept)


def _with_sql(metric: Metric, computed: Mapping[tuple[str, str], str]) -> Metric:
    sql = computed.get((metric.entity or "", metric.field or ""))
    return metric.model_copy(update={"field": None, "expr": sql}) if sql else metric


def _descriptions(ontology: OntologyDescriptor) -> Iterator[str]:
    for entity in ontology.entities:
        if description := in_language(entity.description, _LANGUAGE):
            yield f"- {entity.table}: {description}"
        for field in entity.fields:
            if description := in_language(field.description, _LANGUAGE):
                yield f"- {entity.table}.{column_name(field)}: {description}"
