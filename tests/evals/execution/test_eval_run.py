"""Live runs, interrupted and gone on with, then replayed without model and database."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.evals.gold_sample import case, gold
from tests.evals.records import record
from tests.sample import PACK
from veridical.agent.failure import FailureCode
from veridical.agent.settings import AgentSettings
from veridical.contracts.answer import AnswerKind
from veridical.contracts.trace import AgentTrace, ModelCalled
from veridical.evals.execution.eval_run import (
    MOST_AWAY,
    EvalPlan,
    ModelAwayError,
    make_runs,
    run_plan,
)
from veridical.evals.execution.inputs import EvalInputs
from veridical.evals.execution.plan import Planned, load_golds, plan
from veridical.evals.execution.replay import Replay, plan_replay, replay_settings
from veridical.evals.execution.sealed import SealedDatabase, sealed_environment
from veridical.evals.gold.case import GoldSet, Timeouts
from veridical.evals.modes.environment import EvalEnvironment, staged
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.ontology.errors import LoadError
from veridical.sample.postgres import LocalPostgres

SOURCES = ("pack:trustee/core",)
SETTINGS = AgentSettings(model="openai-compatible:scripted", temperature=0)
SESSION = EvalPlan(modes=(ModeName.BASELINE, ModeName.FULL), limit=2)


@pytest.fixture(scope="module")
def stage(postgres_server: LocalPostgres) -> Iterator[EvalEnvironment]:
    with staged(PACK, postgres_server) as opened:
        yield opened


async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Makes a figure up; never answers what is asked of account 1020."""
    if "1020" in str(messages[0].parts):
        await asyncio.sleep(60)
    return ModelResponse([TextPart("Der Saldo war CHF 12.50.")])


@pytest.fixture
def ground(stage: EvalEnvironment) -> EvalInputs:
    model = FunctionModel(speak, model_name="scripted")
    return EvalInputs(SOURCES, load_golds(SOURCES), stage, lambda asked, truth: model)


def make(eval_plan: EvalPlan, ground: EvalInputs, folder: RunFolder) -> tuple[int, int]:
    """Runs it with little time; gives what was there before and what was left."""
    begun: list[tuple[int, int]] = []
    quick = Timeouts(factor=0.05)
    hasty = EvalPlan(eval_plan.modes, eval_plan.repeats, eval_plan.limit, timeouts=quick)
    asyncio.run(
        make_runs(
            hasty, ground, SETTINGS, folder, lambda before, left: begun.append((before, left))
        )
    )
    return begun[0]


def golds_of(folder: RunFolder) -> tuple[GoldSet, ...]:
    return load_golds(folder.setup().gold)


def test_runs_go_on_time_out_and_replay_alike(ground: EvalInputs, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    assert make(EvalPlan((ModeName.BASELINE,), limit=2), ground, folder) == (0, 2)
    with folder.results.path.open("ab") as file:
        file.write(b'{"key":{"case":"q0')
    assert make(SESSION, ground, folder) == (2, 2)
    assert make(SESSION, ground, folder) == (4, 0)

    records = {(record.key.case, record.key.mode): record for record in folder.results.read()}
    assert len(records) == 4
    late = records["q02", ModeName.FULL]
    assert (late.timed_out, late.score.outcome) == (True, Outcome.REFUSED)
    assert late.detail == "timeout after 2.25 s (easy)"
    assert late.kind is AnswerKind.FAILED
    assert records["q01", ModeName.BASELINE].score.outcome is Outcome.WRONG
    assert records["q01", ModeName.FULL].score.outcome is Outcome.REFUSED

    plan = plan_replay(folder, golds_of(folder))
    assert plan.left_out == 0
    sealed = sealed_environment(PACK, SealedDatabase(folder.schema()))
    replay = Replay(folder, sealed, folder.truths(), replay_settings(folder.setup()))
    again = list(replay.runs(plan.planned))
    assert {(run.record.key.case, run.record.key.mode): run.record for run in again} == records
    kept = folder.all_traces()
    assert all(kept[run.trace.trace_id] == run.trace for run in again)


def test_another_setup_needs_another_folder(ground: EvalInputs, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    first = EvalPlan((ModeName.BASELINE,), limit=1)
    make(first, ground, folder)
    warmer = SETTINGS.model_copy(update={"temperature": 0.9})
    with pytest.raises(LoadError, match="temperature"):
        asyncio.run(make_runs(first, ground, warmer, folder))


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    with RunFolder(tmp_path).locked(), pytest.raises(LoadError), RunFolder(tmp_path).locked():
        pass


def test_a_replay_throws_no_recording_away(ground: EvalInputs, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    make(EvalPlan((ModeName.BASELINE,), limit=1), ground, folder)
    with pytest.raises(LoadError, match="another folder"):
        folder.begin_anew(folder.setup())
    assert len(folder.results.read()) == 1


PLAN = plan([gold(*(case(f"c{number}") for number in range(8)))], [ModeName.FULL])


def made(asked: Planned) -> ScoredRun:
    run = record(asked.case.id)
    return ScoredRun(run, AgentTrace(trace_id=asked.case.id))


def away(asked: Planned) -> ScoredRun:
    run = record(asked.case.id, kind=AnswerKind.FAILED)
    failed = ModelCalled(at=0, round=1, model="m", error=f"{FailureCode.CONNECTION} (503)")
    return ScoredRun(run, AgentTrace(trace_id=asked.case.id, events=(failed,)))


@pytest.mark.parametrize("concurrency", [1, 3])
def test_each_run_is_made_once_and_so_many_at_a_time(concurrency: int) -> None:
    at_once: list[int] = []
    running: set[str] = set()

    async def make(asked: Planned) -> ScoredRun:
        running.add(asked.case.id)
        at_once.append(len(running))
        await asyncio.sleep(0)
        running.remove(asked.case.id)
        return made(asked)

    seen: list[str] = []
    ended = asyncio.run(
        run_plan(
            PLAN,
            make,
            concurrency=concurrency,
            done=lambda judged: seen.append(judged.record.key.case),
        )
    )
    assert sorted(seen) == sorted(each.case.id for each in PLAN)
    assert (ended.made, ended.away, max(at_once)) == (len(PLAN), 0, concurrency)


def test_a_model_that_is_away_for_a_moment_does_not_end_the_rest() -> None:
    async def make(asked: Planned) -> ScoredRun:
        return away(asked) if asked.case.id == "c3" else made(asked)

    ended = asyncio.run(run_plan(PLAN, make))
    assert (ended.made, ended.away) == (len(PLAN) - 1, 1)


def test_without_a_model_the_rest_is_not_tried() -> None:
    tried: list[str] = []

    async def make(asked: Planned) -> ScoredRun:
        tried.append(asked.case.id)
        return away(asked)

    with pytest.raises(ModelAwayError):
        asyncio.run(run_plan(PLAN, make))
    assert len(tried) == MOST_AWAY
