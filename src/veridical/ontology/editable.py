"""The parts of an ontology that people edit one at a time: each as the values of its file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from veridical.contracts.wire import Wire
from veridical.ontology.model import Constraint, OntologyDescriptor
from veridical.ontology.yaml_change import plain_values


class PartKind(StrEnum):
    """The kind of a part."""

    ENTITY = "entity"
    """the words of an entity"""
    FIELD = "field"
    """the words and the format of a field"""
    JUDGEMENT = "judgement"
    RULE = "rule"


class Part(Wire):
    """The place of a part."""

    kind: PartKind
    entity: str = ""
    name: str = ""
    """Of the field or the judgement; the title of a rule."""

    @property
    def path(self) -> str:
        """Its place as people know it."""
        return ".".join(filter(None, (self.entity, self.name)))


Values = dict[str, Any]

KEYS: Mapping[PartKind, tuple[str, ...]] = {
    PartKind.ENTITY: ("description", "noun", "synonyms"),
    PartKind.FIELD: (
        "label",
        "description",
        "synonyms",
        "unit",
        "scale",
        "decimals",
        "percent",
        "favourable",
    ),
}
"""The keys of a part that is edited; judgements and rules are edited as a whole."""
_LISTS = {PartKind.FIELD: "fields", PartKind.JUDGEMENT: "judgements"}
_WHOLE = frozenset({PartKind.JUDGEMENT, PartKind.RULE})


def values_of(ontology: OntologyDescriptor, part: Part) -> Values | None:
    """The values of a part, without defaults. None where there is no such part."""
    found = _find(plain_values(ontology), part)
    if found is None or part.kind in _WHOLE:
        return found
    return {key: found[key] for key in KEYS[part.kind] if key in found}


def with_values(
    ontology: OntologyDescriptor, part: Part, values: Values | None
) -> OntologyDescriptor:
    """The ontology with these values of a part; without the judgement or rule if there are none.

    Raises ``pydantic.ValidationError``, and ``KeyError`` where there is no such entity or field.
    """
    data = plain_values(ontology)
    found = _find(data, part)
    if part.kind in _WHOLE:
        _put(_items(data, part), found, values)
    elif found is None or values is None:
        raise KeyError(part.path)
    else:
        for key in KEYS[part.kind]:
            found.pop(key, None)
        found.update(values)
        data["drafts"] = [each for each in data.get("drafts", ()) if each != part.path]
    return OntologyDescriptor.model_validate(data)


def _put(items: list[Values], found: Values | None, values: Values | None) -> None:
    if found is None and values is not None:
        items.append(values)
    elif found is not None and values is None:
        items.remove(found)
    elif found is not None and values is not None:
        items[items.index(found)] = values


def _find(data: Values, part: Part) -> Values | None:
    if part.kind is PartKind.ENTITY:
        return _entity(data, part.entity)
    if part.kind is PartKind.RULE:
        return next((each for each in data.get("constraints", ()) if _title(each) == part.name),
                    None)  # fmt: skip
    items = (_entity(data, part.entity) or {}).get(_LISTS[part.kind], ())
    return next((each for each in items if each["name"] == part.name), None)


def _items(data: Values, part: Part) -> list[Values]:
    """The list that a judgement or a rule is in. Raises ``KeyError``."""
    if part.kind is PartKind.RULE:
        return data.setdefault("constraints", [])
    entity = _entity(data, part.entity)
    if entity is None:
        raise KeyError(part.entity)
    return entity.setdefault(_LISTS[part.kind], [])


def _entity(data: Values, name: str) -> Values | None:
    return next((each for each in data.get("entities", ()) if each["name"] == name), None)


def _title(constraint: Values) -> str:
    return Constraint.model_validate(constraint).title
