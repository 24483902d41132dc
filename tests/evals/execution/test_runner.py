import asyncio

import pytest

from tests.evals.gold_sample import case, gold
from tests.evals.records import record
from veridical.agent.failure import FailureCode
from veridical.contracts.answer import AnswerKind
from veridical.contracts.trace import AgentTrace, ModelCalled
from veridical.evals.execution.plan import Planned, plan
from veridical.evals.execution.runner import MOST_AWAY, ModelAwayError, run_plan
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.scored_run import ScoredRun

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
