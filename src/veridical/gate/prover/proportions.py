"""Proportions in words: half, a third, doubled."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.evidence.unit import unit_dimension
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.passage import Passage
from veridical.gate.prover.scope import Scheme
from veridical.late_pattern import late_pattern
from veridical.reading.figure import Reading

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_SHARES = {
    "proportion.half": 50.0,
    "proportion.third": 100 / 3,
    "proportion.quarter": 25.0,
    "proportion.fifth": 20.0,
    "proportion.tenth": 10.0,
    "proportion.two_thirds": 200 / 3,
    "proportion.three_quarters": 75.0,
}
_TIMES = {"proportion.double": 2.0, "proportion.triple": 3.0, "proportion.fourfold": 4.0}
_ROOM = 5.0
_WIDE = 0.15
_REACH = 50
_BEFORE = 14
_NOUN = late_pattern(r" [^\W\d_]+")


def proportion_claims(
    prover: "Prover", at: int, passage: Passage, cues: Sequence[Cue]
) -> Iterator[Claim]:
    """Each proportion: a value that the passage mentions must be about that part."""
    for cue in cues:
        figure = part_of(cue)
        if figure is None or _is_next_one(prover, cue):
            continue
        stand = Stand.PROVEN if _holds(prover, at, passage, figure) else Stand.UNPROVEN
        yield Claim(cue.start, cue.end, "proportion", stand, "proportion")


def _is_next_one(prover: "Prover", cue: Cue) -> bool:
    """True if the word is an ordinal: a third customer is no part."""
    if cue.text.split()[-1] not in prover.answer.words.ordinals:
        return False
    noun = _NOUN.match(prover.answer.text, cue.end)
    return noun is not None and not prover.answer.within(
        prover.answer.cues, noun.start(), noun.end()
    )


def _holds(prover: "Prover", at: int, passage: Passage, figure: Figure) -> bool:
    beside = _percent_beside(prover, passage, figure)
    if beside is not None and figure.dimension is not None:
        wanted = figure.readings[0].value
        cues = prover.answer.within(prover.answer.cues, figure.start - _BEFORE, figure.start)
        if any(cue.has("compare.more") for cue in cues):
            return abs(beside) > wanted
        if any(cue.has("compare.less") for cue in cues):
            return abs(beside) < wanted
        return abs(abs(beside) - wanted) <= max(_ROOM, wanted * _WIDE)
    for scheme in Scheme:
        scope = prover.scopes.scope(figure, at, scheme)
        scope.around = prover.columns_of(passage)
        shown = prover.shown_around(at)
        matches = [
            *prover.deriver.plain(figure, scope),
            *prover.deriver.combined(figure, scope, shown),
        ]
        if any(match.fits_words for match in matches) or prover.count_share(figure, at, scope):
            return True
    return False


def _percent_beside(prover: "Prover", passage: Passage, figure: Figure) -> float | None:
    """The share in figures beside a proportion: almost half (47.7 %)."""
    near = [
        each
        for each in prover.answer.within(prover.answer.figures, passage.start, passage.end)
        if each.dimension == unit_dimension("%")
        and not each.in_points
        and abs(each.start - figure.end) <= _REACH
    ]
    return near[0].readings[0].value if near else None


def part_of(cue: Cue) -> Figure | None:
    """The figure that a word for a proportion stands for; none for any other word."""
    for kind, percent in _SHARES.items():
        if kind in cue.kinds:
            reading = Reading(percent, _ROOM, "%")
            return Figure(cue.start, cue.end, (reading,), unit_dimension("%"), is_word=True)
    for kind, times in _TIMES.items():
        if kind in cue.kinds:
            return Figure(
                cue.start,
                cue.end,
                (Reading(times, times * 0.1),),
                None,
                is_word=True,
                is_ratio=True,
            )
    return None
