"""Directions: rose, fell, more, less; the values must have moved that way."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from veridical.evidence.dimension import comparable
from veridical.gate.languages.forms import forms
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.changes import change_ways
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.from_to import TO
from veridical.gate.prover.match import Match
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.reading.punctuation import LIST_MARKS, marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_REACH = 60


def direction_claims(
    prover: "Prover", at: int, passage: Passage, cues: Sequence[Cue]
) -> Iterator[Claim]:
    """Each word of direction beside a figure that is a change, or between two figures."""
    if passage.kind in (PassageKind.HEADING, PassageKind.ROW):
        return
    ways = [cue for cue in cues if cue.has("direction.up") or cue.has("direction.down")]
    if any(cue.has("direction.up") for cue in ways) and any(
        cue.has("direction.down") for cue in ways
    ):
        ways = _apart(ways)
    for cue in ways:
        claimed_way = 1 if cue.has("direction.up") else -1
        governed = _governed(prover, passage, cue)
        found = change_ways(prover, governed, at) if governed else frozenset[int]()
        if found:
            stand = Stand.PROVEN if claimed_way in found else Stand.UNPROVEN
            yield Claim(cue.start, cue.end, "direction", stand, f"a change of {sorted(found)}")
            continue
        true = _true_way(prover, passage, cue)
        if true:
            stand = Stand.PROVEN if claimed_way == true else Stand.UNPROVEN
            yield Claim(cue.start, cue.end, "direction", stand, f"goes {true:+d}")


def _governed(prover: "Prover", passage: Passage, cue: Cue) -> Figure | None:
    """The size of the change: the figure right behind the word, or right before it."""
    text = prover.answer.text
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    behind = next((each for each in figures if each.start >= cue.end), None)
    if behind is not None and behind.start - cue.end <= _GOVERNED:
        between = text[cue.end : behind.start]
        if not any(sign in between for sign in _STOPS) and not _names_end(between):
            return behind
    before = next((each for each in reversed(figures) if each.end <= cue.start), None)
    if before is not None and cue.start - before.end <= _CLOSE:
        between = text[before.end : cue.start]
        if not any(sign in between for sign in _STOPS):
            return before
    return None


_GOVERNED = 24
_CLOSE = 4
_STOPS = marks(",;.:()") + LIST_MARKS


def _names_end(between: str) -> bool:
    """True if the words before a figure make it the start or end of a change."""
    words = between.split()
    return bool(words) and words[-1] in forms().change_end


def sign_claims(prover: "Prover", at: int, passage: Passage) -> Iterator[Claim]:
    """A written sign: a change of that size must go that way."""
    for figure in prover.answer.within(prover.answer.figures, passage.start, passage.end):
        if not figure.sign:
            continue
        found = change_ways(prover, figure, at)
        if found and figure.sign not in found:
            yield Claim(figure.start, figure.end, "direction", Stand.UNPROVEN, "goes the other way")


def delta_claims(prover: "Prover", passage: Passage, cues: Sequence[Cue]) -> Iterator[Claim]:
    """Words like "12 more": the difference must have that direction."""
    if passage.kind is PassageKind.HEADING:
        return
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    for cue in cues:
        if not (cue.has("delta") or cue.has("compare.more") or cue.has("compare.less")):
            continue
        up = cue.has("delta.up") or cue.has("compare.more")
        near = [
            each
            for each in figures
            if (
                0 <= cue.start - each.end <= _BESIDE
                and not any(s in prover.answer.text[each.end : cue.start] for s in _ASIDE)
            )
            or 0 <= each.start - cue.end <= 2
        ]
        for figure in near[:1]:
            match = next(iter(prover.matches.get(figure.start, [])), None)
            if match is None or len(match.sides) != 2 or not match.direction:
                continue
            true = _over_time(prover, match) or _over_words(prover, passage, match)
            if true:
                stand = Stand.PROVEN if (true > 0) == up else Stand.UNPROVEN
                yield Claim(cue.start, cue.end, "delta", stand, f"goes {true:+d}", match.basis)


_BESIDE = 14
_ASIDE = marks("(),") + ";."


def _over_words(prover: "Prover", passage: Passage, match: Match) -> int:
    """The direction of a difference from what is named last to what is named first."""
    one, other = match.sides
    if one.ref == other.ref:
        first, second = _row_place(prover, passage, one), _row_place(prover, passage, other)
    elif one.rows == other.rows:
        first, second = _column_place(prover, passage, one), _column_place(prover, passage, other)
    else:
        return 0
    if first is None or second is None or first == second:
        return 0
    ahead, behind = (one, other) if first < second else (other, one)
    return _way(ahead.value - behind.value)


def _row_place(prover: "Prover", passage: Passage, fact: Fact) -> int | None:
    names = prover.answer.within(prover.answer.names, passage.start, passage.end)
    places = [each.start for each in names if each.table == fact.table and each.rows == fact.rows]
    return places[0] if places else None


def _column_place(prover: "Prover", passage: Passage, fact: Fact) -> int | None:
    mentions = prover.answer.within(prover.answer.measures, passage.start, passage.end)
    places = [each.start for each in mentions if each.columns == frozenset({fact.ref})]
    return places[0] if places else None


def compare_claims(prover: "Prover", passage: Passage, cues: Sequence[Cue]) -> Iterator[Claim]:
    """One name more than another: it must be so in some mentioned column."""
    names = [
        each
        for each in prover.answer.within(prover.answer.names, passage.start, passage.end)
        if each.is_key
    ]
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    for cue in cues:
        if not (cue.has("compare.more") or cue.has("compare.less")) or not _compares(cue):
            continue
        before = [each for each in names if each.end <= cue.start]
        after = [each for each in names if 0 <= each.start - cue.end <= _NAME_REACH]
        if not before or not after or before[-1].table != after[0].table:
            continue
        between = [each for each in figures if cue.end <= each.start < after[0].start]
        if between or before[-1].rows == after[0].rows:
            continue
        columns = prover.columns_of(passage)
        values = [
            (one.value, other.value)
            for ref in columns
            if ref.table == after[0].table
            for one in prover.ready.facts.over(ref.table, before[-1].rows)
            for other in prover.ready.facts.over(ref.table, after[0].rows)
            if one.column == other.column == ref.column and one.over == other.over
        ]
        if not values:
            continue
        up = cue.has("compare.more")
        holds = any(one > other if up else one < other for one, other in values)
        stand = Stand.PROVEN if holds else Stand.UNPROVEN
        yield Claim(cue.start, cue.end, "compare", stand, "compared")


_NAME_REACH = 30


def _compares(cue: Cue) -> bool:
    """True if the word compares two things."""
    return cue.text.endswith(forms().comparing)


def order_claims(prover: "Prover", passage: Passage) -> Iterator[Claim]:
    """From one figure to another: the first one must be the earlier."""
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    for one, other in pairwise(figures):
        between = prover.answer.text[one.end : other.start].strip().casefold()
        if between not in TO:
            continue
        first, second = prover.facts.get(one.start), prover.facts.get(other.start)
        if first is None or second is None or not _same_measure(prover, first, second):
            continue
        before, after = prover.times.of(first), prover.times.of(second)
        if before is None or after is None or before.order == after.order:
            continue
        stand = Stand.PROVEN if before.order < after.order else Stand.UNPROVEN
        yield Claim(one.start, other.end, "order", stand, "from later to earlier")


def _apart(cues: list[Cue]) -> list[Cue]:
    """The words that stand well apart, where both directions are mentioned."""
    return [
        cue
        for cue in cues
        if all(other is cue or abs(other.start - cue.start) > 25 for other in cues)
    ]


def _true_way(prover: "Prover", passage: Passage, cue: Cue) -> int:
    """The direction of the nearest figures: from one to another, or as a change over time."""
    all_here = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    figures = [each for each in all_here if 0 <= each.start - cue.end <= _REACH]
    figures = figures[:3] or [each for each in all_here if 0 <= cue.start - each.end <= _REACH][-1:]
    for figure in figures[:1]:
        for match in prover.matches.get(figure.start, [])[:1]:
            way = _over_time(prover, match)
            if way:
                return way
    facts = [prover.facts.get(each.start) for each in figures]
    known = [fact for fact in facts if fact is not None and fact.over is not Over.DERIVED]
    dated = [(when, fact) for fact in known if (when := prover.times.of(fact)) is not None]
    for when, fact in dated:
        for other_when, other in dated:
            if fact is other or other_when.order <= when.order:
                continue
            if comparable(fact.dimension, other.dimension) and _same_measure(prover, fact, other):
                return _way(other.value - fact.value)
    return 0


def _same_measure(prover: "Prover", one: Fact, other: Fact) -> bool:
    if one.table < 0 or other.table < 0:
        return False
    first, second = prover.ready.facts.column(one.ref), prover.ready.facts.column(other.ref)
    if one.ref == other.ref or first.name == second.name:
        return True
    words = {word for word in first.words if not word.isdecimal()}
    return bool(words) and words == {word for word in second.words if not word.isdecimal()}


def _over_time(prover: "Prover", match: Match) -> int:
    """The direction of a match over time, by the times of its two sides."""
    if not match.direction or len(match.sides) != 2:
        return 0
    one, other = match.sides
    first, second = prover.times.of(one), prover.times.of(other)
    if first is None or second is None or first.order == second.order:
        return 0
    later, earlier = (one, other) if first.order > second.order else (other, one)
    return _way(later.value - earlier.value)


def _way(value: float) -> int:
    return (value > 0) - (value < 0)
