"""Runs of a simulated model, judged."""

from collections.abc import Mapping

from veridical.agent.settings import AgentSettings
from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.gold.timeouts import Timeouts
from veridical.evals.judging.judged import Judged
from veridical.evals.judging.record import RunKey
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.modes.stage import Stage
from veridical.evals.running.attempt import attempt
from veridical.evals.running.plan import Planned
from veridical.evals.running.recording import Recording
from veridical.evals.simulated.model import SimulatedMind
from veridical.evals.simulated.profile import Profile
from veridical.evals.simulated.way import finder_of

_SETTINGS = AgentSettings.model_construct(model="simulated")


async def asked(
    profile: Profile,
    case: Case,
    mode: ModeName,
    gold: GoldSet,
    truths: Mapping[str, CaseTruth],
    stage: Stage,
    repeat: int = 0,
) -> Judged:
    truth = truths[case.id]
    way = finder_of(stage).way(case, gold, truth)
    catalog = stage.known.checker.catalog
    model = SimulatedMind(profile, case, mode, repeat, way, catalog).model
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
