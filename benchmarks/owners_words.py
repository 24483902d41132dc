"""What the owner of data wrote about it, each text with the topic under which it is asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.contracts.language import Language, in_language
from veridical.ontology.compile import column_name
from veridical.ontology.model import Entity, OntologyDescriptor

_LANGUAGE = Language.EN


@dataclass(frozen=True, slots=True)
class OwnersWords:
    """One text of the owner's."""

    topic: str
    """The table, column, metric or question that it is about; empty for the data as a whole."""
    text: str

    def are_in(self, told: str) -> bool:
        """Whether they are told, whatever the spacing and the full stop."""
        return _plain(self.text) in _plain(told)


def owners_words(ontology: OntologyDescriptor) -> tuple[OwnersWords, ...]:
    """Descriptions, invariants and the messages of rules, each once for a topic."""
    return tuple(dict.fromkeys(each for each in _all(ontology) if each.text))


def _all(ontology: OntologyDescriptor) -> Iterator[OwnersWords]:
    yield OwnersWords("", in_language(ontology.description, _LANGUAGE))
    entities = {each.name: each for each in ontology.entities}
    for entity in ontology.entities:
        table = entity.table or entity.name
        yield OwnersWords(table, in_language(entity.description, _LANGUAGE))
        for each in entity.invariants:
            yield OwnersWords(table, in_language(each, _LANGUAGE))
        for field in entity.fields:
            topic = f"{table}.{column_name(field)}"
            yield OwnersWords(topic, in_language(field.description, _LANGUAGE))
    for constraint in ontology.constraints:
        topic = _topic(constraint.applies_to, entities)
        yield OwnersWords(topic, in_language(constraint.message, _LANGUAGE))
    for metric in ontology.metrics:
        yield OwnersWords(metric.name, in_language(metric.description, _LANGUAGE))
    for pattern in ontology.canonical_patterns:
        yield OwnersWords(pattern.intent, in_language(pattern.description, _LANGUAGE))


def _topic(applies_to: str, entities: dict[str, Entity]) -> str:
    """The table that a rule is on."""
    owner = applies_to.partition(".")[0]
    return (entities[owner].table or owner) if owner in entities else owner


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
