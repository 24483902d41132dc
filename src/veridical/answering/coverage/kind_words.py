"""The kinds of things that a question names: bank, receivables, wages, customers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from veridical.answering.coverage.call import Pick, call_facts, picks_of
from veridical.answering.coverage.call_subjects import KindMention, RowKind, as_text
from veridical.answering.coverage.call_times import Calendar
from veridical.answering.coverage.span import spans_of
from veridical.check.checker import Checker
from veridical.contracts.language import Language, in_language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import Asks, Entity, OntologyDescriptor
from veridical.ontology.terms import split_name
from veridical.reading.punctuation import LIST_MARKS, marks, wide_marks
from veridical.route.pattern_cover import Phrase, phrase_key
from veridical.route.pattern_fillers import fillers
from veridical.route.pattern_index import PatternIndex
from veridical.route.slots import Word, root, words_of
from veridical.word_file import word_file

_SHORTEST_HEAD = 4
_LINKS = ("", "s", "n", "en", "es", "e")
_WORDS = word_file("veridical.answering.coverage")["kinds"]
_ENUMERATION = late_pattern(f"[;{marks(',')}{LIST_MARKS}]")
_OF_TIMES = frozenset(_WORDS["times"])
_RANGES = ("LIKE", "BETWEEN")
_BRACKETS = str.maketrans(wide_marks("()"), "()")
_ASIDE = {language: frozenset(_WORDS["aside"][language].split()) for language in Language}
"""Words before a kind that mark it as not requested, or as only a step towards the request."""


@dataclass(frozen=True, slots=True)
class KindWords:
    """The words for kinds in one language."""

    kinds: Mapping[Phrase, tuple[RowKind, ...]]
    things: frozenset[str]
    """Stems of nouns that may follow a kind without changing it: bank account."""
    fillers: frozenset[str]
    language: Language
    longest: int

    def find(self, text: str) -> Iterator[KindMention]:
        """The kinds that a text names, the longest phrase first."""
        words = words_of(text)
        at = 0
        while at < len(words):
            length, kinds = self._at(words, at)
            if kinds and self._is_meant(words, at, length):
                joint = "" if self.language is Language.ZH else " "
                yield KindMention(
                    joint.join(each.folded for each in words[at : at + length]), kinds
                )
            at += length

    def _at(self, words: tuple[Word, ...], at: int) -> tuple[int, tuple[RowKind, ...]]:
        for length in range(min(self.longest, len(words) - at), 0, -1):
            kinds = self.kinds.get(phrase_key(words[at : at + length]))
            if kinds and (length > 1 or not self._is_common(words[at].folded)):
                return length, kinds
        return 1, self._compound(words[at].folded) if self.language is Language.DE else ()

    def _is_common(self, folded: str) -> bool:
        """True for a common or short word that only looks like a kind's name."""
        return folded in self.fillers or (folded.isascii() and len(folded) < _SHORTEST_HEAD)

    def _compound(self, folded: str) -> tuple[RowKind, ...]:
        """The kind at the head of a compound whose end is a plain thing: Bankkonto."""
        for cut in range(_SHORTEST_HEAD, len(folded) - 2):
            if root(folded[cut:]) not in self.things:
                continue
            for link in _LINKS:
                head = folded[:cut].removesuffix(link) if link else folded[:cut]
                kinds = self.kinds.get((root(head),))
                if kinds:
                    return kinds
        return ()

    def _is_meant(self, words: tuple[Word, ...], at: int, length: int) -> bool:
        before = {each.folded for each in words[max(0, at - 2) : at]}
        if before & _ASIDE[self.language]:
            return False
        if self.language is Language.DE:
            return True
        around = words[at + length : at + length + 1]
        if self.language is Language.ZH:
            around += words[at - 1 : at] if at else ()
        return all(
            each.folded in self.fillers or each.stem in self.things or each.folded.isdigit()
            for each in around
        )


def kind_words(
    ontology: OntologyDescriptor,
    patterns: PatternIndex,
    checker: Checker,
    calendar: Calendar,
    language: Language,
) -> KindWords:
    """The words of an ontology for its kinds."""
    conditions = {
        entity.name: kind
        for entity in ontology.entities
        if entity.condition and (kind := _kind(entity, ontology, checker, calendar))
    }
    found: dict[Phrase, dict[RowKind, None]] = {}
    slotted: set[str] = set()
    for phrase, name in _slot_words(patterns, language):
        if name in conditions:
            slotted.add(name)
            found.setdefault(phrase, {})[conditions[name]] = None
    by_name = {entity.name: entity for entity in ontology.entities}
    for name, kind in conditions.items():
        if name in slotted or not _is_heading(by_name[name], by_name):
            for phrase in _names(by_name[name], language):
                found.setdefault(phrase, {})[kind] = None
    kinds = {phrase: tuple(each) for phrase, each in found.items()}
    neutral = (
        word for asks in Asks for phrase in fillers(language, asks) for word in phrase.split()
    )
    if language is Language.ZH:
        neutral = (sign for word in neutral for sign in word)
    return KindWords(
        kinds,
        frozenset(_things(ontology, language)),
        frozenset(each.folded for phrase in neutral for each in words_of(phrase)),
        language,
        max(map(len, kinds), default=1),
    )


def _kind(
    entity: Entity, ontology: OntologyDescriptor, checker: Checker, calendar: Calendar
) -> RowKind | None:
    table = _table(entity, ontology)
    if table is None:
        return None
    # Read for the values that it names, never run.
    sql = f'SELECT * FROM "{table}" WHERE {entity.condition}'  # noqa: S608
    facts = call_facts("executeSqlSafe", {"sql": sql}, checker)
    picks: list[Pick] = list(picks_of(facts)) if facts else []
    spans = spans_of(picks, as_text)
    columns = {pick.column.name for pick in picks}
    if not spans or len(columns) != 1 or any(calendar.is_time(each.column) for each in picks):
        return None
    return RowKind(columns.pop(), spans)


def _table(entity: Entity, ontology: OntologyDescriptor) -> str | None:
    by_name = {each.name: each for each in ontology.entities}
    at: Entity | None = entity
    while at is not None and at.table is None:
        at = by_name.get(at.parent_entity or "")
    return at.table if at else None


def _is_heading(entity: Entity, by_name: Mapping[str, Entity]) -> bool:
    """True for a top range of codes that no known question asks for: its name is too general."""
    parent = by_name.get(entity.parent_entity or "")
    is_range = any(word in (entity.condition or "") for word in _RANGES)
    return is_range and (parent is None or parent.condition is None)


def _slot_words(patterns: PatternIndex, language: Language) -> Iterator[tuple[Phrase, str]]:
    for reader in patterns.readers[language]:
        for phrase, meaning in reader.vocabulary.stems.items():
            if meaning.value in patterns.conditions:
                yield phrase, str(meaning.value)


def _names(entity: Entity, language: Language) -> Iterator[Phrase]:
    """The names of an entity as a whole; an enumeration lists parts and is no name."""
    text = in_language(entity.description, language).translate(_BRACKETS)
    head, _, aside = text.partition("(")
    for name in (head, aside.strip(" )"), *entity.synonyms):
        words = words_of(name)
        if words and not _ENUMERATION.search(name):
            yield phrase_key(words)


def _things(ontology: OntologyDescriptor, language: Language) -> Iterator[str]:
    for entity in ontology.entities:
        if entity.table is None:
            continue
        for name in (split_name(entity.name), *entity.synonyms):
            words = words_of(name)
            yield from (each.stem for each in (words[:1] if language is Language.ZH else words))
