"""The part of a metric graph that a caller may see.

Everything undecidable is hidden: an entity over no table, a figure that names a hidden column.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from veridical.ontology.metric_condition import ConditionSyntaxError, parse_condition
from veridical.ontology.metric_reference import ReferenceSyntaxError
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import Entity, Field, Link, Metric, OntologyDescriptor

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")


def visible_graph(
    graph: MetricGraph, columns: Mapping[str, Collection[str]], hidden: Collection[str] = ()
) -> MetricGraph:
    """The graph over these columns of these tables, and over nothing else.

    ``hidden`` names further columns, as folded ``table.column``, that no expression may use.
    """
    ontology = graph.ontology
    scope = _Scope.of(ontology, columns, hidden)
    entities = [scope.part(each) for each in ontology.entities if scope.shows(each.name)]
    names = {entity.name for entity in entities}
    over_shown = ontology.model_copy(
        update={
            "entities": tuple(entities),
            "relations": tuple(
                each for each in ontology.relations if {each.from_entity, each.to_entity} <= names
            ),
            "metrics": tuple(each for each in ontology.metrics if scope.shows_figure(each)),
        }
    )
    candidate = MetricGraph(over_shown)
    kept = {each.name: each for each in over_shown.metrics if _filter_is_shown(each, candidate)}
    return MetricGraph(
        over_shown.model_copy(
            update={"metrics": tuple(each for each in kept.values() if _has_inputs(each, kept))}
        )
    )


@dataclass(frozen=True, slots=True)
class _Scope:
    """The visible columns of each table, and the remaining fields of each entity."""

    columns: Mapping[str, frozenset[str]]
    hidden: Mapping[str, set[str]]
    entities: Mapping[str, Entity]

    @staticmethod
    def of(
        ontology: OntologyDescriptor,
        columns: Mapping[str, Collection[str]],
        hidden: Collection[str],
    ) -> "_Scope":
        shown = {
            table.casefold(): frozenset(name.casefold() for name in names)
            for table, names in columns.items()
        }
        unshown: defaultdict[str, set[str]] = defaultdict(set)
        for name in hidden:
            table, _, column = name.rpartition(".")
            unshown[table].add(column)
        return _Scope(shown, unshown, {entity.name: entity for entity in ontology.entities})

    def shows(self, name: str) -> bool:
        return self._table(name) in self.columns

    def part(self, entity: Entity) -> Entity:
        withheld = self._withheld(entity)
        fields = (each for each in entity.fields if withheld.isdisjoint(_sources(each)))
        links = (link for link in entity.links if withheld.isdisjoint(_words(_expr(link))))
        return entity.model_copy(update={"fields": tuple(fields), "links": tuple(links)})

    def shows_figure(self, metric: Metric) -> bool:
        if metric.entity is None:
            return bool(metric.inputs)
        entity = self.entities.get(metric.entity)
        if entity is None or not self.shows(entity.name):
            return False
        measured = (each for each in entity.fields if each.name == metric.field)
        used = _words(metric.expr).union(*(_sources(field) for field in measured))
        return self._withheld(entity).isdisjoint(used)

    def _withheld(self, entity: Entity) -> set[str]:
        """The columns that no part of this entity may use."""
        own = {name for each in entity.fields if each.expr is None for name in _sources(each)}
        table = self._table(entity.name)
        return self.hidden.get(table, set()) | (own - self.columns.get(table, frozenset()))

    def _table(self, name: str) -> str:
        """The table of an entity, its own or its parents'."""
        seen = set[str]()
        while name in self.entities and name not in seen:
            seen.add(name)
            entity = self.entities[name]
            if entity.table:
                return entity.table.casefold()
            name = entity.parent_entity or name
        return ""


def _expr(link: Link) -> str:
    return link.expr or link.name


def _sources(field: Field) -> set[str]:
    """The column behind a field, or all words of its SQL."""
    return _words(field.expr) if field.expr else {(field.column or field.name).casefold()}


def _words(text: str | None) -> set[str]:
    return {word.casefold() for word in _WORD.findall((text or "").replace("__", " "))}


def _filter_is_shown(metric: Metric, graph: MetricGraph) -> bool:
    if not metric.filter:
        return True
    try:
        named = parse_condition(metric.filter).references
    except (ConditionSyntaxError, ReferenceSyntaxError):
        return False
    return all(graph.reach(metric, each.item) is Reach.REACHED for each in named)


def _has_inputs(metric: Metric, kept: Mapping[str, Metric], above: tuple[str, ...] = ()) -> bool:
    if metric.name in above:
        return False
    below = (*above, metric.name)
    return all(name in kept and _has_inputs(kept[name], kept, below) for name in metric.inputs)
