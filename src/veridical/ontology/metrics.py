"""The group-by items of each metric, reached by joins that never multiply its rows.

An entity joins another towards a key of the far side only, over at most two joins, as MetricFlow
does it. Items are named by the links walked: ``policy__status``, ``claim__policy__status``; a
shorter name stands for the one shortest path that ends with it. Everything is computed per
entity on first use, so a graph of ten thousand entities is ready at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from veridical.ontology.group_by import KEY_LINKS, Item, View, joined_items, local_items
from veridical.ontology.model import (
    Cardinality,
    LinkKind,
    Metric,
    MetricKind,
    OntologyDescriptor,
    Relation,
)

GRAINS: Final = (
    "nanosecond",
    "microsecond",
    "millisecond",
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
)
METRIC_TIME: Final = "metric_time"
_PARTS: Final = frozenset(
    f"extract_{part}" for part in ("year", "quarter", "month", "day", "dow", "doy")
)
_MAX_JOINS: Final = 2


class Reach(StrEnum):
    """The outcome of looking up a name that a query groups or filters by."""

    REACHED = "reached"
    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"
    TOO_FINE = "too_fine"


@dataclass(frozen=True, slots=True)
class _Step:
    """One join: its name and its target entity."""

    name: str
    target: str


class MetricGraph:
    """The metrics of one ontology and the items to group and filter each of them by."""

    def __init__(self, ontology: OntologyDescriptor) -> None:
        self.ontology = ontology
        self._entities = {entity.name: entity for entity in ontology.entities}
        self._own_grains = frozenset(grain.casefold() for grain in ontology.time_grains)
        self._metrics = {metric.name.casefold(): metric for metric in ontology.metrics}
        self._short_names = _unique_last_parts(ontology.metrics)
        self._keyed = _entities_by_key(ontology)
        self._related = _steps_by_relation(ontology.relations)
        self._views: dict[str, View] = {}
        self._everywhere: View | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics."""
        return tuple(metric.name for metric in self._metrics.values())

    def metric(self, name: str) -> Metric | None:
        """The metric of this name, regardless of case; its last part is enough if unique."""
        folded = name.strip().casefold()
        spellings = (folded, folded.replace("__", "."))
        whole = next((self._metrics[each] for each in spellings if each in self._metrics), None)
        return whole or self._short_names.get(folded)

    def reach(self, metric: Metric | None, name: str) -> Reach:
        """The outcome for this metric and item; without a metric, that for any entity."""
        folded = name.strip().replace(".", "__").casefold()
        found = [self._reach_from(leaf, folded) for leaf in self._leaves(metric)]
        return next((each for each in found if each is not Reach.REACHED), Reach.REACHED)

    def items(self, metric: Metric | None) -> tuple[str, ...]:
        """The full names of all items of this metric, in order."""
        reached = [self._names_from(leaf) for leaf in self._leaves(metric)]
        return tuple(sorted(set[str].intersection(*reached)))

    def _leaves(self, metric: Metric | None) -> tuple[Metric | None, ...]:
        """The metrics over one entity behind this one; ``None`` if they are not declared."""
        found: list[Metric] = []
        waiting = [metric] if metric else []
        seen = set[str]()
        while waiting:
            current = waiting.pop()
            if current.name in seen:
                continue
            seen.add(current.name)
            if current.entity in self._entities:
                found.append(current)
            else:
                waiting += [known for name in _inputs(current) if (known := self.metric(name))]
        return tuple(found) or (None,)

    def _names_from(self, leaf: Metric | None) -> set[str]:
        names = self._view(leaf).names
        return names | {METRIC_TIME} if self._metric_time(leaf) else names

    def _reach_from(self, leaf: Metric | None, name: str) -> Reach:
        whole = self._find(leaf, name)
        if whole is not Reach.UNKNOWN:
            return whole if isinstance(whole, Reach) else Reach.REACHED
        stem, _, grain = name.rpartition("__")
        if grain not in GRAINS and grain not in self._own_grains and grain not in _PARTS:
            return Reach.UNKNOWN
        item = self._find(leaf, stem)
        if isinstance(item, Reach):
            return item
        if not item.is_time:
            return Reach.UNKNOWN
        return Reach.REACHED if _fits(grain, item.grain) else Reach.TOO_FINE

    def _find(self, leaf: Metric | None, name: str) -> Item | Reach:
        if name == METRIC_TIME:
            return self._metric_time(leaf) or Reach.UNKNOWN
        view = self._view(leaf)
        found = view.nearest(name)
        if len(found) == 1:
            return found[0]
        if leaf is None and not found and name.count("__") > 1:
            # Without a start no path can be judged, so the last link alone decides.
            return self._find(None, name.partition("__")[2])
        return Reach.AMBIGUOUS if found or name in view.ambiguous else Reach.UNKNOWN

    def _metric_time(self, leaf: Metric | None) -> Item | None:
        if leaf is None:
            return Item(METRIC_TIME, (), (), is_time=True)
        if not leaf.time_field or not leaf.entity:
            return None
        fields = self._entities[leaf.entity].fields
        grain = next((field.grain for field in fields if field.name == leaf.time_field), None)
        return Item(METRIC_TIME, (), (leaf.entity,), is_time=True, grain=grain)

    def _view(self, leaf: Metric | None) -> View:
        if leaf is None or leaf.entity is None:
            if self._everywhere is None:
                local = (item for each in self._entities.values() for item in local_items(each))
                self._everywhere = View.of({item.full_name: item for item in local}.values())
            return self._everywhere
        if leaf.entity not in self._views:
            self._views[leaf.entity] = View.of(self._walk(leaf.entity))
        return self._views[leaf.entity]

    def _walk(self, start: str) -> Iterator[Item]:
        yield from local_items(self._entities[start])
        walks: list[tuple[_Step, ...]] = [()]
        for _ in range(_MAX_JOINS):
            walks = [
                (*walk, step)
                for walk in walks
                for step in self._steps(walk[-1].target if walk else start)
                if step.target != start and not _turns_back(walk, step)
            ]
            for walk in walks:
                path = tuple(step.name for step in walk)
                route = (start, *(step.target for step in walk))
                yield from joined_items(self._entities[route[-1]], path, route)

    def _steps(self, entity: str) -> Iterator[_Step]:
        links = self._entities[entity].links
        for link in links:
            for target, kind in self._keyed.get(link.name, ()):
                both_natural = link.kind is LinkKind.NATURAL is kind
                if target != entity and not both_natural:
                    yield _Step(link.name, target)
        if not links:
            yield from self._related.get(entity, ())


def _inputs(metric: Metric) -> tuple[str, ...]:
    """The inputs of a metric; of a conversion only its base event, not the later one."""
    return metric.inputs[:1] if metric.kind is MetricKind.CONVERSION else metric.inputs


def _fits(wanted: str, defined: str | None) -> bool:
    if wanted not in GRAINS or defined not in GRAINS:
        return True
    return GRAINS.index(wanted) >= GRAINS.index(defined)


def _turns_back(walk: tuple[_Step, ...], step: _Step) -> bool:
    return any(done.name == step.name or done.target == step.target for done in walk)


def _unique_last_parts(metrics: Iterable[Metric]) -> dict[str, Metric]:
    parts: defaultdict[str, list[Metric]] = defaultdict(list)
    for metric in metrics:
        parts[metric.name.rpartition(".")[2].casefold()].append(metric)
    return {part: found[0] for part, found in parts.items() if len(found) == 1}


def _entities_by_key(ontology: OntologyDescriptor) -> dict[str, list[tuple[str, LinkKind]]]:
    keyed: defaultdict[str, list[tuple[str, LinkKind]]] = defaultdict(list)
    for entity in ontology.entities:
        for link in entity.links:
            if link.kind in KEY_LINKS:
                keyed[link.name].append((entity.name, link.kind))
    return keyed


def _steps_by_relation(relations: Iterable[Relation]) -> dict[str, list[_Step]]:
    """The joins of the relations, towards the one side; under a role's name if a pair has two."""
    ways: defaultdict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.cardinality in (Cardinality.MANY_TO_ONE, Cardinality.ONE_TO_ONE):
            ways[relation.from_entity, relation.to_entity].append(relation)
        if relation.cardinality in (Cardinality.ONE_TO_MANY, Cardinality.ONE_TO_ONE):
            ways[relation.to_entity, relation.from_entity].append(relation)
    steps: defaultdict[str, list[_Step]] = defaultdict(list)
    for (near, far), found in ways.items():
        for relation in found:
            role = relation.name if len(found) > 1 else None
            steps[near].append(_Step(role or far, far))
    return steps
