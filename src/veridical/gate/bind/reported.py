"""Figures found on pages: which of the cells a sentence can mean at all.

Labels of a page are guesses, so they seldom speak against a figure. But a cell below another year
than the sentence names is not meant, and a figure so coarse that many others would be found as
well must share a word with its row.
"""

import re
from collections.abc import Iterator, Sequence

from veridical.gate.bind.cells import Hit
from veridical.gate.bind.strength import share_of_all
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Sheet
from veridical.gate.layout import Layout
from veridical.ontology.terms import terms

_COARSE = 0.2
_HALF = 0.5
_YEAR = re.compile(r"(?:19|20)\d\d")
_EARLY = re.compile(r"\b(?:jan|feb|mar|apr|may|jun)", re.IGNORECASE)
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
    sentence = _sentence(claim, layout)
    years = frozenset(_YEAR.findall(sentence))
    asked = frozenset(_YEAR.findall(question))
    spoken = _words(f"{_context(claim, layout)} {question}")
    coarse = min(share_of_all(hit.reading, evidence) for hit in hits) > _COARSE
    return [
        hit
        for hit in hits
        if not evidence.sheets[hit.place.sheet].report
        or (
            _is_as_written(hit, evidence)
            and not (years and _is_of_another_year(hit, years | asked, evidence))
            and not (coarse and spoken.isdisjoint(_named(hit, evidence)))
        )
    ]


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


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if word not in _FILLERS and not word.isdigit())


def _named(hit: Hit, evidence: Evidence) -> frozenset[str]:
    sheet = evidence.sheets[hit.place.sheet]
    label = sheet.row_labels[hit.place.row] if sheet.row_labels else ""
    return _words(f"{label} {sheet.columns[hit.place.column]} {sheet.title}")


def _is_as_written(hit: Hit, evidence: Evidence) -> bool:
    """False for a percentage found as a share of one, or a figure in a scale not the page's own."""
    reading = hit.reading
    cell = evidence.figure_at(hit.place)
    if cell is None:
        return True
    if reading.unit == "%":
        return evidence.unit(hit.place) == "%" or abs(cell) >= _HALF * abs(reading.value)
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
