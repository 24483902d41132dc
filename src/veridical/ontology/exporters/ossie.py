"""Ossie's core format, with what it has no place for as extensions: the rules where they apply.

An extension is one JSON text. ``rules`` are constraints, each with its place among all of them
(``at``); ``ontology`` is the rest of the descriptor. Other tools read a plain model.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import ValueType
from veridical.ontology.exporters.exported import ExportNotes
from veridical.ontology.exporters.measures import column_named, column_of, filled
from veridical.ontology.importers.imported import Fidelity
from veridical.ontology.importers.ossie_extension import VENDOR, VERSION, digest
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    Entity,
    Field,
    Metric,
    OntologyDescriptor,
    Relation,
    Role,
)
from veridical.ontology.yaml_text import yaml_text

_FORMAT: Final = "0.2.0.dev0"
_TYPES: Final = {
    ValueType.INTEGER: "Integer",
    ValueType.NUMBER: "Decimal",
    ValueType.TEXT: "String",
    ValueType.BOOLEAN: "Boolean",
    ValueType.DATE: "Date",
    ValueType.TIMESTAMP: "Timestamp",
}
_FUNCTIONS: Final = {"average": "AVG", "count_distinct": "COUNT", "sum_boolean": "SUM"}
_ANYWHERE: Final = "*"
"""The place of rules on patterns of names."""


def ossie_text(ontology: OntologyDescriptor, notes: ExportNotes) -> str:
    """The document, its extensions included."""
    return yaml_text({"version": _FORMAT, "semantic_model": [_model(ontology, notes)]})


def _model(ontology: OntologyDescriptor, notes: ExportNotes) -> dict[str, Any]:
    rules = _rules(ontology)
    model = _plain_model(ontology, notes)
    identity = digest(model)
    for dataset in model["datasets"]:
        _extend(dataset, rules.get(dataset["name"]))
        for field in dataset.get("fields", ()):
            _extend(field, rules.get(f"{dataset['name']}.{field['name']}"))
    rest = ontology.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude={"constraints"}
    )
    whole = {"model": identity, "rules": rules.get(_ANYWHERE, []), "ontology": rest}
    model["custom_extensions"] = [_extension(whole)]
    if ontology.constraints:
        notes.add(
            Fidelity.KEPT, "custom_extensions", "in_extensions", count=len(ontology.constraints)
        )
    return model


def _plain_model(ontology: OntologyDescriptor, notes: ExportNotes) -> dict[str, Any]:
    """The model without extensions."""
    entities = {each.name: each for each in ontology.entities}
    return filled(
        name=ontology.feature_code,
        description=in_language(ontology.description, Language.EN),
        ai_context=filled(instructions=in_language(ontology.domain_hints, Language.EN)),
        datasets=[_dataset(each, entities) for each in ontology.entities],
        relationships=list(_relationships(ontology.relations, entities, notes)),
        metrics=list(_metrics(ontology.metrics, entities, notes)),
    ) | ({"datasets": []} if not entities else {})


def _rules(ontology: OntologyDescriptor) -> dict[str, list[dict[str, Any]]]:
    """The constraints by what they apply to; those of a field that has none go to the model."""
    fields = {f"{each.name}.{field.name}" for each in ontology.entities for field in each.fields}
    entities = {each.name for each in ontology.entities}
    found: dict[str, list[dict[str, Any]]] = {}
    for at, each in enumerate(ontology.constraints):
        place = each.applies_to if each.applies_to in fields | entities else _ANYWHERE
        found.setdefault(place, []).append({"at": at, **_dumped(each)})
    return found


def _dumped(constraint: Constraint) -> dict[str, Any]:
    return constraint.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _extend(part: dict[str, Any], rules: list[dict[str, Any]] | None) -> None:
    if rules:
        part["custom_extensions"] = [_extension({"rules": rules})]


def _extension(data: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps({"_v": VERSION, **data}, ensure_ascii=False)
    return {"vendor_name": VENDOR, "data": text}


def _dataset(entity: Entity, entities: Mapping[str, Entity]) -> dict[str, Any]:
    columns = {each.name: column_of(each) for each in entity.fields}
    keys = [[columns.get(name, name) for name in key] for key in entity.keys]
    return filled(
        name=entity.name,
        source=_source(entity, entities),
        primary_key=keys[0] if keys else None,
        unique_keys=keys[1:],
        description=in_language(entity.description, Language.EN),
        ai_context=filled(synonyms=list(entity.synonyms)),
        fields=[_field(each) for each in entity.fields],
    )


def _source(entity: Entity, entities: Mapping[str, Entity]) -> str:
    """The table, or the query that picks the rows of a kind from its parent's table."""
    if entity.table:
        return entity.table
    parent = entities.get(entity.parent_entity or "")
    if parent and parent is not entity:
        condition = f" WHERE {entity.condition}" if entity.condition else ""
        return f"SELECT * FROM {_source(parent, entities)}{condition}"  # noqa: S608 (no query)
    return entity.name


def _field(field: Field) -> dict[str, Any]:
    return filled(
        name=field.name,
        expression=_sql(column_of(field)),
        dimension={"is_time": True} if field.role is Role.TIME else None,
        label=in_language(field.label, Language.EN),
        description=in_language(field.description, Language.EN),
        datatype=_TYPES.get(field.type),
        ai_context=filled(synonyms=list(field.synonyms)),
    )


def _sql(text: str) -> dict[str, Any]:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": text}]}


def _relationships(
    relations: Iterable[Relation], entities: Mapping[str, Entity], notes: ExportNotes
) -> Iterator[dict[str, Any]]:
    """From the many side to the one; what is many on both sides has no place."""
    for each in relations:
        path = f"{each.from_entity} → {each.name or each.to_entity}"
        if each.cardinality is Cardinality.MANY_TO_MANY or not each.pairs:
            notes.add(Fidelity.DROPPED, path, "relation_without_columns")
            continue
        near, far, pairs = each.from_entity, each.to_entity, each.pairs
        if each.cardinality is Cardinality.ONE_TO_MANY:
            near, far, pairs = far, near, tuple((other, one) for one, other in pairs)
        yield {
            "name": each.name or f"{near}_to_{far}",
            "from": near,
            "to": far,
            "from_columns": [column_named(entities[near], one) for one, _ in pairs],
            "to_columns": [column_named(entities[far], other) for _, other in pairs],
        }


def _metrics(
    metrics: Iterable[Metric], entities: Mapping[str, Entity], notes: ExportNotes
) -> Iterator[dict[str, Any]]:
    for each in metrics:
        text = _expression(each, entities)
        if text is None:
            notes.add(Fidelity.DROPPED, f"metrics.{each.name}", "metric_without_sql")
            continue
        description = in_language(each.description, Language.EN)
        yield filled(name=each.name, expression=_sql(text), description=description)


def _expression(metric: Metric, entities: Mapping[str, Entity]) -> str | None:
    """The metric in SQL, its filter inside of the aggregate."""
    entity = entities.get(metric.entity or "")
    if metric.aggregate is None:
        return metric.expr
    fields = {each.name: each for each in entity.fields} if entity else {}
    field = fields.get(metric.field or "")
    argument = f"{entity.name}.{field.name}" if entity and field else metric.expr or ""
    if metric.filter:
        argument = f"CASE WHEN {metric.filter} THEN {argument or '1'} END"
    function = _FUNCTIONS.get(metric.aggregate, metric.aggregate.upper())
    distinct = "DISTINCT " if metric.aggregate == "count_distinct" else ""
    return f"{function}({distinct}{argument or '*'})"
