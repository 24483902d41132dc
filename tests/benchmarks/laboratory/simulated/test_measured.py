import asyncio

import pytest

from benchmarks.laboratory.simulated.measured import profile_from
from benchmarks.laboratory.simulated.profile import Mistake, Profile
from tests.benchmarks.laboratory.simulated.asking import asked
from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import ModeName

Truths = dict[str, CaseTruth]
_CASES = 8


def _seen(
    profile: Profile, mode: ModeName, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> Profile:
    runs = [
        asyncio.run(asked(profile, case, mode, gold, truths, stage)) for case in gold.cases[:_CASES]
    ]
    records = [run.record for run in runs]
    traces = {run.trace.trace_id: run.trace for run in runs}
    return profile_from("seen", records, traces, [gold], truths, stage)


@pytest.mark.parametrize("mode", [ModeName.BASELINE, ModeName.ONTOLOGY])
@pytest.mark.parametrize(
    "mistake",
    [
        Mistake.WRONG_YEAR,
        Mistake.WRONG_PERIOD_ROW,
        Mistake.SUMMED_BALANCE,
        Mistake.INVENTED_COLUMN,
        Mistake.INVENTED_TABLE,
        Mistake.WRONG_FIGURE,
        Mistake.ANSWERS_WITHOUT_CALL,
        Mistake.GIVES_UP,
    ],
)
def test_a_mistake_is_known_again(
    mistake: Mistake, mode: ModeName, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    always = Profile(name="always", mistakes={mistake: {mode: 1.0}})
    seen = _seen(always, mode, stage, gold, truths)
    rates = {kind: seen.rate(kind, mode) for kind in Mistake}
    assert rates[mistake] >= 0.75
    assert max(rates, key=lambda kind: rates[kind]) is mistake


def test_how_often_calls_are_mended_is_seen(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    mode = ModeName.ONTOLOGY
    always = {Mistake.INVENTED_TABLE: {mode: 1.0}}
    for rate in (0.0, 1.0):
        profile = Profile(name="x", mistakes=always, repairs={mode: rate})
        assert _seen(profile, mode, stage, gold, truths).repairs == {mode: rate}


def test_a_run_without_its_trace_counts_for_nothing(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    flawless = Profile(name="flawless")
    case = gold.cases[0]
    run = asyncio.run(asked(flawless, case, ModeName.FULL, gold, truths, stage))
    assert profile_from("none", [run.record], {}, [gold], truths, stage).source.startswith("0 runs")
