"""Paired comparison of two sets of outcomes: effect, interval and p-value."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from veridical.contracts.wire import Wire
from veridical.evals.comparison.statistics import (
    Cluster,
    clustered_interval,
    design_effect,
    exact_test,
    holm,
    share,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunRecord

Attempt = tuple[str, int]
"""The case and the repeat."""
Outcomes = Mapping[Attempt, Outcome]


class Measure(StrEnum):
    """The measure of success."""

    CORRECT = "correct"
    NOT_WRONG = "notWrong"
    """correct, or honestly without an answer"""

    def holds(self, outcome: Outcome) -> bool:
        """True if this outcome counts."""
        if self is Measure.CORRECT:
            return outcome is Outcome.CORRECT
        return outcome is not Outcome.WRONG


class Comparison(Wire):
    """A candidate against a reference, over the attempts that both made.

    Attempts are paired by case and repeat. The test and the interval take the case as the unit, so
    repeats don't count as new questions. The exact test is a little more cautious than the
    interval: at the border one may include 0 and the other not.
    """

    of: Measure
    cases: int
    pairs: int
    unpaired: int
    """Attempts of the reference that the candidate did not make."""
    won: int
    """Pairs in which only the candidate did well."""
    lost: int
    """Pairs in which only the reference did well."""
    candidate: float | None
    reference: float | None
    effect: float | None
    """The candidate's share less the reference's."""
    low: float | None
    high: float | None
    """The interval of 95 % of the effect."""
    p: float | None
    """Of the two-sided exact test."""
    p_adjusted: float | None
    """The same after Holm's adjustment, where several comparisons were made together."""
    tested: int
    """The number of these comparisons: by the same measure, with something to compare."""
    design_effect: float

    @property
    def discordance(self) -> float | None:
        """The share of pairs in which only one side did well."""
        return share(self.won + self.lost, self.pairs)

    @property
    def repeats(self) -> float:
        """Pairs of a case, on average."""
        return self.pairs / self.cases if self.cases else 1.0


class ModeComparison(Wire):
    """One mode against another."""

    candidate: ModeName
    reference: ModeName
    correct: Comparison
    not_wrong: Comparison


def outcomes_of(records: Iterable[RunRecord], mode: ModeName) -> dict[Attempt, Outcome]:
    """The outcome of each attempt of a mode."""
    return {
        (record.key.case, record.key.repeat): record.score.outcome
        for record in records
        if record.key.mode is mode
    }


def modes_of(records: Iterable[RunRecord]) -> tuple[ModeName, ...]:
    """The modes that were run, each after the one that it adds to."""
    found = {record.key.mode for record in records}
    return tuple(mode for mode in ModeName if mode in found)


def compare(candidate: Outcomes, reference: Outcomes, of: Measure = Measure.CORRECT) -> Comparison:
    """Compare two sets of outcomes."""
    shared = sorted(candidate.keys() & reference.keys())
    clusters = _clusters(shared, candidate, reference, of)
    won, lost = sum(each.won for each in clusters), sum(each.lost for each in clusters)
    low, high = clustered_interval(clusters) or (None, None)
    p = exact_test(each.net for each in clusters) if shared else None
    return Comparison(
        of=of,
        cases=len(clusters),
        pairs=len(shared),
        unpaired=len(reference.keys() - candidate.keys()),
        won=won,
        lost=lost,
        candidate=share(sum(of.holds(candidate[each]) for each in shared), len(shared)),
        reference=share(sum(of.holds(reference[each]) for each in shared), len(shared)),
        effect=share(won - lost, len(shared)),
        low=low,
        high=high,
        p=p,
        p_adjusted=p,
        tested=1 if shared else 0,
        design_effect=design_effect(clusters),
    )


def compare_together(
    pairs: Iterable[tuple[Outcomes, Outcomes]], of: Measure
) -> tuple[Comparison, ...]:
    """Each candidate against its reference, with p-values that allow for their number."""
    found = [compare(candidate, reference, of) for candidate, reference in pairs]
    values = [each.p for each in found if each.p is not None]
    adjusted = iter(holm(values))
    return tuple(
        each
        if each.p is None
        else each.model_copy(update={"p_adjusted": next(adjusted), "tested": len(values)})
        for each in found
    )


def _clusters(
    shared: Iterable[Attempt], candidate: Outcomes, reference: Outcomes, of: Measure
) -> list[Cluster]:
    by_case: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for attempt in shared:
        pair = of.holds(candidate[attempt]), of.holds(reference[attempt])
        by_case[attempt[0]].append(pair)
    return [
        Cluster(len(pairs), won=pairs.count((True, False)), lost=pairs.count((False, True)))
        for pairs in by_case.values()
    ]


def compare_modes(records: Sequence[RunRecord]) -> tuple[ModeComparison, ...]:
    """Each mode against the one before it, then each against the first."""
    modes = modes_of(records)
    steps = [(after, before) for before, after in pairwise(modes)]
    steps += [(mode, modes[0]) for mode in modes[2:]]
    by_mode = {mode: outcomes_of(records, mode) for mode in modes}
    pairs = [(by_mode[candidate], by_mode[reference]) for candidate, reference in steps]
    correct = compare_together(pairs, Measure.CORRECT)
    not_wrong = compare_together(pairs, Measure.NOT_WRONG)
    return tuple(
        ModeComparison(candidate=candidate, reference=reference, correct=one, not_wrong=other)
        for (candidate, reference), one, other in zip(steps, correct, not_wrong, strict=True)
    )
