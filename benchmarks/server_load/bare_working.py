"""What is measured beside the worker: DBOS with the same steps, and nothing else.

    python -m benchmarks.server_load.bare_working ORDERS

The actions of all steps of one run are kept when the process starts. Each workflow takes them as
steps of DBOS, under the same names, on a queue with the same settings, and gives the run's answer.
There is no flow around the steps; no trace, no lease, nobody who could watch.
"""

import asyncio
import signal
import sys
from typing import Any

from dbos import DBOS, DBOSClient, DBOSConfig

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.ground import Orders
from benchmarks.server_load.processes import say_ready
from benchmarks.server_load.script import run_request, sessions_at
from veridical.answering.feature import Feature, open_feature
from veridical.answering.flow import answer
from veridical.contracts.answer import AnswerKind
from veridical.contracts.step import Action, Json
from veridical.runs.dbos_setup import (
    APPLICATION,
    QUEUE,
    VERSION,
    WORKFLOW,
    quiet,
    register_queue,
    runtime_url,
)
from veridical.runs.settings import RunsSettings
from veridical.sample.books import Sample


async def work(orders: Orders) -> None:
    """Work until told to stop."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    feature = open_feature(PACK, Sample(orders.books_url, 0).database())
    settings = orders.settings
    quiet()
    DBOS(
        config=DBOSConfig(
            name=APPLICATION,
            system_database_url=runtime_url(settings),
            application_version=VERSION,
            use_listen_notify=False,
            run_migrations=False,
            max_executor_threads=2 * settings.worker_concurrency + 16,
            db_engine_kwargs={"pool_pre_ping": False},
            log_level="WARNING",
        )
    )
    await _register(feature)
    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    await asyncio.to_thread(_make_queue, settings)
    say_ready()
    await stop.wait()
    DBOS.destroy(workflow_completion_timeout_sec=1)
    feature.engine.database.close()


def _make_queue(settings: RunsSettings) -> None:
    client = DBOSClient(
        system_database_url=runtime_url(settings), application_name=APPLICATION, lazy=True
    )
    register_queue(client, settings)
    client.destroy()


async def _register(feature: Feature) -> None:
    actions, given = await _one_run(feature)

    @DBOS.workflow(name=WORKFLOW)
    async def bare(request: Json) -> Json:  # pyright: ignore[reportUnusedFunction]
        for name, action in actions:
            await DBOS.run_step_async({"name": name}, action)
        return given


async def _one_run(feature: Feature) -> tuple[list[tuple[str, Action]], Json]:
    """The actions of a run's steps, and its answer."""
    request = run_request()
    actions: list[tuple[str, Action]] = []

    async def step(name: str, action: Action) -> Json:
        async def take() -> Json:  # an action may be any callable; DBOS asks for a coroutine
            return await action()

        actions.append((name, take))
        return await take()

    def ignore_event(event: Any) -> None:
        """Nobody listens."""

    session = sessions_at(feature)(request.feature, request.caller.thawed(), ignore_event)
    given = await answer(request.question, session, step)
    if given.kind is not AnswerKind.AGENT:
        raise RuntimeError(f"the script does not lead to an answer: {given.text}")
    return actions, given.model_dump(mode="json", by_alias=True)


if __name__ == "__main__":
    asyncio.run(work(Orders.model_validate_json(sys.argv[1])))
