"""Steps of a durable run, inside the engine."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection, text

from tests.runs.asked import asked, at, away, finished, rows, working
from tests.runs.conftest import TENANT
from veridical.answering.feature import Feature
from veridical.contracts.step import Json
from veridical.runs import steps
from veridical.runs.errors import NotInRunError
from veridical.runs.lease import Lease
from veridical.runs.port import Runs
from veridical.runs.retry import DatabaseLost
from veridical.runs.settings import RunsSettings
from veridical.runs.steps import DurableStep, EffectContext, effect, effect_context, effect_key
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


@pytest.fixture
def ledger(store: Store) -> Store:
    rows(store, "CREATE TABLE public.ledger (note text)")
    return store


def booked(store: Store) -> list[str]:
    return [row[0] for row in rows(store, "SELECT note FROM public.ledger ORDER BY 1")]


def book(note: str) -> Any:
    def action(connection: Connection) -> Any:
        connection.execute(text("INSERT INTO public.ledger VALUES (:note)"), {"note": note})
        return {"booked": note}

    return action


def test_an_effect_is_done_once_and_remembered(ledger: Store) -> None:
    with effect_context(EffectContext("run", "agent.tool.1.1", ledger)):
        assert effect("book", book("a")) == {"booked": "a"}
        assert effect("book", book("b")) == {"booked": "a"}
        assert effect("other", book("c")) == {"booked": "c"}
    with effect_context(EffectContext("run", "agent.tool.1.2", ledger)):
        effect("book", book("d"))
    with effect_context(EffectContext("other run", "agent.tool.1.1", ledger)):
        effect("book", book("e"))
    assert booked(ledger) == ["a", "c", "d", "e"]


def test_an_effect_that_fails_is_not_done_and_may_be_tried_again(ledger: Store) -> None:
    def fails(connection: Connection) -> Any:
        book("half")(connection)
        raise RuntimeError

    with effect_context(EffectContext("run", "step", ledger)):
        with pytest.raises(RuntimeError):
            effect("book", fails)
        assert booked(ledger) == []
        effect("book", book("whole"))
    assert booked(ledger) == ["whole"]


def test_an_effect_is_neither_done_nor_failed_while_the_database_stays_away(
    ledger: Store, runs_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_PATIENCE", 0.2)
    with effect_context(EffectContext("run", "step", ledger)):
        with away(runs_url), pytest.raises(DatabaseLost):
            effect("book", book("never"))
        effect("book", book("once"))
    assert booked(ledger) == ["once"]


def test_who_comes_second_waits_and_gets_what_the_first_one_did(ledger: Store) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> Any:
        begun.set()
        assert go_on.wait(10)
        return book("slow")(connection)

    def do(action: Any) -> Any:
        with effect_context(EffectContext("run", "step", ledger)):
            return effect("book", action)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(do, slow)
        assert begun.wait(10)
        second = pool.submit(do, book("quick"))
        go_on.set()
        assert first.result() == second.result() == {"booked": "slow"}
    assert booked(ledger) == ["slow"]


def test_an_effect_has_the_rights_of_the_login_and_not_of_the_engine(ledger: Store) -> None:
    def who(connection: Connection) -> Any:
        return connection.execute(text("SELECT current_user")).scalar_one()

    with effect_context(EffectContext("run", "step", ledger)):
        assert effect("who", who) == "postgres"


def test_effects_outside_carry_a_key_of_their_step(store: Store) -> None:
    with effect_context(EffectContext("run", "agent.tool.1.1", store)):
        assert effect_key() == "run:agent.tool.1.1"
    with pytest.raises(NotInRunError):
        effect_key()
    with pytest.raises(NotInRunError):
        effect("any", book("never"))
