"""Times: a time beside a figure is proven where the figure belongs to that time."""

from typing import TYPE_CHECKING

from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.passage import Passage, passage_at
from veridical.gate.ticks.touched import is_of

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover


def is_time_shown(prover: "Prover", claim: Claim, figures: dict[int, Claim]) -> bool:
    """True if the figure beside it is of the rows that it names; a time that names no row comes
    from a call or the question.

    ``figures`` are the claims of figures by their places."""
    named = [
        each
        for each in prover.answer.names
        if each.start < claim.end and claim.start < each.end and each.column >= 0
    ]
    at = passage_at(prover.answer.passages, claim.start)
    if not named or at is None or any(len(prover.ready.tables[x.table].rows) == 1 for x in named):
        return True  # a record has one time of each kind, and a figure needs none
    figure = _beside(prover, claim, prover.answer.passages[at])
    if figure is None:
        return False
    found = figures[figure.start]
    if found.stand is not Stand.PROVEN or found.basis is None:
        return False
    return any(is_of(found.basis, each) for each in named)


def _beside(prover: "Prover", claim: Claim, passage: Passage) -> Figure | None:
    """The figure that a time belongs to: the first behind it before another time, else the last
    before it."""
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    times = prover.answer.within(prover.answer.moments, claim.end, passage.end)
    stop = min((each.start for each in times), default=passage.end)
    behind = [each for each in figures if claim.end <= each.start < stop]
    before = [each for each in figures if each.end <= claim.start]
    return behind[0] if behind else before[-1] if before else next(iter(figures), None)
