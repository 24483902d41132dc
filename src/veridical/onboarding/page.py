"""Rules that a page of text states, as proposals that cite their sentence and wait for a person."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from veridical.contracts.wire import Wire
from veridical.onboarding.kinds.soft_deletes import is_flag
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.reading.punctuation import wide_marks

_ENDS = ".!?;"
_SENTENCE = re.compile(rf"(?<=[{_ENDS}])\s+|(?<=[{wide_marks(_ENDS)}])|\n+")
_MARKS = re.compile(r"[*`#>|]+")
_SHORTEST, _LONGEST = 12, 400
_SHORTEST_VALUE = 2
_MOST_PLACES = 8


class PageRule(StrEnum):
    """What a sentence says of a column."""

    NONE = "NONE"
    ONLY = "ONLY"
    """rows with these values count, and no others"""
    NOT = "NOT"
    """rows with these values don't count"""
    NEVER_SUM = "NEVER_SUM"
    EMPTY_COUNTS = "EMPTY_COUNTS"


class Stated(Wire):
    """A model's reading of one sentence."""

    rule: PageRule = PageRule.NONE
    column: str = ""
    """``table.column``"""
    values: tuple[str, ...] = ()


Places = Mapping[str, tuple[TableProfile, ColumnProfile]]
"""Columns by ``table.column``."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page, without its marks."""
    for part in _SENTENCE.split(text):
        sentence = " ".join(_MARKS.sub(" ", part).split())
        if _SHORTEST <= len(sentence) <= _LONGEST:
            yield sentence


def places_in(sentence: str, tables: Iterable[TableProfile]) -> Places:
    """The columns that a sentence names, or of which it names a value."""
    found = {
        f"{table.name}.{column.name}": (table, column)
        for table in tables
        for column in table.columns
        if _names(sentence, column.name) or any(_names(sentence, each) for each in _texts(column))
    }
    return dict(list(found.items())[:_MOST_PLACES])


def proposal_of(stated: Stated, sentence: str, places: Places) -> Proposal | None:
    """The proposal of a reading; None if the data has no such column or value, or the sentence does
    not name what the reading is about."""
    place = places.get(stated.column)
    if stated.rule is PageRule.NONE or place is None:
        return None
    table, column = place
    values: tuple[str, ...] = ()
    if stated.rule in (PageRule.ONLY, PageRule.NOT):
        known = {each.casefold(): each for each in _texts(column)}
        values = tuple(dict.fromkeys(known.get(each.casefold(), "") for each in stated.values))
        if not values or not all(values) or len(values) == len(known):
            return None
        if not all(_names(sentence, each) for each in values):
            return None
    elif not _is_fitting(stated.rule, column) or not _names(sentence, column.name):
        return None
    return Proposal(
        kind=ProposalKind.STATED,
        table=table.name,
        columns=(column.name,),
        values=values,
        reason="page",
        evidence={
            "sentence": sentence,
            "rule": stated.rule.value,
            "value": " ".join((stated.rule.value, *values)),
        },
        confidence=0.5,
    )


def _is_fitting(rule: PageRule, column: ColumnProfile) -> bool:
    return column.is_numeric if rule is PageRule.NEVER_SUM else is_flag(column)


def _texts(column: ColumnProfile) -> list[str]:
    values = [value for value, _ in column.values if isinstance(value, str)]
    return [each for each in values if len(each) >= _SHORTEST_VALUE]


def _names(sentence: str, name: str) -> bool:
    """True if a sentence has this name as a word of its own."""
    if not name.isascii():
        return name in sentence
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE) is not None
