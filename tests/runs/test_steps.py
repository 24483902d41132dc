"""Steps of a durable run, inside the engine."""

import asyncio

import pytest

from tests.runs.asked import asked, at, finished, rows, working
from tests.runs.conftest import TENANT
from veridical.answering.feature import Feature
from veridical.contracts.step import Json
from veridical.runs.lease import Lease
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.steps import DurableStep
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


async def never() -> Json:
    raise AssertionError("taken again")


def test_a_step_of_an_earlier_life_is_not_taken_again(store: Store) -> None:
    step = DurableStep("run", Lease(store, 30), store, {"open": {"at": 1}})
    assert asyncio.run(step("open", never)) == {"at": 1}


def test_what_a_step_gave_is_kept_as_json(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked("Hello!"), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            await finished(runs, run_id, TENANT)

    asyncio.run(story())
    for table in ("operation_outputs", "workflow_status"):
        kept = rows(store, f"SELECT DISTINCT serialization FROM dbos.{table}")
        assert kept == [("veridical_json",)]
