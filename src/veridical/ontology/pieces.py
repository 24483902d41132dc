"""The things of an ontology as pieces of a prompt, each put into words once for each language."""

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
    """One thing to say: in few words, and, where there is room, in more."""

    section: Section
    name: str
    texts: tuple[str, ...]
    """From the fewest words to all of them, by depth."""
    only_values: bool = False
    """True for a list of values without a word about it."""

    @property
    def lean(self) -> str:
        """The fewest words."""
        return self.texts[0]

    @property
    def full(self) -> str:
        """All there is to say."""
        return self.texts[-1]

    def at(self, depth: Depth) -> str:
        """What is said at this depth."""
        return self.texts[min(depth, len(self.texts) - 1)]


class Wording:
    """An index in the words of one language: what was said once is not put into words again."""

    def __init__(self, index: OntologyIndex, language: Language) -> None:
        self.index = index
        self.language = language
        self._said: dict[Hashable, Any] = {}

    def once(self, what: Hashable, say: Callable[[], Made]) -> Made:
        """What was said under this name before, or is now."""
        if what not in self._said:
            if len(self._said) >= _MOST_REMEMBERED:
                self._said.clear()
            self._said[what] = say()
        return self._said[what]

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
        """What these constraints demand, taken together."""
        held = tuple(constraints)
        what = ("rules", *map(id, held))
        entities = self.index.entities
        return self.once(what, lambda: tuple(rule_pieces(held, entities, self.language)))

    def judgements(self, entity: Entity) -> tuple[Piece, ...]:
        """The named conditions of a table."""
        what = ("judgements", entity.name)
        return self.once(what, lambda: tuple(judgement_pieces(entity, self.language)))

    def join(self, relation: Relation) -> Piece:
        """How two tables meet."""
        return self.once(id(relation), lambda: join_piece(relation, self.index.entities))


@lru_cache(_REMEMBERED_INDEXES)
def wording_of(index: OntologyIndex, language: Language) -> Wording:
    """The words for an index that is made once and asked often."""
    return Wording(index, language)


def all_pieces(ontology: OntologyDescriptor, language: Language) -> Iterator[Piece]:
    """Everything that there is to say."""
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
    """What these constraints demand, taken together."""
    for rule in rule_lines(constraints, entities, language):
        section = Section.WARNINGS if rule.warns else Section.RULES
        yield Piece(section, rule.subjects, (rule.lean, rule.full), rule.only_values)


def join_piece(relation: Relation, entities: Mapping[str, Entity]) -> Piece:
    """How two tables meet."""
    line = join_line(relation, entities)
    return Piece(Section.JOINS, f"{relation.from_entity}–{relation.to_entity}", (line,))
