"""Consistency: whether a repeated question gets the same outcome."""

from collections import defaultdict
from collections.abc import Iterable

from veridical.contracts.wire import Wire
from veridical.evals.comparison.proportion import share
from veridical.evals.scoring.record import Outcome, RunRecord


class Consistency(Wire):
    """Over the cases that were asked in every repeat; none where nothing was asked twice."""

    repeats: int
    """The k of the two shares."""
    cases: int
    pass_all: float | None
    """pass^k: the share of cases that were correct in all repeats."""
    pass_any: float | None
    """pass@k: the share of cases that were correct in at least one."""
    same_outcome: float | None
    """The share of cases that ended alike in all repeats: correct, refused or wrong."""


def consistency(runs: Iterable[RunRecord]) -> Consistency:
    """How alike the repeats of these runs, all of one mode, ended."""
    by_case: defaultdict[str, dict[int, Outcome]] = defaultdict(dict)
    for run in runs:
        by_case[run.key.case][run.key.repeat] = run.score.outcome
    repeats = len({repeat for held in by_case.values() for repeat in held})
    whole = [set(held.values()) for held in by_case.values() if len(held) == repeats > 1]
    return Consistency(
        repeats=repeats,
        cases=len(whole),
        pass_all=share(sum(ended == {Outcome.CORRECT} for ended in whole), len(whole)),
        pass_any=share(sum(Outcome.CORRECT in ended for ended in whole), len(whole)),
        same_outcome=share(sum(len(ended) == 1 for ended in whole), len(whole)),
    )
