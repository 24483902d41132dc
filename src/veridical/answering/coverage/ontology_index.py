"""The names of an ontology that a question can use, compiled once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from veridical.answering.coverage.call_times import Calendar, calendar_of
from veridical.answering.coverage.code_mention import CodeReader, code_readers
from veridical.answering.coverage.kind_words import KindWords, kind_words
from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.language import Language
from veridical.ontology.model import OntologyDescriptor
from veridical.reading.units import CURRENCIES
from veridical.route.pattern_index import PatternIndex

_KEPT = 16


@dataclass(frozen=True, slots=True)
class OntologyIndex:
    """The names and columns of an ontology that show what a question is about."""

    calendar: Calendar
    codes: Mapping[Language, tuple[CodeReader, ...]]
    currencies: frozenset[str]
    """The columns that hold currencies, by name."""
    kinds: Mapping[Language, KindWords]
    kind_columns: frozenset[str]
    """The columns that separate kinds, by name."""


@dataclass(frozen=True, slots=True)
class _Known:
    hash: str
    ontology: OntologyDescriptor = field(compare=False)
    patterns: PatternIndex = field(compare=False)
    checker: Checker = field(compare=False)


def ontology_index_of(feature: Feature) -> OntologyIndex | None:
    """The index of a feature's ontology; none where a run goes without it."""
    if feature.patterns is None:
        return None
    known = _Known(feature.ontology_hash, feature.ontology, feature.patterns, feature.checker)
    return _compiled(known)


@lru_cache(maxsize=_KEPT)
def _compiled(known: _Known) -> OntologyIndex:
    ontology, patterns, checker = known.ontology, known.patterns, known.checker
    codes = {language: code_readers(ontology, language) for language in Language}
    coded = frozenset(each.column for readers in codes.values() for each in readers)
    calendar = calendar_of(ontology, coded)
    kinds = {each: kind_words(ontology, patterns, checker, calendar, each) for each in Language}
    return OntologyIndex(
        calendar,
        codes,
        frozenset(
            column.name
            for table in checker.catalog.tables.values()
            for column in table.columns.values()
            if column.allowed_texts and column.allowed_texts <= CURRENCIES.keys()
        ),
        kinds,
        frozenset(
            kind.column
            for words in kinds.values()
            for found in words.kinds.values()
            for kind in found
        ),
    )
