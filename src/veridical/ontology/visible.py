"""The part of an ontology that a caller may know of: hidden names are nowhere in it."""

import json
import re

from veridical.contracts.caller import Permissions
from veridical.ontology.compile import column_name, compile_catalog, restrict
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Constraint,
    Conversion,
    Entity,
    Metric,
    OntologyDescriptor,
    Relation,
)

_NAME = re.compile(r"\w+")


def visible_ontology(ontology: OntologyDescriptor, permissions: Permissions) -> OntologyDescriptor:
    """The visible part of the ontology. Its hash is its own: quote the whole one's."""
    if permissions == Permissions():
        return ontology
    view = _View(ontology, permissions)
    shown = [view.entity(entity) for entity in ontology.entities if view.has(entity.name)]
    return ontology.model_copy(
        update={
            "entities": tuple(shown),
            "relations": tuple(each for each in ontology.relations if view.shows_relation(each)),
            "constraints": tuple(
                each for each in ontology.constraints if view.shows_constraint(each)
            ),
            "canonical_patterns": tuple(
                each for each in ontology.canonical_patterns if view.shows_pattern(each)
            ),
            "metrics": view.metrics(ontology.metrics),
            "domain_hints": "",
        }
    )


def _names_in(conversion: Conversion | None) -> tuple[str, ...]:
    if conversion is None:
        return ()
    return (conversion.rate, conversion.unit, conversion.period, conversion.day)


class _View:
    """The visible and the hidden names."""

    def __init__(self, ontology: OntologyDescriptor, permissions: Permissions) -> None:
        catalog = restrict(compile_catalog(None, ontology), permissions)
        self._columns = {card.name: set(card.columns) for card in catalog.tables.values()}
        self._entities = {entity.name: entity for entity in ontology.entities}
        self._shown = {name for name in self._entities if self._reachable(name)}
        named = {entity.name: self._names(entity) for entity in ontology.entities}
        shown = {name: self._names(self.entity(self._entities[name])) for name in self._shown}
        self._secret = set[str]().union(*named.values()).difference(*shown.values())
        self._withheld = {
            owner: named[entity.name] - names
            for entity, names in ((self._entities[name], names) for name, names in shown.items())
            for owner in (entity.name, entity.table or entity.name)
        }

    def has(self, name: str) -> bool:
        return name in self._shown

    def entity(self, entity: Entity) -> Entity:
        if not entity.table:
            return entity
        columns = self._columns[entity.table]
        named = {each.name: column_name(each) for each in entity.fields}
        hidden = {*named.values()} - columns

        def shows(expression: str | None) -> bool:
            return hidden.isdisjoint(_NAME.findall(expression or ""))

        return entity.model_copy(
            update={
                "fields": tuple(
                    each
                    for each in entity.fields
                    if column_name(each) in columns and shows(each.expr)
                ),
                "keys": tuple(key for key in entity.keys if columns.issuperset(key)),
                "links": tuple(each for each in entity.links if shows(each.expr or each.name)),
                "judgements": tuple(
                    each
                    for each in entity.judgements
                    if hidden.isdisjoint(named.get(name, name) for name in each.fields)
                ),
            }
        )

    def shows_relation(self, relation: Relation) -> bool:
        named = {name for pair in relation.pairs for name in pair}
        return self._discreet({relation.from_entity, relation.to_entity} | named)

    def shows_constraint(self, constraint: Constraint) -> bool:
        named = (
            constraint.applies_to,
            *constraint.fields,
            *constraint.settled_by,
            *constraint.where_read,
            *constraint.last_per,
            *constraint.instead_of,
            constraint.condition,
            *_names_in(constraint.conversion),
        )
        return self._discreet({part for name in named for part in _NAME.findall(name)})

    def shows_pattern(self, pattern: CanonicalQueryPattern) -> bool:
        return self._discreet(set(_NAME.findall(json.dumps(pattern.pattern))))

    def metrics(self, metrics: tuple[Metric, ...]) -> tuple[Metric, ...]:
        """The metrics without hidden names, whose inputs are all visible."""
        shown = {metric.name: metric for metric in metrics if self._shows_metric(metric)}
        known = {metric.name for metric in metrics}
        while True:
            lost = [
                metric.name
                for metric in shown.values()
                if any(name in known and name not in shown for name in metric.inputs)
            ]
            if not lost:
                return tuple(shown.values())
            for name in lost:
                del shown[name]

    def _shows_metric(self, metric: Metric) -> bool:
        text = f"{metric.entity} {metric.field} {metric.expr} {metric.filter}"
        return self._discreet(set(_NAME.findall(text)))

    def _discreet(self, names: set[str]) -> bool:
        """True if no name is hidden, neither everywhere nor in one of the tables named."""
        return names.isdisjoint(self._secret) and all(
            names.isdisjoint(self._withheld.get(name, ())) for name in names
        )

    def _reachable(self, name: str) -> bool:
        """True for an entity of a visible table whose condition uses no hidden column."""
        seen: set[str] = set()
        picked_by: set[str] = set()
        while name not in seen:
            seen.add(name)
            entity = self._entities[name]
            if entity.table:
                columns = self._columns.get(entity.table)
                named = {column_name(each) for each in entity.fields} & picked_by
                return columns is not None and named <= columns
            picked_by.update(_NAME.findall(entity.condition or ""))
            name = entity.parent_entity or name
        return False

    @staticmethod
    def _names(entity: Entity) -> set[str]:
        fields = {name for field in entity.fields for name in (field.name, column_name(field))}
        return {entity.name, entity.table or entity.name} | fields
