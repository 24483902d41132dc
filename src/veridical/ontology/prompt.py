"""The ontology as a prompt: the same text for the same input, never more than its budget.

What fits whole is given whole, whatever the question, so that providers can cache it. Else the
question picks entities, and worth decides: first each table's names with the rules on it and the
known calls for it, then joins and metrics, then the neighbours. Descriptions and reasons are filled
in last, where there is room.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice

from veridical.contracts.language import Language, in_language
from veridical.messages import say
from veridical.ontology.lines import (
    join_line,
    kind_line,
    metric_line,
    pattern_line,
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
    Relation,
    Role,
)
from veridical.ontology.slice import OntologyIndex, index_ontology, slice_ontology
from veridical.ontology.terms import terms
from veridical.ontology.tokens import estimate_tokens

DEFAULT_BUDGET = 6000
_LEAST_TOKENS = 3
"""No entity is told in fewer."""
_LEAN_FIELDS = 40
_PATTERNS_PER_ENTITY = 5
_NEIGHBOURS = 40


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A prompt, what it costs at most, whose ontology it is, and what it had no room for."""

    text: str
    tokens: int
    hash: str
    left_out: tuple[str, ...] = ()


class _Section(IntEnum):
    """The parts in the order in which they are read."""

    RULES = 0
    PATTERNS = 1
    TABLES = 2
    KINDS = 3
    JOINS = 4
    METRICS = 5


@dataclass(frozen=True, slots=True)
class _Piece:
    """One thing to say: in few words, and, where there is room, in more."""

    section: _Section
    name: str
    lean: str
    full: str


def compile_prompt(
    ontology: OntologyDescriptor,
    language: Language,
    budget_tokens: int = DEFAULT_BUDGET,
    question: str = "",
    index: OntologyIndex | None = None,
    *,
    known_calls: bool = True,
) -> PromptBlock:
    """The prompt block in this language. An index, made once, makes slicing fast and restricts it
    to what its permissions show. Where a tool knows the canonical questions, their calls need not
    be told."""
    shown = index.ontology if index else ontology
    whole = _whole(shown, language, budget_tokens, known_calls=known_calls)
    if whole is not None:
        return replace(whole, hash=ontology.hash)
    index = index or index_ontology(ontology)
    closing = say("prompt.left_out", language, count=len(index.names))
    page = _Page(language, budget_tokens - estimate_tokens(closing) - 1)
    page.open(_title(shown, language))
    pieces = [
        piece
        for piece in _pieces_by_worth(index, language, question)
        if known_calls or piece.section is not _Section.PATTERNS
    ]
    for piece in pieces:
        page.add(piece)
    for piece in pieces:
        page.enrich(piece)
    untold = sorted({each.name for each in pieces} - page.names - index.entities.keys())
    left_out = (*untold, *(name for name in index.names if name not in page.names))
    text = page.text()
    if text and left_out:
        text += "\n" + say("prompt.left_out", language, count=len(left_out))
    return PromptBlock(text, estimate_tokens(text), ontology.hash, left_out)


class _Page:
    """Lines within a budget."""

    def __init__(self, language: Language, budget: int) -> None:
        self.names: set[str] = set()
        self._language = language
        self._room = budget
        self._title = ""
        self._lines: dict[_Section, dict[str, str]] = {section: {} for section in _Section}

    def open(self, title: str) -> None:
        if self._pay(title):
            self._title = title

    def add(self, piece: _Piece) -> bool:
        lines = self._lines[piece.section]
        if piece.lean in lines:
            return True
        heading = "" if lines else f"{_heading(piece.section, self._language)}\n"
        if not self._title or not self._pay(heading + piece.lean):
            return False
        lines[piece.lean] = piece.lean
        self.names.add(piece.name)
        return True

    def enrich(self, piece: _Piece) -> bool:
        lines = self._lines[piece.section]
        if piece.lean not in lines:
            return False
        shorter = lines[piece.lean]
        self._room += estimate_tokens(shorter) + 1
        if self._pay(piece.full):
            lines[piece.lean] = piece.full
            return True
        self._pay(shorter)
        return False

    def text(self) -> str:
        parts = [self._title] if self._title else []
        for section, lines in self._lines.items():
            if lines:
                parts += [_heading(section, self._language), *sorted(lines.values())]
        return "\n".join(parts)

    def _pay(self, text: str) -> bool:
        cost = estimate_tokens(text) + 1
        if cost > self._room:
            return False
        self._room -= cost
        return True


def _whole(
    ontology: OntologyDescriptor, language: Language, budget: int, *, known_calls: bool
) -> PromptBlock | None:
    """Everything, if only in few words; none when that is more than the budget."""
    if len(ontology.entities) * _LEAST_TOKENS > budget:
        return None
    page = _Page(language, budget)
    page.open(_title(ontology, language))
    pieces: list[_Piece] = []
    for piece in _all_pieces(ontology, language):
        if piece.section is _Section.PATTERNS and not known_calls:
            continue
        if not page.add(piece):
            return None
        pieces.append(piece)
    for piece in pieces:
        page.enrich(piece)
    text = page.text()
    return PromptBlock(text, estimate_tokens(text), ontology.hash)


def _all_pieces(ontology: OntologyDescriptor, language: Language) -> Iterator[_Piece]:
    entities = {entity.name: entity for entity in ontology.entities}
    yield from _rule_pieces(ontology.constraints, entities, language)
    for pattern in ontology.canonical_patterns:
        yield _pattern_piece(pattern, language)
    for entity in ontology.entities:
        yield _entity_piece(entity, language, entity.fields)
    for relation in ontology.relations:
        yield _join_piece(relation, entities)
    for metric in ontology.metrics:
        yield _metric_piece(metric, language)


def _pieces_by_worth(index: OntologyIndex, language: Language, question: str) -> Iterator[_Piece]:
    chosen = slice_ontology(index, question)
    asked = frozenset(terms(question))
    core = chosen.core or tuple(islice(_most_governed(index), _NEIGHBOURS))
    near = chosen.near[:_NEIGHBOURS]
    told: set[int] = set()
    for name in core:
        yield from _governed(index, name, language, asked, told)
        patterns = sorted(index.patterns.get(name, ()), key=lambda each: _fit(each, asked))
        for pattern in patterns[:_PATTERNS_PER_ENTITY]:
            yield _pattern_piece(pattern, language)
    yield from _joins(index, core, frozenset(core))
    for name in core:
        for metric in index.metrics.get(name, ()):
            yield _metric_piece(metric, language)
    for name in near:
        yield from _governed(index, name, language, asked, told)
    yield from _joins(index, core, frozenset((*core, *near)))


def _governed(
    index: OntologyIndex, name: str, language: Language, asked: frozenset[str], told: set[int]
) -> Iterator[_Piece]:
    """A table and the rules on it that were not told yet."""
    entity = index.entities[name]
    yield _entity_piece(entity, language, _telling_fields(index, entity, asked))
    held = [each for each in index.constraints.get(name, ()) if id(each) not in told]
    told.update(map(id, held))
    yield from _rule_pieces(held, index.entities, language)


def _joins(index: OntologyIndex, core: Iterable[str], both: frozenset[str]) -> Iterator[_Piece]:
    for name in core:
        for relation in index.relations.get(name, ()):
            if {relation.from_entity, relation.to_entity} <= both:
                yield _join_piece(relation, index.entities)


def _entity_piece(entity: Entity, language: Language, fields: Iterable[Field]) -> _Piece:
    if not entity.table and entity.parent_entity:
        lean, full = (kind_line(entity, language, lean=lean) for lean in (True, False))
        return _Piece(_Section.KINDS, entity.name, lean, full)
    told = tuple(fields)
    lean, full = (table_line(entity, language, told, lean=lean) for lean in (True, False))
    return _Piece(_Section.TABLES, entity.name, lean, full)


def _pattern_piece(pattern: CanonicalQueryPattern, language: Language) -> _Piece:
    lean, full = (pattern_line(pattern, language, lean=lean) for lean in (True, False))
    return _Piece(_Section.PATTERNS, pattern.intent, lean, full)


def _metric_piece(metric: Metric, language: Language) -> _Piece:
    line = metric_line(metric, language)
    return _Piece(_Section.METRICS, metric.name, line, line)


def _rule_pieces(
    constraints: Iterable[Constraint], entities: Mapping[str, Entity], language: Language
) -> Iterator[_Piece]:
    for rule in rule_lines(constraints, entities, language):
        yield _Piece(_Section.RULES, rule.subjects, rule.lean, rule.full)


def _join_piece(relation: Relation, entities: Mapping[str, Entity]) -> _Piece:
    line = join_line(relation, entities)
    return _Piece(_Section.JOINS, f"{relation.from_entity}–{relation.to_entity}", line, line)


def _telling_fields(
    index: OntologyIndex, entity: Entity, asked: frozenset[str]
) -> tuple[Field, ...]:
    """All fields of a narrow table; of a wide one those that a query is likely to need."""
    if len(entity.fields) <= _LEAN_FIELDS:
        return entity.fields
    bound = {name for key in entity.keys for name in key}
    for relation in index.relations.get(entity.name, ()):
        side = 0 if relation.from_entity == entity.name else 1
        bound.update(pair[side] for pair in relation.pairs)
    for constraint in index.constraints.get(entity.name, ()):
        bound.update((*constraint.fields, constraint.applies_to.rpartition(".")[2]))

    def worth(field: Field) -> int:
        named = asked.intersection(
            term for text in (field.name, *field.synonyms) for term in terms(text)
        )
        return 3 * len(named) + 2 * (field.name in bound) + (field.role is not Role.DIMENSION)

    best = sorted(entity.fields, key=worth, reverse=True)[:_LEAN_FIELDS]
    return tuple(field for field in entity.fields if field in best)


def _most_governed(index: OntologyIndex) -> Iterator[str]:
    """Without a question: what most is demanded of comes first."""

    def demands(name: str) -> tuple[int, str]:
        held = len(index.constraints.get(name, ())) + len(index.patterns.get(name, ()))
        return -held, name

    yield from sorted(index.entities, key=demands)


def _fit(pattern: CanonicalQueryPattern, asked: frozenset[str]) -> tuple[int, str]:
    spoken = {
        term
        for text in (pattern.intent, *(q for told in pattern.questions.values() for q in told))
        for term in terms(text)
    }
    return -len(spoken & asked), pattern.intent


def _title(ontology: OntologyDescriptor, language: Language) -> str:
    told = in_language(ontology.description, language)
    return f"# {ontology.feature_code}{f': {told}' if told else ''}"


def _heading(section: _Section, language: Language) -> str:
    return say(f"prompt.{section.name.lower()}", language)
