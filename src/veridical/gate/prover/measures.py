"""The columns that a text mentions, by the words of their names and of their concepts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column_words import listed_words
from veridical.evidence.concepts import concepts, concepts_in
from veridical.evidence.moment import Moment, find_moments
from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.names import Token, root
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name

_LATIN = late_pattern(rf"[^\W\d_{HAN}]+")
_HAN_RUN = late_pattern(f"[{HAN}]+")
_LONGEST_NAME = 1000
"""Characters of a column's name; nobody speaks of what comes after."""
_LONGEST_COMPOUND = 80
_SHORTEST_COMPOUND = 4


class ColumnRef(NamedTuple):
    """A column of the evidence."""

    table: int
    column: int


@dataclass(frozen=True, slots=True)
class MeasureMention:
    """A place where a text mentions a column."""

    start: int
    end: int
    columns: frozenset[ColumnRef]
    own: bool
    """True if the word belongs to the column's own name, rather than to a concept."""


class MeasureIndex:
    """The words for each column."""

    def __init__(self, tables: Sequence[EvidenceTable]) -> None:
        self._own: dict[str, set[ColumnRef]] = {}
        self._alias: dict[str, set[ColumnRef]] = {}
        self._han: dict[str, set[ColumnRef]] = {}
        self._han_alias: dict[str, set[ColumnRef]] = {}
        self.moments: dict[ColumnRef, Moment] = {}
        for at, table in enumerate(tables):
            for number, column in enumerate(table.columns):
                keep_time()
                self._add(ColumnRef(at, number), column.name, column.labels)
        known = {*self._han, *self._han_alias}
        self._pattern = (
            re.compile("|".join(map(re.escape, sorted(known, key=len, reverse=True))))
            if known
            else None
        )

    def _add(self, ref: ColumnRef, name: str, labels: tuple[str, ...]) -> None:
        plain = split_name(name)
        when = find_moments(plain.replace("_", " "))
        if when:
            self.moments[ref] = when[-1].moment
        for text in (each[:_LONGEST_NAME] for each in (plain, *labels)):
            for word in _LATIN.findall(text):
                key = root(word)
                if len(key) < 2 or key in _plain_words():
                    continue
                self._own.setdefault(key, set()).add(ref)
                for concept in _concepts_of(key):
                    self._alias_of(concept, ref)
            for run in _HAN_RUN.findall(text):
                self._add_han(ref, run)

    def _add_han(self, ref: ColumnRef, run: str) -> None:
        self._han.setdefault(run, set()).add(ref)
        for length in (4, 3, 2):
            for start in range(len(run) - length + 1):
                part = run[start : start + length]
                if part not in listed_words("unspecific"):
                    self._han.setdefault(part, set()).add(ref)
        for concept in concepts_in(run):
            self._alias_of(concept, ref)

    def _alias_of(self, concept: str, ref: ColumnRef) -> None:
        latin, han = _aliases()[concept]
        for word in latin:
            self._alias.setdefault(word, set()).add(ref)
        for word in han:
            self._han_alias.setdefault(word, set()).add(ref)

    def find(self, text: str, words: Sequence[Token]) -> list[MeasureMention]:
        """All mentions of columns, in order."""
        found: list[MeasureMention] = []
        for token in words:
            own = self._match(self._own, token.stem)
            if own:
                found.append(MeasureMention(token.start, token.end, frozenset(own), own=True))
                continue
            alias = self._match(self._alias, token.stem)
            if alias:
                found.append(MeasureMention(token.start, token.end, frozenset(alias), own=False))
        if self._pattern is not None:
            for match in self._pattern.finditer(text):
                own = self._han.get(match[0])
                refs = frozenset(own or self._han_alias[match[0]])
                found.append(MeasureMention(*match.span(), refs, own=bool(own)))
        return sorted(found, key=lambda each: each.start)

    def _match(self, index: dict[str, set[ColumnRef]], word: str) -> set[ColumnRef]:
        if word in index:
            return index[word]
        if len(word) > _LONGEST_COMPOUND:
            return set()
        # a compound ends with its subject: Jahresumsatz
        for cut in range(1, len(word) - _SHORTEST_COMPOUND + 1):
            if word[cut:] in index and len(word) - cut >= _SHORTEST_COMPOUND:
                return index[word[cut:]]
        for cut in range(len(word) - 1, _SHORTEST_COMPOUND, -1):
            if word[:cut] in index:
                return index[word[:cut]]
        return set()


@cache
def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in concepts().items():
        for word in words:
            if not _HAN_RUN.search(word) and "_" not in word:
                found.setdefault(root(word), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _concepts_of(word: str) -> frozenset[str]:
    return _by_word().get(word, frozenset())


@cache
def _aliases() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """The words of each concept as texts are searched for them: stems, and Chinese words."""
    return {
        name: (
            frozenset(root(word.replace("_", "")) for word in words if not _HAN_RUN.search(word)),
            frozenset(word for word in words if _HAN_RUN.search(word) and len(word) > 1),
        )
        for name, words in concepts().items()
    }


@cache
def _plain_words() -> frozenset[str]:
    """Unspecific words of column names: units, averages, periods."""
    plain = listed_words("unspecific")
    return frozenset(root(word) for word in plain)
