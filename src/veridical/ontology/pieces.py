"""The parts of an ontology as pieces of a prompt, each worded once for each language."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar

from veridical.contracts.language import Language
from veridical.ontology.lines import (
    Depth,
    column_line,
    join_line,
    judgement_line,
    kind_line,
    metric_line,
    pattern_line,
    purpose_line,
    rule_lines,
    table_line,
)
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Constraint,
    Entity,
    Field,
    Metric,
    OntologyDescriptor,
    Purpose,
    Relation,
)
from veridical.ontology.slice import OntologyIndex

Made = TypeVar("Made")
_REMEMBERED_INDEXES = 32
_MOST_REMEMBERED = 20_000
_TWO = (Depth.NAMES, Depth.WORDS)


class Section(IntEnum):
    """The parts of a prompt in the order in which they are read."""

    RULES = 0
    WARNINGS = 1
    PATTERNS = 2
    TABLES = 3
    COLUMNS = 4
    KINDS = 5
    JOINS = 6
    METRICS = 7
    JUDGEMENTS = 8
    PURPOSES = 9


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: in few words, and, if there is room, in more."""

    section: Section
    name: str
    texts: tuple[str, ...]
    """The wordings by depth, the shortest first."""
    only_values: bool = False
    """True for a list of values without a description."""

    @property
    def lean(self) -> str:
        """The shortest wording."""
        return self.texts[0]

    @property
    def full(self) -> str:
        """The full wording."""
        return self.texts[-1]

    def at(self, depth: Depth) -> str:
        """The wording at this depth."""
        return self.texts[min(depth, len(self.texts) - 1)]


class Wording:
    """An index in the words of one language, where each piece is worded once."""

    def __init__(self, index: OntologyIndex, language: Language) -> None:
        self.index = index
        self.language = language
        self._wordings: dict[Hashable, Any] = {}

    def once(self, what: Hashable, say: Callable[[], Made]) -> Made:
        """The cached value of this key, made on first use."""
        if what not in self._wordings:
            if len(self._wordings) >= _MOST_REMEMBERED:
                self._wordings.clear()
            self._wordings[what] = say()
        return self._wordings[what]

    def entity(self, entity: Entity, fields: tuple[Field, ...]) -> Piece:
        """A table with these of its fields, or a kind of rows."""
        named = None if fields is entity.fields else tuple(field.name for field in fields)
        what = ("entity", entity.name, named)
        return self.once(what, lambda: entity_piece(entity, self.language, fields))

    def pattern(self, pattern: CanonicalQueryPattern) -> Piece:
        """A known question with its call."""
        return self.once(id(pattern), lambda: pattern_piece(pattern, self.language))

    def metric(self, metric: Metric) -> Piece:
        """A figure that has a name."""
        return self.once(id(metric), lambda: metric_piece(metric, self.language))

    def rules(self, constraints: Iterable[Constraint]) -> tuple[Piece, ...]:
        """These constraints, taken together."""
        rules = tuple(constraints)
        what = ("rules", *map(id, rules))
        entities = self.index.entities
        return self.once(what, lambda: tuple(rule_pieces(rules, entities, self.language)))

    def judgements(self, entity: Entity) -> tuple[Piece, ...]:
        """The named conditions of a table."""
        what = ("judgements", entity.name)
        return self.once(what, lambda: tuple(judgement_pieces(entity, self.language)))

    def join(self, relation: Relation) -> Piece:
        """A join of two tables."""
        return self.once(id(relation), lambda: join_piece(relation, self.index.entities))


@lru_cache(_REMEMBERED_INDEXES)
def wording_of(index: OntologyIndex, language: Language) -> Wording:
    """The wording of an index that is made once and used often."""
    return Wording(index, language)


def all_pieces(ontology: OntologyDescriptor, language: Language) -> Iterator[Piece]:
    """All pieces."""
    entities = {entity.name: entity for entity in ontology.entities}
    yield from rule_pieces(ontology.constraints, entities, language)
    for pattern in ontology.canonical_patterns:
        yield pattern_piece(pattern, language)
    for entity in ontology.entities:
        yield entity_piece(entity, language, entity.fields)
        yield from judgement_pieces(entity, language)
    for relation in ontology.relations:
        yield join_piece(relation, entities)
    for metric in ontology.metrics:
        yield metric_piece(metric, language)


def entity_piece(entity: Entity, language: Language, fields: tuple[Field, ...]) -> Piece:
    """A table with these of its fields, or a kind of rows."""
    if not entity.table and entity.parent_entity:
        texts = tuple(kind_line(entity, language, depth) for depth in _TWO)
        return Piece(Section.KINDS, entity.name, texts)
    texts = tuple(table_line(entity, language, fields, depth) for depth in Depth)
    return Piece(Section.TABLES, entity.name, texts)


def column_piece(entity: Entity, field: Field, language: Language) -> Piece:
    """One column of a table."""
    line = column_line(entity, field, language)
    return Piece(Section.COLUMNS, f"{entity.name}.{field.name}", (line,))


def purpose_piece(purpose: Purpose, language: Language) -> Piece:
    """A kind of question."""
    return Piece(Section.PURPOSES, purpose.name, (purpose_line(purpose, language),))


def pattern_piece(pattern: CanonicalQueryPattern, language: Language) -> Piece:
    """A known question with its call."""
    texts = tuple(pattern_line(pattern, language, depth) for depth in (*_TWO, Depth.FIELDS))
    return Piece(Section.PATTERNS, pattern.intent, texts)


def metric_piece(metric: Metric, language: Language) -> Piece:
    """A figure that has a name."""
    texts = tuple(metric_line(metric, language, depth) for depth in _TWO)
    return Piece(Section.METRICS, metric.name, texts)


def judgement_pieces(entity: Entity, language: Language) -> Iterator[Piece]:
    """The named conditions of a table that a person has confirmed."""
    for judgement in entity.judgements:
        if not judgement.proposed:
            line = judgement_line(entity, judgement, language)
            yield Piece(Section.JUDGEMENTS, f"{entity.name}.{judgement.name}", (line,))


def rule_pieces(
    constraints: Iterable[Constraint], entities: Mapping[str, Entity], language: Language
) -> Iterator[Piece]:
    """These constraints, taken together."""
    for rule in rule_lines(constraints, entities, language):
        section = Section.WARNINGS if rule.warns else Section.RULES
        yield Piece(section, rule.subjects, (rule.lean, rule.full), rule.only_values)


def join_piece(relation: Relation, entities: Mapping[str, Entity]) -> Piece:
    """A join of two tables."""
    line = join_line(relation, entities)
    return Piece(Section.JOINS, f"{relation.from_entity}–{relation.to_entity}", (line,))
