"""Opens the simulated model of one run."""

from pydantic_ai.models import Model

from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import EvalMode
from veridical.evals.simulated.model import SimulatedBehaviour
from veridical.evals.simulated.profile import load_profile
from veridical.evals.simulated.solution import finder_of


def open_simulated(
    name: str,
    stage: EvalEnvironment,
    gold: GoldSet,
    case: Case,
    mode: EvalMode,
    truth: CaseTruth,
    repeat: int,
) -> Model:
    """The simulated model for one run. Raises ``LoadError`` for a profile that is not there."""
    solution = finder_of(stage).solution(case, gold, truth)
    catalog = stage.known.checker.catalog
    return SimulatedBehaviour(load_profile(name), case, mode.name, repeat, solution, catalog).model
