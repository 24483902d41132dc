"""Simulated models: no model is asked; mistakes of known kinds are made at known rates."""

from pydantic_ai.models import Model

from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.mode import EvalMode
from veridical.evals.modes.stage import Stage
from veridical.evals.simulated.model import SimulatedMind
from veridical.evals.simulated.profile import load_profile
from veridical.evals.simulated.way import finder_of

__all__ = ["open_simulated"]


def open_simulated(
    name: str,
    stage: Stage,
    gold: GoldSet,
    case: Case,
    mode: EvalMode,
    truth: CaseTruth,
    repeat: int,
) -> Model:
    """The simulated model for one run. Raises ``LoadError`` for a profile that is not there."""
    way = finder_of(stage).way(case, gold, truth)
    catalog = stage.known.checker.catalog
    return SimulatedMind(load_profile(name), case, mode.name, repeat, way, catalog).model
