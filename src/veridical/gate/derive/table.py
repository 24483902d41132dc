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
from veridical.contracts.proof import ClaimKind, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading
from veridical.gate.derive.combine import Combined, coincidence
from veridical.gate.derive.known import PERCENT, Known, known_figures
from veridical.gate.derive.operation import Operation, named_operations
from veridical.gate.derive.rest import is_of_other_parts
from veridical.gate.derive.said import concluded
from veridical.gate.derive.totals import Totals, totals_of
from veridical.gate.derive.turned import is_told, says_left
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Layout, SegmentKind
from veridical.late_pattern import late_pattern

_NOISE = 1e-9
_TELLING_DIGITS = 4
"""With so many digits a figure is hardly met by chance."""
_NEAREST = 6
_MOST_TAKEN_AWAY = 5
_HUNDRED = 100.0
_REACH = 40
_OF = late_pattern(r"\s(?:des|der|vom|von|of)\b")
_OF_SO_MANY = late_pattern(r"\s(?:von|of|out of|aus|der)\s(?:(?:the|den|insgesamt|total)\s)?\d")
"""10 of 24: both count."""
_HAN_OF = late_pattern("[占为的]$")
_MARGIN = late_pattern(
    r"(?:marge|margin|毛利率|净利率|利润率|百分比|prozent de[sr]|percentage of|in %)"
    r"(?:\s\w+){0,2}[\s:：*|]*$",
    re.IGNORECASE,
)
_OF_REMAINDER = late_pattern(
    r"(?:marge|margin|利润率|毛利率|净利率|\|\s*(?:in %|百分比))(?:\s\w+){0,2}[\s:：*|]*$",
    re.IGNORECASE,
)
"""A margin, or a row of a table that has no subject of its own."""
_REMAINDER = late_pattern(r" [-−–] ")
_LINES = frozenset({SegmentKind.BULLET, SegmentKind.ROW})
_ADDED = frozenset(
    {Operation.SUM, Operation.MEAN, Operation.RATIO, Operation.DIFFERENCE, Operation.REST}
)
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
    tables = totals_of(evidence)
    held = list(bounds)
    found: dict[int, Bound] = {}
    for at in open_claims:
        claim = held[at].claim
        known = known_figures(held, evidence)
        segment = layout.segment_at(claim.start)
        words = layout.text[segment.start : segment.end] if segment else layout.text
        named = named_operations(words) | named_operations(question)
        if _is_of_whole(claim, layout.text):
            named |= {Operation.RATIO}
        if says_left(claim, layout.text):
            named |= {Operation.REST}
        start, end = (segment.start, segment.end) if segment else (0, len(layout.text))
        near = _nearby(known, start, end)
        lead = layout.text[start : claim.start]
        bound = _settled(claim, tables, near, named, lead, layout.text, evidence, language)
        if bound is None and segment is not None and segment.kind in _LINES:
            bound = _of_another(claim, tables, near.here)
        bound = bound or _no_share(claim, held, near, layout.text)
        if bound is not None:
            held[at] = found[at] = bound
    return found


def _no_share(claim: Claim, bounds: Sequence[Bound], near: "_Near", text: str) -> Bound | None:
    """A percentage of a whole, told of a remainder (revenue less cost) and not its share.

    It is told of the remainder where its own sentence has that one right before it, or where it is
    called a margin.
    """
    if claim.readings[0].unit != PERCENT or not _is_of_whole(claim, text):
        return None
    margin = _OF_REMAINDER.search(text[: claim.start][-_REACH:])
    told = [each for each in (near.all if margin else near.here) if each.start < claim.start]
    whole = max(near.all, key=lambda each: abs(each.exact), default=None)
    last = next((each for each in reversed(told) if each is not whole), None)
    if last is None or last.claim is None or not _REMAINDER.search(bounds[last.claim].derivation):
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


def _of_another(claim: Claim, tables: Totals, here: Sequence[Known]) -> Bound | None:
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
    tables: Totals,
    near: _Near,
    named: frozenset[Operation],
    lead: str,
    text: str,
    evidence: Evidence,
    language: Language,
) -> Bound | None:
    for reading in claim.readings:
        telling = _digits(reading) >= _TELLING_DIGITS
        counts = claim.kind is ClaimKind.COUNT or _OF_SO_MANY.match(text, claim.end)
        made = [
            each
            for each in _made(claim, reading, tables, near, lead)
            if telling or counts or each.operation in named or each.operation not in _ADDED
        ]
        fitting = (tables.filled(each) for each in made if _fits(reading, each.value))
        best = next(
            (
                each
                for each in fitting
                if is_told(each, claim, evidence, text)
                and not is_of_other_parts(each, claim, near.all, text)
            ),
            None,
        )
        if best is not None:
            share = coincidence((each.value for each in made), reading.value, reading.half_step)
            return concluded(claim, reading, best, share, evidence, language)
    return None


def _made(
    claim: Claim, reading: Reading, tables: Totals, near: _Near, lead: str
) -> Iterator[Combined]:
    if reading.unit == PERCENT:
        for known in tables.named_last(lead) or near.here or near.before[-1:]:
            yield from tables.shares(known)
        yield from _part_of_whole(claim, near.all)
        yield from _rest_of_whole(near.here)
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


def _rest_of_whole(here: Sequence[Known]) -> Iterator[Combined]:
    """What the last figure of a sentence leaves of its largest: of 1,000 went 700, left are 30%."""
    if len(here) < 2:
        return
    whole, part = max(here, key=lambda each: abs(each.exact)), here[-1]
    if whole is not part and whole.exact and whole.unit == part.unit:
        left = whole.exact - part.exact
        rest = Known(left, left, f"({whole.text} - {part.text})", unit=whole.unit)
        yield Combined(left / whole.exact * _HUNDRED, Operation.REST, (rest, whole))


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
