import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.evals import FULL, SMOKE, Size, overhead, record, replays
from tests.sample import PACK
from veridical.evals.execution.inputs import EvalInputs
from veridical.evals.gold.load import load_gold
from veridical.evals.modes.environment import staged
from veridical.evals.modes.mode import ABLATION
from veridical.evals.storage.folder import RunFolder
from veridical.sample.postgres import LocalPostgres

_SOURCE = "pack:trustee/core"
_TINY = Size(cases=2, repeats=1, timed_cases=1, turns=1)


@pytest.fixture(scope="module")
def ground(postgres_server: LocalPostgres) -> Iterator[EvalInputs]:
    with staged(PACK, postgres_server) as stage:
        yield EvalInputs((_SOURCE,), load_gold(_SOURCE), stage)


def test_the_full_size_is_a_thousand_cases() -> None:
    assert FULL.cases * FULL.repeats == 1000
    assert SMOKE.cases * SMOKE.repeats < FULL.cases


def test_recorded_runs_are_replayed_alike(ground: EvalInputs, tmp_path: Path) -> None:
    recorded = tmp_path / "recorded"
    asyncio.run(record(ground, _TINY, RunFolder(recorded)))
    found = replays(recorded, tmp_path)
    assert found["replay_runs"] == _TINY.cases * len(ABLATION)
    assert found["replay_identical"] is True


def test_both_sides_of_the_harness_are_timed(ground: EvalInputs, tmp_path: Path) -> None:
    found = asyncio.run(overhead(ground, _TINY, tmp_path))
    assert found["harness_ms"] > 0
    assert found["bare_flow_ms"] > 0
