"""Figures found on pages: which of the cells a sentence can mean at all.

Labels of a page are guesses, so they seldom speak against a figure. But a cell below another year
than the sentence names is not meant, and a figure so coarse that others would be found as well
must share a word with its row; so must a percentage that the page has as a plain number.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from veridical.contracts.input_budget import keep_time
from veridical.gate.bind.cells import Hit
from veridical.gate.bind.strength import share_of_all
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Sheet
from veridical.gate.layout import Layout
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms

_COARSE = 0.01
_PERCENT = "%"
_LONG_LABEL = 6
_LONGEST_LABEL = 300
"""Characters: what is longer is a text, which no sentence repeats."""
_HALF = 0.5
_YEAR = late_pattern(r"(?:19|20)\d\d")
_EARLY = late_pattern(r"\b(?:jan|feb|mar|apr|may|jun)", re.IGNORECASE)
"""A fiscal year that ends in the first half of a year is often named after the year before."""
_FILLERS = frozenset(
    terms(
        "the of and in for a an to from at as is was were are by on with it its this that be or "
        "million billion thousand approximately about usd percent year years fiscal ended fy "
        "der die das und von im in den dem mit auf für ist war waren es rund etwa jahr"
    )
)


def meant(
    claim: Claim, hits: Sequence[Hit], layout: Layout, evidence: Evidence, question: str
) -> list[Hit]:
    """The hits that the sentence may mean; those outside of pages stay as they are."""
    if not any(evidence.sheets[hit.place.sheet].report for hit in hits):
        return list(hits)
    page = _Page(claim, layout, evidence, question)
    coarse = min(share_of_all(hit.reading, evidence) for hit in hits) > _COARSE
    coarse = coarse and not _is_written_out(claim, evidence)
    return [
        hit
        for hit in hits
        if not evidence.sheets[hit.place.sheet].report or page.may_mean(hit, coarse=coarse)
    ]


def _is_written_out(claim: Claim, evidence: Evidence) -> bool:
    """True where a text has the figure word for word with its scale: $ 59 million."""
    return " " in claim.text and any(claim.text in exhibit.text for exhibit in evidence.exhibits)


class _Page:
    """What is said around a claim, to hold the labels of a page against it."""

    def __init__(self, claim: Claim, layout: Layout, evidence: Evidence, question: str) -> None:
        self._evidence = evidence
        self._years = frozenset(_YEAR.findall(_sentence(claim, layout)))
        self._asked = frozenset(_YEAR.findall(question))
        self._said = f"{_context(claim, layout)} {question}"
        self._spoken = _words.__wrapped__(self._said)  # long, and asked for once

    @cached_property
    def _is_spoken_of(self) -> bool:
        """False where no label has any of the words: they may be of another language."""
        return any(
            not self._spoken.isdisjoint(_words(label[:_LONGEST_LABEL]))
            for sheet in self._evidence.sheets
            if sheet.report
            for label in (*sheet.row_labels, *sheet.columns)
        )

    def may_mean(self, hit: Hit, *, coarse: bool) -> bool:
        """False for a cell in another scale or of another year, or one that no word leads to."""
        evidence = self._evidence
        if not _is_as_written(hit, evidence):
            return False
        if self._years and _is_of_another_year(hit, self._years | self._asked, evidence):
            return False
        label = _label(hit, evidence)
        unsaid = hit.reading.unit == _PERCENT and evidence.unit(hit.place) != _PERCENT
        if unsaid and not self._names(label, label):
            return not self._is_spoken_of
        return not coarse or self._names(label, _heading(hit, evidence)) or not self._is_spoken_of

    def _names(self, label: str, heading: str) -> bool:
        """True where a word is shared, or the label is said that lost its spaces."""
        if not self._spoken.isdisjoint(_words(heading[:_LONGEST_LABEL])):
            return True
        keep_time()
        if len(label) > _LONGEST_LABEL:
            return False
        glued = _glued(label)
        return len(glued) >= _LONG_LABEL and glued in self._glued_said

    @cached_property
    def _glued_said(self) -> str:
        return _glued(self._said)


def _sentence(claim: Claim, layout: Layout) -> str:
    segment = layout.segment_at(claim.start)
    return layout.text[segment.start : segment.end] if segment else ""


def _context(claim: Claim, layout: Layout) -> str:
    """The sentence and the one that leads up to it."""
    segment = layout.segment_at(claim.start)
    if segment is None:
        return ""
    at = layout.segments.index(segment)
    first = layout.segments[max(0, at - 1)]
    return layout.text[first.start : segment.end]


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if word not in _FILLERS and not word.isdigit())


def _glued(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def _label(hit: Hit, evidence: Evidence) -> str:
    labels = evidence.sheets[hit.place.sheet].row_labels
    return labels[hit.place.row] if labels else ""


def _heading(hit: Hit, evidence: Evidence) -> str:
    sheet = evidence.sheets[hit.place.sheet]
    return f"{_label(hit, evidence)} {sheet.columns[hit.place.column]} {sheet.title}"


def _is_as_written(hit: Hit, evidence: Evidence) -> bool:
    """False for a percentage found as a share of one, or a figure in a scale not the page's own."""
    reading = hit.reading
    cell = evidence.figure_at(hit.place)
    if cell is None:
        return True
    if reading.unit == _PERCENT:
        return evidence.unit(hit.place) == _PERCENT or abs(cell) >= _HALF * abs(reading.value)
    if reading.scale == 1.0 or evidence.scale(hit.place) in (1.0, reading.scale):
        return True
    return abs(abs(cell) * reading.scale - abs(reading.value)) > reading.half_step


def _is_of_another_year(hit: Hit, years: frozenset[str], evidence: Evidence) -> bool:
    """True where the column heads another year, and one beside it a year that is named."""
    sheet = evidence.sheets[hit.place.sheet]
    own = frozenset(_column_years(sheet, hit.place.column))
    if not own or own & years:
        return False
    return any(
        years.intersection(_column_years(sheet, column)) for column in range(len(sheet.columns))
    )


def _column_years(sheet: Sheet, column: int) -> Iterator[str]:
    name = sheet.columns[column]
    for year in _YEAR.findall(name):
        yield year
        if _EARLY.search(name):
            yield str(int(year) - 1)
