"""Replays recorded runs from their steps alone, and scores them again.

No model, no database, no clock: the same recording gives the same bytes every time, on however many
cores. A run that takes another way now than when it was recorded can't be replayed, and its record
says so.
"""

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.contracts.schema import Schema
from veridical.contracts.step import Action, Json
from veridical.evals.execution.attempt import NotRecordedError, attempt
from veridical.evals.execution.inputs import EvalInputs, pack_of
from veridical.evals.execution.plan import Planned, gold_hash, load_golds, plan
from veridical.evals.execution.recording import MODEL, TIMED_OUT
from veridical.evals.execution.sealed import (
    LiveCallInReplayError,
    SealedDatabase,
    sealed_environment,
)
from veridical.evals.gold.case import Difficulty, GoldSet, Limit
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.scoring.record import ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup


@dataclass(frozen=True)
class Replay:
    """Everything that a replayed run needs."""

    source: RunFolder
    stage: EvalEnvironment
    truths: Mapping[str, CaseTruth]
    settings: AgentSettings

    def runs(self, planned: Iterable[Planned]) -> Iterator[ScoredRun]:
        """The runs with new scores, in their order."""
        with asyncio.Runner() as runner:
            loop = runner.get_loop()  # Runner.run sets up a signal handler for every run
            for run in planned:
                yield loop.run_until_complete(self.make(run))

    async def make(self, planned: Planned) -> ScoredRun:
        """One run from its recorded steps."""
        steps = self.source.steps(planned.key)
        model = _silent(steps[MODEL])
        mode = MODES[planned.key.mode]
        return await attempt(
            planned,
            self.truths[planned.case.id],
            lambda emit: self.stage.session(
                mode, planned.case, planned.gold, model, self.settings, emit
            ),
            _Sealed(steps),
            steps["open"]["traceId"],
            _limit(steps),
            watched=False,
        )


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """The recorded runs that can be replayed with these questions."""

    planned: tuple[Planned, ...]
    left_out: int
    """Recorded runs whose case is gone or has other words now."""


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
    values = {"answer_form": AnswerForm.TEXT, **setup.settings, "stream": False}
    return AgentSettings.model_validate(values)


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


_JUDGED = "gate."


@dataclass(frozen=True, slots=True)
class _Sealed:
    """The recorded steps, with the verdict of today's gate on what the model wrote; where they end
    because the time was up, it is up again."""

    results: dict[str, Json]

    async def __call__(self, name: str, action: Action) -> Json:
        if name.startswith(_JUDGED):
            return await action()
        if name in self.results:
            return self.results[name]
        if TIMED_OUT in self.results:
            raise TimeoutError
        raise NotRecordedError(f"no step {name!r} among {sorted(self.results)}")


def _limit(steps: Mapping[str, Json]) -> Limit:
    """The limit that ended the run; where none did, none matters."""
    ended = steps.get(TIMED_OUT)
    if ended is None:
        return Limit(0, Difficulty.MEDIUM)
    return Limit(ended["seconds"], Difficulty(ended["difficulty"]))


def _silent(name: str | None) -> Model | None:
    return None if name is None else FunctionModel(_refuse, model_name=name)


def _refuse(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise LiveCallInReplayError("a replay asked the model")


_WORTH_A_POOL = 400
"""Fewer runs are replayed before another process has started."""
_CHUNK = 50

ReadInputs = Callable[[tuple[str, ...], Schema, str], EvalInputs]
"""The inputs of these gold sources on recorded tables of a dialect, without a database."""


def recorded_inputs(sources: tuple[str, ...], schema: Schema, dialect: str) -> EvalInputs:
    """Today's questions on the tables as they were. Raises ``LoadError``."""
    golds = load_golds(sources)
    stage = sealed_environment(pack_of(golds), SealedDatabase(schema, dialect))
    return EvalInputs(sources, golds, stage)


@dataclass(frozen=True, slots=True)
class Recorded:
    """Recorded runs, and the questions they are scored with now."""

    source: Path
    gold: tuple[str, ...]
    inputs: ReadInputs = recorded_inputs
    """Another one must be equal to itself in another process."""

    @property
    def ground(self) -> EvalInputs:
        """The questions and their environment, without the database."""
        return _opened(self).ground


def replayed(
    recorded: Recorded, planned: Sequence[Planned], processes: int = 1
) -> Iterator[ScoredRun]:
    """The runs with new scores, in their order."""
    if processes == 1 or len(planned) < _WORTH_A_POOL:
        yield from _opened(recorded).replay.runs(planned)
        return
    chunks = [planned[at : at + _CHUNK] for at in range(0, len(planned), _CHUNK)]
    with ProcessPoolExecutor(processes, get_context("spawn"), _leave_interrupts_alone) as pool:
        for runs in pool.map(_replay, [recorded] * len(chunks), chunks):
            yield from runs


def _leave_interrupts_alone() -> None:
    """A terminal interrupts all processes; the one that started the others ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _replay(recorded: Recorded, planned: Sequence[Planned]) -> list[ScoredRun]:
    return list(_opened(recorded).replay.runs(planned))


@dataclass(frozen=True, slots=True)
class _Opened:
    ground: EvalInputs
    replay: Replay


@cache
def _opened(recorded: Recorded) -> _Opened:
    """Opened once in each process."""
    source = RunFolder(recorded.source)
    ground = recorded.inputs(recorded.gold, source.schema(), source.dialect())
    settings = replay_settings(source.setup())
    return _Opened(ground, Replay(source, ground.stage, source.truths(), settings))
