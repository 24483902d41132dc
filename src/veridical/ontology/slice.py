"""The part of an ontology that a question needs, found in milliseconds at any size."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest
from typing import TypeVar

from rapidfuzz import fuzz, process

from veridical.contracts.caller import Permissions
from veridical.contracts.language import Text
from veridical.ontology.catalog import TableCard
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Constraint,
    Entity,
    Metric,
    OntologyDescriptor,
    Relation,
)
from veridical.ontology.terms import parts, terms
from veridical.ontology.visible import visible_ontology

Item = TypeVar("Item")

_NAME, _SYNONYM, _FIELD, _SAMPLE, _DESCRIPTION, _FIELD_DESCRIPTION = 4.0, 4.0, 2.0, 1.5, 1.0, 0.5
_WHOLE_NAME = 3.0
_PART_OF_COMPOUND = 0.6
_SIMILAR_ENOUGH = 80.0
_SIMILAR_TERMS = 5
_SHORTEST_FUZZY = 5
_COMMON, _FEW = 0.25, 20
"""A word of more than this share of the entities, and more than a few, selects nothing."""
_REMEMBERED_VIEWS = 64
_CORE = 24
_FAR_BEHIND = 0.1
"""An entity below this share of the best score is not selected."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Entity names, the most needed first: those in the question, then those that these need."""

    core: tuple[str, ...]
    near: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class OntologyIndex:
    """An ontology prepared for search: built once for all questions; compared by identity."""

    ontology: OntologyDescriptor
    """The visible part."""
    hash: str
    """The hash of the whole ontology."""
    entities: Mapping[str, Entity]
    constraints: Mapping[str, tuple[Constraint, ...]]
    """The enforced constraints by entity, globs resolved."""
    relations: Mapping[str, tuple[Relation, ...]]
    patterns: Mapping[str, tuple[CanonicalQueryPattern, ...]]
    metrics: Mapping[str, tuple[Metric, ...]]
    postings: Mapping[str, Mapping[str, float]]
    """The weight of each entity, by term."""
    name_terms: Mapping[str, frozenset[str]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The entities in order."""
        return tuple(sorted(self.entities))

    @cached_property
    def trigrams(self) -> Mapping[str, tuple[str, ...]]:
        """The terms by their three-letter parts."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for term in self.postings:
            for gram in _grams(term):
                found[gram].append(term)
        return {gram: tuple(terms_with) for gram, terms_with in found.items()}


def index_ontology(
    whole: OntologyDescriptor, permissions: Permissions | None = None
) -> OntologyIndex:
    """The index of the part of an ontology that these permissions show."""
    ontology = visible_ontology(whole, permissions or Permissions())
    entities = {entity.name: entity for entity in ontology.entities}
    by_table = {entity.table: entity.name for entity in ontology.entities if entity.table}
    patterns: defaultdict[str, list[CanonicalQueryPattern]] = defaultdict(list)
    for pattern in ontology.canonical_patterns:
        for owner in _pattern_entities(pattern, by_table):
            patterns[owner].append(pattern)
    relations: defaultdict[str, list[Relation]] = defaultdict(list)
    for relation in ontology.relations:
        for side in sorted({relation.from_entity, relation.to_entity}):
            relations[side].append(relation)
    metrics: defaultdict[str, list[Metric]] = defaultdict(list)
    for metric in ontology.metrics:
        if metric.entity:
            metrics[metric.entity].append(metric)
    postings: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for entity in ontology.entities:
        for text, weight in _texts(entity, patterns[entity.name], metrics[entity.name]):
            for term in terms(text):
                weights = postings[term]
                weights[entity.name] = max(weights.get(entity.name, 0.0), weight)
    return OntologyIndex(
        ontology,
        whole.hash,
        entities,
        _enforced(ontology, by_table),
        _frozen(relations),
        _frozen(patterns),
        _frozen(metrics),
        postings,
        {name: frozenset(terms(name)) for name in entities},
    )


@lru_cache(_REMEMBERED_VIEWS)
def visible_index(index: OntologyIndex, permissions: Permissions) -> OntologyIndex:
    """The same index for these permissions."""
    return index if permissions == Permissions() else index_ontology(index.ontology, permissions)


def slice_ontology(index: OntologyIndex, question: str, limit: int = _CORE) -> Slice:
    """The entities in the question, then the parents, tables and join partners that they need."""
    scores = _scores(index, question)
    best = nlargest(limit, scores.items(), key=lambda scored: (scored[1], scored[0]))
    core = [name for name, score in best if score >= best[0][1] * _FAR_BEHIND]
    needed = dict.fromkeys(core)
    for name in core:
        needed.update(dict.fromkeys(_ancestors(index, name)))
    near: dict[str, None] = {}
    for name in needed:
        near.update(dict.fromkeys(_partners(index, name)))
    return Slice(tuple(needed), tuple(name for name in near if name not in needed))


def _scores(index: OntologyIndex, question: str) -> dict[str, float]:
    scores: defaultdict[str, float] = defaultdict(float)
    known = dict(_known_terms(index, question))
    most = max(_FEW, _COMMON * len(index.entities))
    telling = [term for term in known if len(index.postings[term]) <= most]
    for term in telling or known:
        weights = index.postings[term]
        rarity = known[term] * math.log(1 + len(index.entities) / len(weights))
        for name, weight in weights.items():
            scores[name] += rarity * weight
    for name in scores:
        named = index.name_terms[name]
        if named:
            scores[name] *= 1 + _WHOLE_NAME * (len(named & known.keys()) / len(named)) ** 2
    return scores


def _known_terms(index: OntologyIndex, question: str) -> Iterator[tuple[str, float]]:
    """The terms of the ontology in the question, and how well each one fits."""
    for term in dict.fromkeys(terms(question)):
        if term in index.postings:
            yield term, 1.0
            continue
        inside = [part for part in parts(term) if part in index.postings]
        if inside:
            yield from ((part, _PART_OF_COMPOUND) for part in dict.fromkeys(inside))
        elif len(term) >= _SHORTEST_FUZZY and term.isalpha():
            yield from _similar(index, term)


def _similar(index: OntologyIndex, term: str) -> Iterator[tuple[str, float]]:
    candidates = {found for gram in _grams(term) for found in index.trigrams.get(gram, ())}
    closest = process.extract(
        term, candidates, scorer=fuzz.ratio, score_cutoff=_SIMILAR_ENOUGH, limit=_SIMILAR_TERMS
    )
    for found, similarity, _ in closest:
        yield found, similarity / 100


def _grams(term: str) -> set[str]:
    return {term[start : start + 3] for start in range(len(term) - 2)}


def _texts(
    entity: Entity, patterns: Iterable[CanonicalQueryPattern], metrics: Iterable[Metric]
) -> Iterator[tuple[str, float]]:
    yield entity.name, _NAME
    yield entity.table or "", _NAME
    yield from ((synonym, _SYNONYM) for synonym in entity.synonyms)
    yield from ((text, _DESCRIPTION) for text in _all_languages(entity.description))
    yield from ((text, _SYNONYM) for noun in entity.noun.values() for text in (noun.one, noun.many))
    yield from ((name, _FIELD) for each in entity.judgements for name in each.names)
    for field in entity.fields:
        yield field.name, _FIELD
        yield from ((text, _FIELD) for text in _all_languages(field.label))
        yield from ((synonym, _FIELD) for synonym in field.synonyms)
        yield from ((text, _FIELD_DESCRIPTION) for text in _all_languages(field.description))
        yield from ((value, _SAMPLE) for value in field.sample_values if isinstance(value, str))
    for pattern in patterns:
        yield pattern.intent, _DESCRIPTION
        for questions in pattern.questions.values():
            yield from ((text, _DESCRIPTION) for text in questions)
    for metric in metrics:
        yield metric.name, _FIELD
        yield from ((text, _DESCRIPTION) for text in _all_languages(metric.description))


def _all_languages(text: Text) -> Iterable[str]:
    return (text,) if isinstance(text, str) else text.values()


def _ancestors(index: OntologyIndex, name: str) -> Iterator[str]:
    parent = index.entities[name].parent_entity
    seen = {name}
    while parent and parent not in seen:
        yield parent
        seen.add(parent)
        parent = index.entities[parent].parent_entity


def _partners(index: OntologyIndex, name: str) -> Iterator[str]:
    for relation in index.relations.get(name, ()):
        yield relation.to_entity if relation.from_entity == name else relation.from_entity


def _pattern_entities(pattern: CanonicalQueryPattern, by_table: Mapping[str, str]) -> list[str]:
    table = pattern.pattern.get("tableName")
    if isinstance(table, str):
        return [by_table[table]] if table in by_table else []
    sql = pattern.pattern.get("sql")
    return [name for table, name in by_table.items() if isinstance(sql, str) and table in sql]


def _enforced(
    ontology: OntologyDescriptor, by_table: Mapping[str, str]
) -> dict[str, tuple[Constraint, ...]]:
    catalog = compile_catalog(None, ontology)
    return {
        by_table[card.name]: tuple(card_constraints(card))
        for card in catalog.tables.values()
        if card.name in by_table
    }


def card_constraints(card: TableCard) -> Iterator[Constraint]:
    """Every constraint that the check reads from this card, each once."""
    found = {id(each): each for each in card.constraints}
    for column in card.columns.values():
        found.update((id(each), each) for each in column.constraints)
    yield from found.values()


def _frozen(grouped: Mapping[str, list[Item]]) -> dict[str, tuple[Item, ...]]:
    return {name: tuple(items) for name, items in grouped.items()}
