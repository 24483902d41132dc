"""The full description of one topic, beyond the room of a prompt."""

from collections.abc import Collection, Iterable, Iterator

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.compile import column_name
from veridical.ontology.demands import Demands
from veridical.ontology.lines import Depth
from veridical.ontology.model import Constraint, ConstraintRule, Entity, Field
from veridical.ontology.page import Page
from veridical.ontology.pieces import (
    Piece,
    Wording,
    column_piece,
    entity_piece,
    purpose_piece,
    wording_of,
)
from veridical.ontology.prompt import titles
from veridical.ontology.slice import OntologyIndex, slice_ontology
from veridical.ontology.tokens import estimate_tokens

MOST_TOKENS = 6_000
"""The limit for one topic: enough for a wide table with every word about it."""
_MEANT_BY_WORDS = 3
"""Most tables for a topic that is no name."""
_MOST_ALIKE = 20
"""Most columns of one name."""


def describe(
    index: OntologyIndex,
    language: Language,
    topic: str = "",
    *,
    dialect: str = "",
    functions: Iterable[str] = (),
) -> str | None:
    """The description of a table, a column, a metric, a known question or of words; without a
    topic, all tables and terms with the functions of the dialect. None for an unknown topic."""
    wording = wording_of(index, language)
    pieces = [*_pieces(wording, topic.strip())]
    if not pieces:
        return None
    page = Page(language, MOST_TOKENS)
    if not topic.strip() and (named := ", ".join(sorted(functions))):
        dialect = message("prompt.functions", language, dialect=dialect, functions=named)
    page.open(*titles(index.ontology, language, dialect, whole=not topic.strip()))
    for depth in Depth:
        page.tell(pieces, depth)
    return page.text()


def described_columns(
    index: OntologyIndex, language: Language, table: str, columns: Collection[str]
) -> str | None:
    """The owner's description of a table and of these columns; None if there is none."""
    named = (each for each in index.entities.values() if table.casefold() in _names(each))
    entity = next(named, None)
    if entity is None:
        return None
    shown = tuple(each for each in entity.fields if column_name(each) in columns)
    piece = entity_piece(entity, language, shown)
    fitting = (
        piece.at(depth)
        for depth in (Depth.FIELDS, Depth.WORDS)
        if estimate_tokens(piece.at(depth)) <= MOST_TOKENS
    )
    description = next(fitting, piece.lean)
    return None if description == piece.lean else description


def topics(index: OntologyIndex) -> Iterator[str]:
    """The names that can be described, without those of columns."""
    for entity in index.ontology.entities:
        yield entity.table or entity.name
    yield from (each.name for each in index.ontology.metrics)
    yield from (each.intent for each in index.ontology.canonical_patterns)
    yield from (each.name for each in index.ontology.purposes)


def _pieces(wording: Wording, topic: str) -> Iterator[Piece]:
    if not topic:
        yield from _overview(wording)
        return
    named = [*_named(wording, topic.casefold())]
    if not named and (" " in topic or topic.isalpha()):  # words; a name only means itself
        chosen = slice_ontology(wording.index, topic).core[:_MEANT_BY_WORDS]
        named = [piece for name in chosen for piece in _of_entity(wording, name)]
    yield from named


def _overview(wording: Wording) -> Iterator[Piece]:
    """Every table and term, without its columns."""
    for name in wording.index.names:
        yield entity_piece(wording.index.entities[name], wording.language, ())
    for metric in wording.index.ontology.metrics:
        yield wording.metric(metric)


def _named(wording: Wording, topic: str) -> Iterator[Piece]:
    """The things with exactly this name, regardless of case."""
    ontology, language = wording.index.ontology, wording.language
    for entity in ontology.entities:
        if topic in _names(entity):
            yield from _of_entity(wording, entity.name)
    owner, _, column = topic.rpartition(".")
    columns = (
        (entity, field)
        for entity in ontology.entities
        for field in entity.fields
        if column in _field_names(field) and (not owner or owner in _names(entity))
    )
    for _, (entity, field) in zip(range(_MOST_ALIKE), columns, strict=False):
        yield column_piece(entity, field, language)
        yield from wording.rules(_on(wording.index, entity, field))
    for metric in ontology.metrics:
        if topic in {metric.name.casefold(), (metric.label or "").casefold()}:
            yield wording.metric(metric)
    for pattern in ontology.canonical_patterns:
        if topic == pattern.intent.casefold():
            yield wording.pattern(pattern)
    for purpose in ontology.purposes:
        if topic == purpose.name.casefold():
            yield purpose_piece(purpose, language)


def _of_entity(wording: Wording, name: str) -> Iterator[Piece]:
    """A table or a kind of rows with its full description."""
    index = wording.index
    entity = index.entities[name]
    rules = wording.once(("all demands", name), lambda: _demands(index, entity))
    yield wording.entity(entity, entity.fields)
    yield from wording.rules(rules)
    yield from wording.judgements(entity)
    purposes = {purpose for each in rules for purpose in each.purposes}
    for purpose in index.ontology.purposes:
        if purpose.name in purposes:
            yield purpose_piece(purpose, wording.language)
    for each in index.ontology.entities:
        if each.parent_entity == name or each.name == entity.parent_entity:
            yield wording.entity(each, ())
    for relation in index.relations.get(name, ()):
        yield wording.join(relation)
    for metric in index.metrics.get(name, ()):
        yield wording.metric(metric)
    for pattern in index.patterns.get(name, ()):
        yield wording.pattern(pattern)


def _demands(index: OntologyIndex, entity: Entity) -> tuple[Constraint, ...]:
    """The constraints on an entity and its fields, including those that others override."""
    demands = Demands(index.ontology)
    found = [each for rule in ConstraintRule for each in demands.on_entity(entity, rule)]
    found += [each for field in entity.fields for each in demands.on_field(entity, field.name)]
    return tuple({id(each): each for each in found}.values())


def _on(index: OntologyIndex, entity: Entity, field: Field) -> Iterator[Constraint]:
    """The constraints on a column, or on queries through it."""
    own = {id(each) for each in Demands(index.ontology).on_field(entity, field.name)}
    for each in _demands(index, entity):
        if id(each) in own or field.name in _named_in(each):
            yield each


def _named_in(constraint: Constraint) -> tuple[str, ...]:
    others = (*constraint.where_read, *constraint.last_per, *constraint.instead_of)
    return (*constraint.fields, *others)


def _names(entity: Entity) -> set[str]:
    return {entity.name.casefold(), (entity.table or entity.name).casefold()}


def _field_names(field: Field) -> set[str]:
    return {field.name.casefold(), column_name(field).casefold()}
