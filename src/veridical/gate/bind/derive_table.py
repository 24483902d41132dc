"""What follows from a whole result: totals and means of its columns, shares of a total, the change
between two cells that the answer states, and what is left of one figure after the others.

There are only a few of these per result, so that hardly a made-up figure is among them; they need
no word that names them, unless the figure has so few digits that it might be anything.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.combine import Combined, coincidence
from veridical.gate.bind.derive_said import concluded
from veridical.gate.bind.known import PERCENT, Known, known_figures
from veridical.gate.bind.operation import Operation, named_operations
from veridical.gate.bind.turned import is_told
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Additivity
from veridical.gate.evidence.sheet import Place
from veridical.gate.layout import Layout, SegmentKind

_NOISE = 1e-9
_TELLING_DIGITS = 4
"""With so many digits a figure is hardly met by chance."""
_MOST_ROWS = 400
_NEAREST = 6
_MOST_TAKEN_AWAY = 5
_HUNDRED = 100.0
_FEWEST_FOR_MARGIN = 3
_REACH = 40
_SHORTEST_NAME = 3
_OF = re.compile(r"\s(?:des|der|vom|von|of)\b")
_HAN_OF = re.compile("[占为的]$")
_MARGIN = re.compile(
    r"(?:marge|margin|毛利率|净利率|利润率|百分比|prozent de[sr]|percentage of|in %)"
    r"(?:\s\w+){0,2}[\s:：*|]*$",
    re.IGNORECASE,
)
_LINES = frozenset({SegmentKind.BULLET, SegmentKind.ROW})
_ADDED = frozenset({Operation.SUM, Operation.MEAN, Operation.RATIO, Operation.DIFFERENCE})
"""Must be named where the figure has few digits."""


def derive_from_tables(
    bounds: Sequence[Bound],
    open_claims: Sequence[int],
    layout: Layout,
    evidence: Evidence,
    question: str,
    language: Language,
) -> dict[int, Bound]:
    """The open claims that follow from a result as a whole."""
    tables = _Tables(evidence)
    held = list(bounds)
    found: dict[int, Bound] = {}
    for at in open_claims:
        claim = held[at].claim
        known = known_figures(held, evidence)
        segment = layout.segment_at(claim.start)
        words = layout.text[segment.start : segment.end] if segment else layout.text
        named = named_operations(f"{words} {question}")
        if _is_of_whole(claim, layout.text):
            named |= {Operation.RATIO}
        start, end = (segment.start, segment.end) if segment else (0, len(layout.text))
        near = _nearby(known, start, end)
        lead = layout.text[start : claim.start]
        bound = _settled(claim, tables, near, named, lead, layout.text, evidence, language)
        if bound is None and segment is not None and segment.kind in _LINES:
            bound = _of_another(claim, tables, near.here)
        bound = bound or _no_margin(claim, held, near.all, layout.text)
        if bound is not None:
            held[at] = found[at] = bound
    return found


def _no_margin(
    claim: Claim, bounds: Sequence[Bound], near: Sequence[Known], text: str
) -> Bound | None:
    """A margin told right after the profit, and not that profit's share of the revenue."""
    told = [each for each in near if each.start < claim.start]
    if claim.readings[0].unit != PERCENT or not told or len(near) < _FEWEST_FOR_MARGIN:
        return None
    whole = max(near, key=lambda each: abs(each.exact))
    profit = next((each for each in reversed(told) if each is not whole), whole)
    derived = profit.claim is not None and bounds[profit.claim].ground is Ground.DERIVATION
    if not derived or not _is_of_whole(claim, text):
        return None
    return Bound(claim, Standing.CONTRADICTED)


def _is_of_whole(claim: Claim, text: str) -> bool:
    """True where the words around a percentage say that it is a part of something."""
    lead = text[: claim.start][-_REACH:]
    said = _MARGIN.search(lead) or _OF.match(text, claim.end) or _HAN_OF.search(lead)
    return said is not None


class _Near(NamedTuple):
    """Figures that may be computed with: of the same sentence, and the last ones before it."""

    here: list[Known]
    before: list[Known]

    @property
    def all(self) -> list[Known]:
        return [*self.before, *self.here]


def _nearby(known: Sequence[Known], start: int, end: int) -> _Near:
    plain = [each for each in known if each.unit != PERCENT]
    here = [each for each in plain if start <= each.start < end]
    before = [each for each in plain if each.start < start]
    return _Near(here, before[-_NEAREST:])


def _of_another(claim: Claim, tables: "_Tables", here: Sequence[Known]) -> Bound | None:
    """A percentage that is the share of another row than the one whose line it stands in."""
    placed = [each for each in here if each.place is not None]
    if len(placed) != 1 or claim.readings[0].unit != PERCENT:
        return None
    own = placed[0]
    for made in tables.all_shares(own):
        if _fits(claim.readings[0], made.value):
            return Bound(claim, Standing.CONTRADICTED, place=own.place)
    return None


def _settled(
    claim: Claim,
    tables: "_Tables",
    near: _Near,
    named: frozenset[Operation],
    lead: str,
    text: str,
    evidence: Evidence,
    language: Language,
) -> Bound | None:
    for reading in claim.readings:
        telling = _digits(reading) >= _TELLING_DIGITS
        counts = claim.kind is ClaimKind.COUNT
        made = [
            each
            for each in _made(claim, reading, tables, near, lead)
            if telling or counts or each.operation in named or each.operation not in _ADDED
        ]
        best = next(
            (
                each
                for each in made
                if _fits(reading, each.value) and is_told(each, claim, evidence, text)
            ),
            None,
        )
        if best is not None:
            share = coincidence((each.value for each in made), reading.value, reading.half_step)
            return concluded(claim, reading, best, share, evidence, language)
    return None


def _made(
    claim: Claim, reading: Reading, tables: "_Tables", near: _Near, lead: str
) -> Iterator[Combined]:
    if reading.unit == PERCENT:
        for known in tables.named_last(lead) or near.here or near.before[-1:]:
            yield from tables.shares(known)
        yield from _part_of_whole(claim, near.all)
        yield from _changes(near.all)
        return
    for column in tables.columns:
        yield from tables.added(column)
    yield from _left(near.all)


def _part_of_whole(claim: Claim, near: Sequence[Known]) -> Iterator[Combined]:
    """The figure told right before a percentage, of the largest one around: profit of revenue."""
    told = [each for each in near if each.start < claim.start]
    if not told:
        return
    whole = max(near, key=lambda each: abs(each.exact))
    part = next((each for each in reversed(told) if each is not whole), whole)
    if whole is not part and whole.exact and whole.unit == part.unit:
        yield Combined(part.exact / whole.exact * _HUNDRED, Operation.RATIO, (part, whole))


def _changes(near: Sequence[Known]) -> Iterator[Combined]:
    """From the earlier to the later of two cells of one column, as they are told."""
    placed = [each for each in near if each.place is not None][-_NEAREST:]
    for at, first in enumerate(placed):
        for second in placed[at + 1 :]:
            if _same_column(first, second) and first.exact:
                value = (second.exact - first.exact) / abs(first.exact) * _HUNDRED
                yield Combined(value, Operation.CHANGE, (first, second))


def _same_column(one: Known, other: Known) -> bool:
    return (
        one.place is not None
        and other.place is not None
        and (one.place.sheet, one.place.column) == (other.place.sheet, other.place.column)
        and one.place.row != other.place.row
    )


def _left(near: Sequence[Known]) -> Iterator[Combined]:
    """One figure without those that are told right after it."""
    for at, first in enumerate(near):
        taken: list[Known] = []
        for other in islice(near, at + 1, at + 1 + _MOST_TAKEN_AWAY):
            if other.unit != first.unit:
                continue
            taken.append(other)
            value = first.exact - sum(each.exact for each in taken)
            yield Combined(value, Operation.DIFFERENCE, (first, *taken))


def _fits(reading: Reading, value: float) -> bool:
    """True for the value up to its sign, which is looked at elsewhere."""
    reach = reading.half_step + abs(reading.value) * _NOISE
    return any(
        abs(abs(value) - abs(reading.value / scale)) <= reach / scale
        for scale in {1.0, reading.scale}
    )


def _digits(reading: Reading) -> int:
    """How many digits the figure shows."""
    step = reading.half_step * 2 or 1.0
    return len(f"{abs(reading.value) / step:.0f}")


class _Tables:
    """The columns of results that may be added up, each looked at once."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._cells: dict[tuple[int, int], dict[str, list[Known]]] = {}
        self.columns = list(self._measured())

    def added(self, column: tuple[int, int]) -> Iterator[Combined]:
        """Total and mean of a column, unit by unit, and over all its units."""
        by_unit = self._by_unit(column)
        groups = [*by_unit.values()]
        if len(groups) > 1:
            groups.append([each for group in groups for each in group])
        for group in groups:
            if len(group) > 1:
                total = sum(each.exact for each in group)
                yield Combined(total, Operation.SUM, tuple(group))
                yield Combined(total / len(group), Operation.MEAN, tuple(group))

    def shares(self, known: Known) -> Iterator[Combined]:
        """What part of its column's total a stated cell is."""
        if known.place is None or (known.place.sheet, known.place.column) not in self.columns:
            return
        group = self._by_unit((known.place.sheet, known.place.column)).get(known.unit, [])
        total = sum(each.exact for each in group)
        if len(group) > 1 and total:
            whole = Known(total, total, f"{total:,.10g}", unit=known.unit)
            yield Combined(known.exact / total * _HUNDRED, Operation.SHARE, (known, whole))

    def named_last(self, lead: str) -> list[Known]:
        """The cells of the row that the words right before a figure name, where none is stated."""
        found: list[tuple[int, list[Known]]] = []
        folded = lead.casefold()
        if any(sign.isdigit() for sign in lead[-_REACH // 2 :].rpartition("%")[2]):
            return []
        for column in self.columns:
            for group in self._by_unit(column).values():
                for known in group:
                    at = self._named_at(known, folded)
                    if at >= 0:
                        found.append((at, [known]))
        last = max((at for at, _ in found), default=-1)
        return [known for at, cells in found if at == last for known in cells]

    def _named_at(self, known: Known, folded: str) -> int:
        """Where the words of this row's own texts end last; -1 where they are not said."""
        if known.place is None:
            return -1
        row = self._evidence.sheets[known.place.sheet].rows[known.place.row]
        return max(
            (
                at + len(cell)
                for cell in row
                if isinstance(cell, str) and len(cell) > _SHORTEST_NAME
                for at in [folded.rfind(cell.casefold())]
                if at >= 0
            ),
            default=-1,
        )

    def all_shares(self, known: Known) -> Iterator[Combined]:
        """The shares of all rows in the column of a stated cell."""
        if known.place is not None:
            column = (known.place.sheet, known.place.column)
            for other in self._by_unit(column).get(known.unit, []):
                yield from self.shares(other)

    def _measured(self) -> Iterator[tuple[int, int]]:
        for at, sheet in enumerate(self._evidence.sheets):
            if self._evidence.is_loose(at) or not 1 < len(sheet.rows) <= _MOST_ROWS:
                continue
            for column, name in enumerate(sheet.columns):
                measure = sheet.source.measures.get(name)
                never = measure is not None and measure.additivity is Additivity.NEVER
                key = measure is not None and measure.is_key
                if (
                    not never
                    and not key
                    and not self._evidence.is_code_column(Place(at, 0, column))
                ):
                    yield at, column

    def _by_unit(self, column: tuple[int, int]) -> dict[str, list[Known]]:
        if column not in self._cells:
            found: dict[str, list[Known]] = {}
            for row, cells in enumerate(self._evidence.sheets[column[0]].rows):
                cell = cells[column[1]]
                if isinstance(cell, int | float) and not isinstance(cell, bool):
                    place = Place(column[0], row, column[1])
                    unit = self._evidence.unit(place)
                    value = float(cell)
                    known = Known(value, value, f"{value:,.10g}", unit=unit, place=place)
                    found.setdefault(unit, []).append(known)
            self._cells[column] = found
        return self._cells[column]
