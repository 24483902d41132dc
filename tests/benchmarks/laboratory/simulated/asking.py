"""Runs of a simulated model, judged."""

from collections.abc import Mapping

from benchmarks.laboratory.simulated.model import SimulatedBehaviour
from benchmarks.laboratory.simulated.profile import Profile
from benchmarks.laboratory.simulated.solution import finder_of
from veridical.agent.settings import AgentSettings
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.plan import Planned
from veridical.evals.execution.recording import Recording
from veridical.evals.gold.case import Case, GoldSet, Timeouts
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.scoring.record import RunKey, ScoredRun

_SETTINGS = AgentSettings.model_construct(model="simulated")


async def asked(
    profile: Profile,
    case: Case,
    mode: ModeName,
    gold: GoldSet,
    truths: Mapping[str, CaseTruth],
    stage: EvalEnvironment,
    repeat: int = 0,
) -> ScoredRun:
    truth = truths[case.id]
    solution = finder_of(stage).solution(case, gold, truth)
    catalog = stage.known.checker.catalog
    model = SimulatedBehaviour(profile, case, mode, repeat, solution, catalog).model
    key = RunKey(case=case.id, mode=mode, repeat=repeat)
    limit = Timeouts().limit(case.difficulty)
    return await attempt(
        Planned(key, case, gold, case.question),
        truth,
        lambda emit: stage.session(MODES[mode], case, gold, model, _SETTINGS, emit),
        Recording(gold.today, limit),
        f"{case.id}-{mode}-{repeat}",
        limit,
    )


def case_of(gold: GoldSet, name: str) -> Case:
    return next(case for case in gold.cases if case.id == name)
