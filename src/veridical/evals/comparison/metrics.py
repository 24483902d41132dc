"""Metrics of the runs of one mode. An unknown metric is none: never 0, never 1."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from math import ceil
from statistics import fmean, stdev

from veridical.contracts.wire import Wire
from veridical.evals.comparison.compare import Outcomes, modes_of
from veridical.evals.comparison.statistics import (
    Cluster,
    Proportion,
    design_effect,
    proportion,
    share,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunRecord


class Consistency(Wire):
    """Over the cases with all repeats; none where no case has two."""

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
    """The consistency of the repeats of these runs, all of one mode."""
    by_case: defaultdict[str, dict[int, Outcome]] = defaultdict(dict)
    for run in runs:
        by_case[run.key.case][run.key.repeat] = run.score.outcome
    repeats = len({repeat for ended in by_case.values() for repeat in ended})
    whole = [set(ended.values()) for ended in by_case.values() if len(ended) == repeats > 1]
    return Consistency(
        repeats=repeats,
        cases=len(whole),
        pass_all=share(sum(ended == {Outcome.CORRECT} for ended in whole), len(whole)),
        pass_any=share(sum(Outcome.CORRECT in ended for ended in whole), len(whole)),
        same_outcome=share(sum(len(ended) == 1 for ended in whole), len(whole)),
    )


class OutcomeShares(Wire):
    """The shares of the three outcomes with their intervals; repeats of a question do not count
    as new questions."""

    correct: Proportion
    refused: Proportion
    wrong: Proportion


class ModeMetrics(Wire):
    """The metrics of one mode."""

    mode: ModeName
    n: int
    """Runs: cases times repeats."""
    cases: int
    outcomes: OutcomeShares
    accuracy_mean: float | None
    """Over the repeats, each a pass through all cases."""
    accuracy_sd: float | None
    pattern_compliance: Proportion
    """Of the runs whose case expects a particular call."""
    forbidden_tool_uses: int
    numeric_correctness: Proportion
    """Of the runs whose case expects figures."""
    repair_conversion: Proportion
    """Of the runs in which a call was refused, those in which a call of the next round worked: the
    same call mended, or another way to the data."""
    repair_ever: Proportion
    """Of the same runs, those in which a call of any later round worked."""
    avg_validation_failures_per_run: float | None
    deflections: int
    answers_blocked: int
    avg_rounds: float | None
    avg_input_tokens: float | None
    avg_output_tokens: float | None
    cost: float | None
    """Of all runs together, in US dollars; none when a price is not known."""
    latency_p50_ms: float | None
    latency_p95_ms: float | None
    timeouts: int
    consistency: Consistency

    @property
    def repair_triggered_count(self) -> int:
        """Runs in which at least one call was refused."""
        return self.repair_conversion.of

    @property
    def accuracy(self) -> float | None:
        """The share of correct runs."""
        return self.outcomes.correct.share

    @property
    def avg_tokens(self) -> float | None:
        """Read and written, of one run."""
        if self.avg_input_tokens is None or self.avg_output_tokens is None:
            return None
        return self.avg_input_tokens + self.avg_output_tokens


def measure_modes(records: Sequence[RunRecord]) -> tuple[ModeMetrics, ...]:
    """The figures of every mode that was run."""
    return tuple(
        measure(mode, [record for record in records if record.key.mode is mode])
        for mode in modes_of(records)
    )


def measure(mode: ModeName, runs: Sequence[RunRecord]) -> ModeMetrics:
    """The figures of the runs of one mode."""
    by_repeat = _accuracies(runs)
    elapsed = [run.counters.elapsed_ms for run in runs]
    return ModeMetrics(
        mode=mode,
        n=len(runs),
        cases=len({run.key.case for run in runs}),
        outcomes=outcome_shares(runs),
        accuracy_mean=_mean(by_repeat),
        accuracy_sd=stdev(by_repeat) if len(by_repeat) > 1 else None,
        pattern_compliance=_share_that(runs, lambda run: run.score.pattern_compliant),
        forbidden_tool_uses=sum(len(run.score.forbidden_tools) for run in runs),
        numeric_correctness=_share_that(runs, lambda run: run.score.numeric_correct),
        repair_conversion=_share_that(runs, lambda run: run.repaired_at_once),
        repair_ever=_share_that(runs, lambda run: run.overcome),
        avg_validation_failures_per_run=_mean([run.counters.validation_failures for run in runs]),
        deflections=sum(run.counters.deflections for run in runs),
        answers_blocked=sum(run.counters.answers_blocked for run in runs),
        avg_rounds=_mean([run.rounds for run in runs]),
        avg_input_tokens=_mean([run.counters.input_tokens for run in runs]),
        avg_output_tokens=_mean([run.counters.output_tokens for run in runs]),
        cost=_cost(runs),
        latency_p50_ms=percentile(elapsed, 50),
        latency_p95_ms=percentile(elapsed, 95),
        timeouts=sum(run.timed_out for run in runs),
        consistency=consistency(runs),
    )


def outcome_shares(runs: Sequence[RunRecord]) -> OutcomeShares:
    """The outcomes of these runs, all of one mode."""
    correct, refused, wrong = (
        _share_that(runs, lambda run, each=outcome: run.score.outcome is each)
        for outcome in Outcome
    )
    return OutcomeShares(correct=correct, refused=refused, wrong=wrong)


def attempt_shares(outcomes: Outcomes) -> OutcomeShares:
    """The outcomes of these attempts, all of one mode, as a baseline has them."""
    correct, refused, wrong = (
        _clustered((case, ended is each) for (case, _), ended in outcomes.items())
        for each in Outcome
    )
    return OutcomeShares(correct=correct, refused=refused, wrong=wrong)


def _share_that(
    runs: Sequence[RunRecord], applies: Callable[[RunRecord], bool | None]
) -> Proportion:
    """The share of the runs to which this applies."""
    answers = ((run.key.case, applies(run)) for run in runs)
    return _clustered((case, each) for case, each in answers if each is not None)


def _clustered(attempts: Iterable[tuple[str, bool]]) -> Proportion:
    """The share of attempts with a true value, with repeats of a case as one cluster."""
    by_case: defaultdict[str, list[bool]] = defaultdict(list)
    for case, answers in attempts:
        by_case[case].append(answers)
    clusters = [Cluster(len(answers), won=sum(answers), lost=0) for answers in by_case.values()]
    won, of = sum(each.won for each in clusters), sum(map(len, by_case.values()))
    return proportion(won, of, design_effect(clusters))


def percentile(values: Sequence[float], rank: int) -> float | None:
    """The smallest value that so many percent of the values don't exceed: one that was measured."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(len(values) * rank / 100) - 1)]


def _accuracies(runs: Iterable[RunRecord]) -> list[float]:
    """The share of correct runs of each repeat."""
    by_repeat: defaultdict[int, list[bool]] = defaultdict(list)
    for run in runs:
        by_repeat[run.key.repeat].append(run.score.outcome is Outcome.CORRECT)
    return [fmean(by_repeat[repeat]) for repeat in sorted(by_repeat)]


def _cost(runs: Sequence[RunRecord]) -> float | None:
    known = [run.counters.cost for run in runs if run.counters.cost is not None]
    return sum(known) if runs and len(known) == len(runs) else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


Grouping = Callable[[RunRecord], Iterable[str]]

GROUPINGS: dict[str, Grouping] = {
    "language": lambda run: (run.language,),
    "difficulty": lambda run: (run.difficulty,),
    "expected": lambda run: (run.expected,),
    "trap": lambda run: run.traps,
}
"""The groupings of a mode's runs; a run with two traps is in both groups."""


Breakdown = dict[str, dict[ModeName, OutcomeShares]]


def breakdown(records: Sequence[RunRecord], grouping: Grouping) -> Breakdown:
    """The outcomes by group and mode, groups in their own order or by name."""
    grouped: defaultdict[str, defaultdict[ModeName, list[RunRecord]]]
    grouped = defaultdict(lambda: defaultdict(list))
    modes = modes_of(records)
    for run in records:
        for group in grouping(run):
            grouped[group][run.key.mode].append(run)
    return {
        group: {mode: outcome_shares(grouped[group][mode]) for mode in modes}
        for group in sorted(grouped, key=_place)
    }


def _place(group: str) -> tuple[int, str]:
    return list(type(group)).index(group) if isinstance(group, StrEnum) else 0, group
