"""A drafted ontology with the words of another tool: descriptions and hints, table by table."""

from veridical.ontology.model import Entity, Field, OntologyDescriptor


def described(ontology: OntologyDescriptor, words: OntologyDescriptor) -> OntologyDescriptor:
    """The ontology with the other one's descriptions of its tables and columns."""
    by_table = {(each.table or each.name).casefold(): each for each in words.entities}
    entities = tuple(
        _entity(each, by_table[key])
        if (key := (each.table or each.name).casefold()) in by_table
        else each
        for each in ontology.entities
    )
    changed: dict[str, object] = {"entities": entities}
    if words.domain_hints:
        changed["domain_hints"] = words.domain_hints
    return ontology.model_copy(update=changed)


def _entity(entity: Entity, words: Entity) -> Entity:
    by_column = {(each.column or each.name).casefold(): each for each in words.fields}
    fields = tuple(
        _field(each, by_column[key])
        if (key := (each.column or each.name).casefold()) in by_column
        else each
        for each in entity.fields
    )
    description = words.description or entity.description
    return entity.model_copy(update={"fields": fields, "description": description})


def _field(field: Field, words: Field) -> Field:
    return field.model_copy(update={"description": words.description or field.description})
