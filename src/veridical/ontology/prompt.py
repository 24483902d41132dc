"""The ontology as a prompt: the same text for the same input, never more than its budget.

What fits whole is given whole, whatever the question, so that providers can cache it. Else the
question picks entities, and worth decides: first each table's names with the rules on it and the
known calls for it, then joins and metrics, then the neighbours. Descriptions and reasons are filled
in last, where there is room.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from veridical.contracts.language import Language, in_language
from veridical.messages import message
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Entity,
    Field,
    OntologyDescriptor,
    Role,
)
from veridical.ontology.pieces import Piece, Section, Wording, all_pieces, wording_of
from veridical.ontology.slice import OntologyIndex, index_ontology, slice_ontology
from veridical.ontology.terms import terms
from veridical.ontology.tokens import estimate_tokens

DEFAULT_BUDGET = 2500
"""Of the questions whose right table is known, all but one of 91 are told it in this room, as
benchmarks/prompt_budget.py measures; 6,000 tokens tell one more."""
_LEAST_TOKENS = 3
"""No entity is told in fewer."""
_LEAN_FIELDS = 40
_PATTERNS_PER_ENTITY = 5
_NEIGHBOURS = 40
_REMEMBERED_COSTS = 20_000


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A prompt, whose ontology it is, and what it had no room for."""

    text: str
    hash: str
    left_out: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """What it costs at most."""
        return estimate_tokens(self.text)


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
    whole = _whole(ontology, language, budget_tokens, index, known_calls=known_calls)
    if whole is not None:
        return replace(whole, hash=ontology.hash)
    wording = wording_of(index, language) if index else Wording(index_ontology(ontology), language)
    index = wording.index
    closing = message("prompt.left_out", language, count=len(index.names))
    page = _Page(language, budget_tokens - estimate_tokens(closing) - 1)
    page.open(_title(shown, language))
    pieces = [
        piece
        for piece in _pieces_by_worth(wording, question)
        if known_calls or piece.section is not Section.PATTERNS
    ]
    for piece in pieces:
        page.add(piece)
    for piece in pieces:
        page.enrich(piece)
    untold = sorted({each.name for each in pieces} - page.names - index.entities.keys())
    left_out = (*untold, *(name for name in index.names if name not in page.names))
    text = page.text()
    if text and left_out:
        text += "\n" + message("prompt.left_out", language, count=len(left_out))
    return PromptBlock(text, ontology.hash, left_out)


class _Page:
    """Lines within a budget."""

    def __init__(self, language: Language, budget: int) -> None:
        self.names: set[str] = set()
        self._language = language
        self._room = budget
        self._title = ""
        self._lines: dict[Section, dict[str, str]] = {section: {} for section in Section}

    def open(self, title: str) -> None:
        if self._pay(title):
            self._title = title

    def add(self, piece: Piece) -> bool:
        lines = self._lines[piece.section]
        if piece.lean in lines:
            return True
        heading = "" if lines else f"{_heading(piece.section, self._language)}\n"
        if not self._title or not self._pay(heading + piece.lean):
            return False
        lines[piece.lean] = piece.lean
        self.names.add(piece.name)
        return True

    def enrich(self, piece: Piece) -> bool:
        lines = self._lines[piece.section]
        if piece.lean not in lines:
            return False
        shorter = lines[piece.lean]
        self._room += _cost(shorter) + 1
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
        cost = _cost(text) + 1
        if cost > self._room:
            return False
        self._room -= cost
        return True


_cost = lru_cache(_REMEMBERED_COSTS)(estimate_tokens)
"""Of pieces, which come again and again."""


def _whole(
    ontology: OntologyDescriptor,
    language: Language,
    budget: int,
    index: OntologyIndex | None,
    *,
    known_calls: bool,
) -> PromptBlock | None:
    """Everything, if only in few words; none when that is more than the budget."""
    if index is None:
        return _everything(ontology, language, budget, known_calls=known_calls)
    return wording_of(index, language).once(
        ("whole", budget, known_calls),
        lambda: _everything(index.ontology, language, budget, known_calls=known_calls),
    )


def _everything(
    ontology: OntologyDescriptor, language: Language, budget: int, *, known_calls: bool
) -> PromptBlock | None:
    if len(ontology.entities) * _LEAST_TOKENS > budget:
        return None
    page = _Page(language, budget)
    page.open(_title(ontology, language))
    pieces: list[Piece] = []
    for piece in all_pieces(ontology, language):
        if piece.section is Section.PATTERNS and not known_calls:
            continue
        if not page.add(piece):
            return None
        pieces.append(piece)
    for piece in pieces:
        page.enrich(piece)
    return PromptBlock(page.text(), ontology.hash)


def _pieces_by_worth(wording: Wording, question: str) -> Iterator[Piece]:
    index = wording.index
    chosen = slice_ontology(index, question)
    asked = frozenset(terms(question))
    core = chosen.core or tuple(islice(_most_governed(index), _NEIGHBOURS))
    near = chosen.near[:_NEIGHBOURS]
    told: set[int] = set()
    for name in core:
        yield from _governed(wording, name, asked, told)
        patterns = sorted(index.patterns.get(name, ()), key=lambda each: _fit(each, asked))
        for pattern in patterns[:_PATTERNS_PER_ENTITY]:
            yield wording.pattern(pattern)
    yield from _joins(wording, core, frozenset(core))
    for name in core:
        for metric in index.metrics.get(name, ()):
            yield wording.metric(metric)
    for name in near:
        yield from _governed(wording, name, asked, told)
    yield from _joins(wording, core, frozenset((*core, *near)))


def _governed(
    wording: Wording, name: str, asked: frozenset[str], told: set[int]
) -> Iterator[Piece]:
    """A table and the rules on it that were not told yet."""
    index = wording.index
    entity = index.entities[name]
    yield wording.entity(entity, _telling_fields(index, entity, asked))
    held = [each for each in index.constraints.get(name, ()) if id(each) not in told]
    told.update(map(id, held))
    yield from wording.rules(held)


def _joins(wording: Wording, core: Iterable[str], both: frozenset[str]) -> Iterator[Piece]:
    for name in core:
        for relation in wording.index.relations.get(name, ()):
            if {relation.from_entity, relation.to_entity} <= both:
                yield wording.join(relation)


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


def _heading(section: Section, language: Language) -> str:
    return message(f"prompt.{section.name.lower()}", language)
