"""Operations that the question names, over the cells of rows and columns that it names.

"The average inventory of 2018 and 2019" names a row, two columns and a mean. Only such cells are
computed with, only in such ways, and only as long as few other figures would come out as well.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.gate.bind.combine import Combined, coincidence, combined
from veridical.gate.bind.derive_said import concluded
from veridical.gate.bind.known import PERCENT, Known
from veridical.gate.bind.operation import Operation, named_operations
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout
from veridical.ontology.terms import terms

_LIMIT = 0.15
_NOISE = 1e-9
_COVERED = 0.6
_MOST_ROWS = 6
_MOST_CELLS = 14
_MOST_GROUPS = 24
_YEAR = re.compile(r"(?:19|20)\d\d")
_FILLERS = frozenset(
    terms("the of and in for a an to from at as is was were by on with what how much total net")
)


@dataclass(frozen=True, slots=True)
class _Named:
    """A row or a column that the question names, and how well."""

    at: int
    score: float


class Asked:
    """One question over the evidence."""

    def __init__(self, evidence: Evidence, question: str, language: Language) -> None:
        self._evidence = evidence
        self._question = question
        self._language = language

    def derive(
        self, bounds: Sequence[Bound], open_claims: Sequence[int], layout: Layout
    ) -> dict[int, Bound]:
        """The open claims that follow from the named cells."""
        found: dict[int, Bound] = {}
        for at in open_claims:
            claim = bounds[at].claim
            segment = layout.segment_at(claim.start)
            said = layout.text[segment.start : segment.end] if segment else ""
            bound = self._settled(claim, f"{self._question} {said}")
            if bound is not None:
                found[at] = bound
        return found

    def _settled(self, claim: Claim, words: str) -> Bound | None:
        operations = named_operations(words)
        if not operations:
            return None
        groups = list(self._groups(words))[:_MOST_GROUPS]
        for reading in claim.readings:
            found = self._fitting(reading, groups, operations)
            if found is not None:
                best, share = found
                return concluded(claim, reading, best, share, self._evidence, self._language)
        return None

    def _fitting(
        self, reading: Reading, groups: list[list[Known]], operations: Collection[Operation]
    ) -> tuple[Combined, float] | None:
        percent = reading.unit == PERCENT
        made = [each for group in groups for each in combined(group, operations, percent=percent)]
        reach = reading.half_step + abs(reading.value) * _NOISE
        for scale in {1.0, reading.scale}:
            value, step = reading.value / scale, reach / scale
            best = next((each for each in made if abs(abs(each.value) - abs(value)) <= step), None)
            if best is not None:
                share = coincidence((each.value for each in made), value, step)
                if share <= _LIMIT:
                    return best, share
        return None

    def _groups(self, words: str) -> Iterator[list[Known]]:
        """Cells that may be computed with each other: of one row, or of named rows in a column."""
        spoken = frozenset(terms(words)) - _FILLERS
        years = frozenset(_YEAR.findall(words))
        for index, sheet in enumerate(self._evidence.sheets):
            columns = _of_years(sheet.columns, years)
            rows = _named(sheet.row_labels, spoken)
            for row in rows:
                yield self._cells(index, [(row.at, column) for column in columns])
            if len(rows) > 1:
                for column in columns:
                    yield self._cells(index, [(row.at, column) for row in rows])
            labelled = _of_years(sheet.row_labels, years)
            for named in _named(sheet.columns, spoken):
                if len(labelled) <= _MOST_CELLS:
                    yield self._cells(index, [(row, named.at) for row in labelled])

    def _cells(self, index: int, chosen: Sequence[tuple[int, int]]) -> list[Known]:
        sheet = self._evidence.sheets[index]
        found: list[Known] = []
        for row, column in chosen[:_MOST_CELLS]:
            cell = sheet.rows[row][column]
            if isinstance(cell, int | float) and not isinstance(cell, bool):
                place = Place(index, row, column)
                value = float(cell)
                unit = self._evidence.unit(place)
                found.append(Known(value, value, f"{value:,.10g}", unit=unit, place=place))
        return found


def _of_years(names: Sequence[str], years: frozenset[str]) -> list[int]:
    """The places whose name has one of the years; all where none has."""
    chosen = [at for at, name in enumerate(names) if years & set(_YEAR.findall(name))]
    return chosen or list(range(len(names)))


def _named(names: Sequence[str], spoken: frozenset[str]) -> list[_Named]:
    """The names that the words cover, the best first."""
    found: list[_Named] = []
    for at, name in enumerate(names):
        score = max((_covered(part, spoken) for part in _parts(name)), default=0.0)
        if score:
            found.append(_Named(at, score))
    found.sort(key=lambda named: -named.score)
    return found[:_MOST_ROWS]


def _parts(name: str) -> Iterator[str]:
    yield name
    if ": " in name:
        yield name.rpartition(": ")[2]


def _covered(name: str, spoken: frozenset[str]) -> float:
    """How many words of the name are spoken, where it is most of them."""
    own = frozenset(terms(name)) - _FILLERS
    own = frozenset(word for word in own if not word.isdigit())
    if not own:
        return 0.0
    shared = len(own & spoken)
    return shared * shared / len(own) if shared >= _COVERED * len(own) else 0.0
