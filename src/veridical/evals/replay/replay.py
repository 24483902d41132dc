"""Replays recorded runs from their steps alone, and scores them again.

No model, no database, no clock: the same recording gives the same bytes every time. A run that
takes another way now than when it was recorded can't be replayed, and its record says so.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from veridical.agent.settings import AgentSettings, AnswerForm
from veridical.contracts.step import Action, Json
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.inputs import EvalInputs
from veridical.evals.execution.plan import Planned, gold_hash, plan
from veridical.evals.execution.recording import MODEL, TIMED_OUT
from veridical.evals.gold.case import Difficulty, GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.gold.timeouts import Limit
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.replay.sealed import AskedInReplayError
from veridical.evals.scoring.scored_run import ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup
from veridical.testing.replay import RecordedSteps


@dataclass(frozen=True)
class Replay:
    """Everything that a replayed run needs."""

    source: RunFolder
    stage: EvalEnvironment
    truths: Mapping[str, CaseTruth]
    settings: AgentSettings

    def runs(self, planned: Iterable[Planned]) -> Iterator[ScoredRun]:
        """The runs, judged anew, in their order."""
        with asyncio.Runner() as runner:
            loop = runner.get_loop()  # Runner.run sets up a signal handler for every run
            for asked in planned:
                yield loop.run_until_complete(self.make(asked))

    async def make(self, asked: Planned) -> ScoredRun:
        """One run from its recorded steps."""
        steps = self.source.steps(asked.key)
        model = _silent(steps[MODEL])
        mode = MODES[asked.key.mode]
        return await attempt(
            asked,
            self.truths[asked.case.id],
            lambda emit: self.stage.session(
                mode, asked.case, asked.gold, model, self.settings, emit
            ),
            _Sealed(steps),
            steps["open"]["traceId"],
            _limit(steps),
            watched=False,
        )


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """What of a recorded run can be replayed with these questions."""

    planned: tuple[Planned, ...]
    left_out: int
    """Recorded runs whose case is gone or is asked in other words now."""


def plan_replay(
    source: RunFolder,
    golds: Sequence[GoldSet],
    modes: Sequence[ModeName] = (),
    limit: int | None = None,
) -> ReplayPlan:
    """The recorded runs, in the order of a plan; of these modes only, where some are named."""
    same_words = source.setup().same_words
    recorded = {
        record.key: record.question
        for record in source.results.read()
        if not modes or record.key.mode in modes
    }
    order = [mode for mode in ModeName if any(key.mode is mode for key in recorded)]
    repeats = max((key.repeat + 1 for key in recorded), default=0)
    askable = plan(golds, order, repeats, same_words=same_words)
    able = [each for each in askable if recorded.get(each.key) == each.question]
    chosen = frozenset([case.id for gold in golds for case in gold.cases][:limit])
    return ReplayPlan(
        tuple(each for each in able if each.case.id in chosen), len(recorded) - len(able)
    )


def replay_settings(setup: RunSetup) -> AgentSettings:
    """The settings under which the runs were recorded; before there was a choice, in text."""
    told = {"answer_form": AnswerForm.TEXT, **setup.settings, "stream": False}
    return AgentSettings.model_validate(told)


def replay_setup(setup: RunSetup, ground: EvalInputs, planned: Sequence[Planned]) -> RunSetup:
    """The recorded setup with the questions, the ontology and the version that judge now."""
    hashed, ontology = gold_hash(ground.golds), ground.stage.known.ontology_hash
    now = {
        "gold": ", ".join(gold.name for gold in ground.golds),
        "cases": len({each.case.id for each in planned}),
        "repeats": max((each.key.repeat + 1 for each in planned), default=0),
        "settings": setup.header.settings | {"goldHash": hashed, "ontologyHash": ontology},
        "version": version("veridical"),
    }
    header = setup.header.model_copy(update=now)
    return setup.model_copy(
        update={"header": header, "gold_hash": hashed, "ontology_hash": ontology}
    )


@dataclass(frozen=True, slots=True)
class _Sealed:
    """The recorded steps; where they end because the time was up, it is up again."""

    results: dict[str, Json]

    async def __call__(self, name: str, action: Action) -> Json:
        if name not in self.results and TIMED_OUT in self.results:
            raise TimeoutError
        return await RecordedSteps(self.results, sealed=True)(name, action)


def _limit(steps: Mapping[str, Json]) -> Limit:
    """The limit that ended the run; where none did, none matters."""
    ended = steps.get(TIMED_OUT)
    if ended is None:
        return Limit(0, Difficulty.MEDIUM)
    return Limit(ended["seconds"], Difficulty(ended["difficulty"]))


def _silent(name: str | None) -> Model | None:
    return None if name is None else FunctionModel(_asked, model_name=name)


def _asked(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise AskedInReplayError("a replay asked the model")
