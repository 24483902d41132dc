"""The model backend of a run: a provider, a simulated model, or none."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic_ai.models import Model

from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.evals.execution.live_runs import ModelFor
from veridical.evals.execution.plan import Planned
from veridical.evals.execution.sampling import SeededModel, is_drawn
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES
from veridical.ontology.errors import LoadError

SIMULATED = "simulated:"


@dataclass(frozen=True, slots=True)
class Backend:
    """The models that answer."""

    model_for: ModelFor
    simulated: bool = False


@asynccontextmanager
async def open_backend(
    settings: AgentSettings, stage: EvalEnvironment, *, seeds: bool = False
) -> AsyncGenerator[Backend]:
    """The model that the settings name; ``seeds`` gives each repeat a seed of its own.

    Raises ``ModelNotConfiguredError`` and ``LoadError``.
    """
    if seeds and not is_drawn(settings):
        raise LoadError("seeds change nothing at temperature 0: set VERIDICAL_TEMPERATURE")
    if not settings.model:
        yield Backend(lambda asked, truth: None)
    elif settings.model.startswith(SIMULATED):
        yield _simulated(settings.model.removeprefix(SIMULATED), stage)
    else:
        async with open_model(settings) as model:

            def seeded(asked: Planned, truth: CaseTruth) -> Model:
                del truth
                return SeededModel(model, asked.key.repeat) if seeds else model

            yield Backend(seeded)


def _simulated(name: str, stage: EvalEnvironment) -> Backend:
    # Imported here because real runs need no simulation.
    from veridical.evals.simulated.opened import open_simulated

    def model_for(asked: Planned, truth: CaseTruth) -> Model:
        mode = MODES[asked.key.mode]
        return open_simulated(name, stage, asked.gold, asked.case, mode, truth, asked.key.repeat)

    return Backend(model_for, simulated=True)
