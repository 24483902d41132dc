"""The ontology as a prompt: the same text for the same input, never more than its budget.

An ontology that fits is given in full, for any question, so that providers can cache it. Otherwise
the question selects entities by relevance: first the tables that fit best, each with its rules,
its known calls and its owner's description; then the names of the others with their rules, joins
and metrics, then the neighbours. Lists of values come after all words of the owner.
Names without room are listed at the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from veridical.contracts.language import Language, in_language
from veridical.messages import message
from veridical.ontology.lines import Depth
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Entity,
    Field,
    OntologyDescriptor,
    Role,
)
from veridical.ontology.page import MORE, Page
from veridical.ontology.pieces import Piece, Section, Wording, all_pieces, wording_of
from veridical.ontology.slice import OntologyIndex, index_ontology, slice_ontology
from veridical.ontology.terms import terms
from veridical.ontology.tokens import estimate_tokens

DEFAULT_BUDGET = 2500
"""Of the questions whose right table is known, all but one of 91 find it in this budget, as
benchmarks/prompt_budget.py measures; 6,000 tokens find one more."""
_LEAST_TOKENS = 3
"""No entity fits in fewer."""
_LEAN_FIELDS = 40
_PATTERNS_PER_ENTITY = 5
_NEIGHBOURS = 40
_WORDED_FIRST = 3
"""For so many tables that fit a question best, the owner's words come before the names of others.
With three, nine questions of ten have the words about the right table, without losing a right
table, as benchmarks/prompt_budget.py measures."""
_MOST_COUNTED = 99_999
_NAMES_SHARE = 10
"""At most this part of the budget names the missing parts."""


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A prompt, the hash of its ontology, and the names without room."""

    text: str
    hash: str
    left_out: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """The maximum number of tokens."""
        return estimate_tokens(self.text)


def compile_prompt(
    ontology: OntologyDescriptor,
    language: Language,
    budget_tokens: int = DEFAULT_BUDGET,
    question: str = "",
    index: OntologyIndex | None = None,
    *,
    known_calls: bool = True,
    describe: str = "",
    dialect: str = "",
) -> PromptBlock:
    """The prompt block in this language. An index, made once, makes slicing fast and restricts it
    to what its permissions show. Where a tool knows the canonical questions, their calls can be
    left out. ``describe`` is the tool that returns the missing parts, if the reader has it;
    ``dialect`` is the name of the data's SQL dialect."""
    shown = index.ontology if index else ontology
    whole = _whole(ontology, language, budget_tokens, index, dialect, known_calls=known_calls)
    if whole is not None:
        return replace(whole, hash=ontology.hash)
    wording = wording_of(index, language) if index else Wording(index_ontology(ontology), language)
    closing = _Closing(wording, budget_tokens, describe)
    page = Page(language, budget_tokens - closing.cost)
    page.open(*titles(shown, language, dialect))
    pieces = _fill(page, wording, question, known_calls=known_calls)
    missing = sorted(page.lacks(pieces) - wording.index.entities.keys())
    left_out = (*missing, *(name for name in wording.index.names if not page.tells(name)))
    text = page.text()
    if text and (left_out or page.is_cut):
        text += "\n" + closing.text(left_out)
    return PromptBlock(text, ontology.hash, left_out)


class _Closing:
    """The last line: how much is missing, which tables, and the tool that describes them."""

    def __init__(self, wording: Wording, budget: int, describe: str) -> None:
        self._language = wording.language
        self._entities = wording.index.entities
        self._then = (
            message("prompt.describe", self._language, tool=describe)
            if describe
            else message("prompt.ask", self._language)
        )
        names = sum(_name_cost(each.table) for each in self._entities.values() if each.table)
        self._room = min(names, budget // _NAMES_SHARE)
        forms = (self._line("cut"), self._line("left_out", _MOST_COUNTED, f": {MORE}"))
        self.cost = max(map(estimate_tokens, forms)) + 1 + self._room

    def text(self, left_out: Sequence[str]) -> str:
        """The text for these missing names."""
        if not left_out:
            return self._line("cut")
        tables = self._tables(left_out)
        return self._line("left_out", len(left_out), f": {', '.join(tables)}" if tables else "")

    def _line(self, key: str, count: int = 0, named: str = "") -> str:
        return message(f"prompt.{key}", self._language, count=count, named=named, then=self._then)

    def _tables(self, left_out: Iterable[str]) -> list[str]:
        room, found = self._room, list[str]()
        for name in left_out:
            entity = self._entities.get(name)
            if entity is not None and entity.table:
                room -= _name_cost(entity.table)
                if room < 0:
                    return [*found, MORE.strip()]
                found.append(entity.table)
        return found


def _name_cost(name: str) -> int:
    return estimate_tokens(name) + 1


def _whole(
    ontology: OntologyDescriptor,
    language: Language,
    budget: int,
    index: OntologyIndex | None,
    dialect: str,
    *,
    known_calls: bool,
) -> PromptBlock | None:
    """Everything with all words of its owner; None if that exceeds the budget."""
    if index is None:
        return _everything(ontology, language, budget, dialect, known_calls=known_calls)
    return wording_of(index, language).once(
        ("whole", budget, dialect, known_calls),
        lambda: _everything(index.ontology, language, budget, dialect, known_calls=known_calls),
    )


def fits_whole(
    index: OntologyIndex, language: Language, budget_tokens: int, dialect: str = ""
) -> bool:
    """True if a prompt of this budget contains everything with all words of its owner."""
    found = _whole(index.ontology, language, budget_tokens, index, dialect, known_calls=True)
    return found is not None


def _everything(
    ontology: OntologyDescriptor,
    language: Language,
    budget: int,
    dialect: str,
    *,
    known_calls: bool,
) -> PromptBlock | None:
    if len(ontology.entities) * _LEAST_TOKENS > budget:
        return None
    page = Page(language, budget)
    page.open(titles(ontology, language, dialect)[0])
    pieces = [
        piece
        for piece in all_pieces(ontology, language)
        if known_calls or piece.section is not Section.PATTERNS
    ]
    if not page.tell(pieces, Depth.FIELDS):
        return None
    page.tell(pieces, Depth.VALUES)
    return PromptBlock(page.text(), ontology.hash)


def _fill(page: Page, wording: Wording, question: str, *, known_calls: bool) -> list[Piece]:
    """Add the pieces for the question by relevance; returns all relevant pieces."""
    index = wording.index
    chosen = slice_ontology(index, question)
    question_terms = frozenset(terms(question))
    governed = wording.once("most governed", lambda: _most_governed(index))
    core = chosen.core or governed
    near = chosen.near[:_NEIGHBOURS]
    others = (name for name in governed if name not in {*core, *near})
    shown_rules: set[int] = set()
    meant, around, beyond = (
        [
            _governed(wording, name, question_terms, shown_rules, known_calls=known_calls)
            for name in names
        ]
        for names in (core, near, others)
    )
    links = [*_joins(wording, core, frozenset(core))]
    links += [wording.metric(each) for name in core for each in index.metrics.get(name, ())]
    around.append([*_joins(wording, core, frozenset((*core, *near)))])
    first = _WORDED_FIRST if chosen.core else len(meant)
    for pieces in meant[:first]:
        page.tell(pieces, Depth.NAMES)
        page.tell(pieces, Depth.WORDS, without=Section.PATTERNS)
    for pieces in (*meant[first:], links):
        page.tell(pieces, Depth.NAMES)
    for pieces in meant:
        page.tell(pieces, Depth.WORDS)
    for pieces in around:
        page.tell(pieces, Depth.NAMES)
    everything = [piece for pieces in (*meant, links, *around, *beyond) for piece in pieces]
    page.tell(everything, Depth.FIELDS)
    page.tell(everything, Depth.VALUES)
    return everything


def _governed(
    wording: Wording,
    name: str,
    question_terms: frozenset[str],
    shown_rules: set[int],
    *,
    known_calls: bool,
) -> list[Piece]:
    """A table, its rules that are not in the prompt yet, and its known calls."""
    index = wording.index
    entity = index.entities[name]
    rules = [each for each in index.constraints.get(name, ()) if id(each) not in shown_rules]
    shown_rules.update(map(id, rules))
    known = index.patterns.get(name, ()) if known_calls else ()
    patterns = sorted(known, key=lambda each: _fit(each, question_terms))[:_PATTERNS_PER_ENTITY]
    return [
        wording.entity(entity, _telling_fields(index, entity, question_terms)),
        *wording.rules(rules),
        *wording.judgements(entity),
        *map(wording.pattern, patterns),
    ]


def _joins(wording: Wording, core: Iterable[str], both: frozenset[str]) -> Iterator[Piece]:
    for name in core:
        for relation in wording.index.relations.get(name, ()):
            if {relation.from_entity, relation.to_entity} <= both:
                yield wording.join(relation)


def _telling_fields(
    index: OntologyIndex, entity: Entity, question_terms: frozenset[str]
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
        named = question_terms.intersection(
            term for text in (field.name, *field.synonyms) for term in terms(text)
        )
        return 3 * len(named) + 2 * (field.name in bound) + (field.role is not Role.DIMENSION)

    best = sorted(entity.fields, key=worth, reverse=True)[:_LEAN_FIELDS]
    return tuple(field for field in entity.fields if field in best)


def _most_governed(index: OntologyIndex) -> tuple[str, ...]:
    """The order without a question: entities with the most constraints come first."""

    def demands(name: str) -> tuple[int, str]:
        weight = len(index.constraints.get(name, ())) + len(index.patterns.get(name, ()))
        return -weight, name

    return tuple(nsmallest(_NEIGHBOURS, index.entities, key=demands))


def _fit(pattern: CanonicalQueryPattern, question_terms: frozenset[str]) -> tuple[int, str]:
    pattern_terms = {
        term
        for text in (pattern.intent, *(q for texts in pattern.questions.values() for q in texts))
        for term in terms(text)
    }
    return -len(pattern_terms & question_terms), pattern.intent


def titles(
    ontology: OntologyDescriptor, language: Language, dialect: str = "", *, whole: bool = True
) -> tuple[str, ...]:
    """The titles: data and SQL dialect, with the owner's description and without it."""
    description = in_language(ontology.description, language) if whole else ""
    dialect_line = f"\n{message('prompt.dialect', language, dialect=dialect)}" if dialect else ""
    name = f"# {ontology.feature_code}"
    short = f"{name}{MORE if description else ''}{dialect_line}"
    return (f"{name}: {description}{dialect_line}", short) if description else (short,)
