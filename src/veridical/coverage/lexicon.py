"""What an ontology knows that a question can name, compiled once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.coverage.asked_code import CodeReader, code_readers
from veridical.coverage.call_times import Calendar, calendar_of
from veridical.feature import Feature
from veridical.ontology.catalog import Catalog
from veridical.ontology.model import OntologyDescriptor
from veridical.reading.units import CURRENCIES

_KEPT = 16


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names and columns by which an ontology tells what a question is about."""

    calendar: Calendar
    codes: Mapping[Language, tuple[CodeReader, ...]]
    currencies: frozenset[str]
    """The columns that hold currencies, by name."""


@dataclass(frozen=True, slots=True)
class _Known:
    hash: str
    ontology: OntologyDescriptor = field(compare=False)
    catalog: Catalog = field(compare=False)


def lexicon_of(feature: Feature) -> Lexicon:
    """The lexicon of a feature's ontology."""
    return _compiled(_Known(feature.ontology_hash, feature.ontology, feature.checker.catalog))


@lru_cache(maxsize=_KEPT)
def _compiled(known: _Known) -> Lexicon:
    return Lexicon(
        calendar_of(known.ontology),
        {language: code_readers(known.ontology, language) for language in Language},
        frozenset(
            column.name
            for table in known.catalog.tables.values()
            for column in table.columns.values()
            if column.allowed_texts and column.allowed_texts <= CURRENCIES.keys()
        ),
    )
