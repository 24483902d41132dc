"""The fast subset: what needs no model must be right, all of it, at every commit."""

import asyncio
from dataclasses import replace

import pytest

from benchmarks.laboratory.fast import FEWEST_CANONICAL, SCRIPTED, mistakes, run_fast
from tests.sample import PACK
from veridical.evals.execution.plan import load_golds
from veridical.evals.modes.environment import staged
from veridical.sample.postgres import LocalPostgres


@pytest.mark.eval
def test_every_fast_run_is_right(postgres_server: LocalPostgres) -> None:
    with staged(PACK, postgres_server) as stage:
        found = asyncio.run(run_fast(stage, load_golds(["pack:trustee"])))
    assert mistakes(found) == {}
    assert len(found) >= FEWEST_CANONICAL + len(SCRIPTED)
    broken = (replace(found[0], is_right=False), *found[1:])
    assert found[0].name in mistakes(broken)
    assert "canonical questions" in mistakes(found[-len(SCRIPTED) :])
