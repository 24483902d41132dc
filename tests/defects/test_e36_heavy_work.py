"""What one tenant's heavy request costs the others: nothing that they would notice."""

import asyncio
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from datetime import date
from typing import Any

import httpx2
import pytest
from prometheus_client import Gauge

from tests.sample import ACCOUNTANT, trustee
from tests.server.conftest import own_database
from tests.server.mcp.talking import talking
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.answering.routing import choose_route, unanswered
from veridical.answering.session import Session
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.gate.policy import Policy
from veridical.route.patterns import NoMatch, PatternMatch
from veridical.server.answerer import MOST_CHARACTERS, recent_turns
from veridical.server.fair_turns import ON_BEHALF_OF, FairSemaphore, FairThreadPool
from veridical.server.identity import ACTIONS, Identity, Role
from veridical.server.limits import ConcurrencyLimit
from veridical.server.problem import ProblemCode, ProblemError

__all__ = ["own_database", "trustee"]

ENDLESS = Policy(allow_patterns=(r"(a+)+$",))
"""A host's own expression that never comes to an end on some texts, and never lets go meanwhile."""
HEAVY = {"answer": "It was 4711: " + "a" * 60 + "!", "evidence": []}
LIGHT = {"answer": "It was 4,711.", "evidence": [{"n": 4711}]}
ASKED = {"feature": "trustee", "question": BALANCE}
WORK_SECONDS = 3.0
AT_ONCE = 2.0
"""Seconds, on a machine with other things to do."""


@pytest.fixture(scope="module")
def server(own_database: Any, trustee: Feature) -> Generator[Standing]:
    url, keys = own_database
    limits: dict[str, Any] = {"work_seconds": WORK_SECONDS, "tenant_works": 2}
    with standing(url, trustee, keys, policy=ENDLESS, **limits) as running:
        with running.client() as client:
            assert client.post("/v1/gate", json=LIGHT).json()["verdict"] == "pass"
            client.post("/v1/ask", json=ASKED)
        yield running


@pytest.mark.postgres
def test_e36_a_busy_gate_delays_nobody_else(server: Standing) -> None:
    slowest = 0.0
    with (
        server.client() as busy,
        server.client(GLOBEX) as other,
        ThreadPoolExecutor() as pool,
    ):
        began = time.monotonic()
        heavy = pool.submit(busy.post, "/v1/gate", json=HEAVY)
        time.sleep(0.2)
        while not heavy.done():
            for ask in (
                lambda: httpx2.get(f"{server.address}/health/live"),
                lambda: other.post("/v1/ask", json=ASKED),
                lambda: other.post("/v1/gate", json=LIGHT),
            ):
                asked = time.monotonic()
                assert ask().status_code == 200
                slowest = max(slowest, time.monotonic() - asked)
        took = time.monotonic() - began
        told = heavy.result()
        again = busy.post("/v1/gate", json=LIGHT)
    assert slowest < AT_ONCE
    assert (told.status_code, told.json()["code"]) == (422, "TOO_MUCH_WORK")
    assert f"{WORK_SECONDS:g}" in told.json()["detail"]
    assert took < WORK_SECONDS + AT_ONCE
    assert again.json()["verdict"] == "pass"  # by a new process


@pytest.mark.postgres
def test_e36_a_tenant_at_its_share_is_sent_away_and_others_go_on(server: Standing) -> None:
    with server.client() as busy, server.client(GLOBEX) as other, ThreadPoolExecutor() as pool:
        heavy = [pool.submit(busy.post, "/v1/gate", json=HEAVY) for _ in range(2)]
        time.sleep(0.3)
        refused = busy.post("/v1/gate", json=LIGHT)
        served = other.post("/v1/gate", json=LIGHT)
        ended = [each.result().status_code for each in heavy]
    assert (refused.status_code, refused.json()["code"]) == (429, "SHARE_TAKEN")
    assert int(refused.headers["retry-after"]) >= 1
    assert served.status_code == 200
    assert ended == [422, 422]


@pytest.mark.postgres
def test_e36_a_check_without_end_over_mcp_is_refused_in_time(server: Standing) -> None:
    steps = ['c0 AS (SELECT "label" AS x FROM "TrusteeDataAccount")']
    steps += [f"c{n} AS (SELECT concat(x, x) AS x FROM c{n - 1})" for n in range(1, 25)]
    sql = f"WITH {', '.join(steps)} SELECT x FROM c24"

    async def call() -> Any:
        async with talking(server) as client:
            return await client.call_tool("executeSqlSafe", {"sql": sql})

    began = time.monotonic()
    told = asyncio.run(call())
    assert told.is_error
    assert time.monotonic() - began < WORK_SECONDS + AT_ONCE
    with server.client() as client:
        body = {"feature": "trustee", "call": {"tool": "executeSqlSafe", "sql": sql}}
        checked = client.post("/v1/check", json=body)
    assert checked.status_code in (200, 422)
    assert checked.status_code == 422 or not checked.json()["success"]


def _of(tenant: str, key: str = "k") -> Identity:
    return Identity(tenant, "Ada", Role.ANALYST, ACTIONS[Role.ANALYST], key_id=key)


def test_e36_places_are_shared_by_tenants_and_keys() -> None:
    limit = ConcurrencyLimit(5, Gauge("e36_places", "", registry=None), share=3, key_share=2)

    def code(identity: Identity) -> ProblemCode | None:
        try:
            limit.refuse_when_full(identity)
        except ProblemError as error:
            return error.code
        return None

    with limit.slot(_of(ACME)), limit.slot(_of(ACME)):
        assert code(_of(ACME)) is ProblemCode.SHARE_TAKEN
        with limit.slot(_of(ACME, "another")):
            assert code(_of(ACME, "third")) is ProblemCode.SHARE_TAKEN
            with limit.slot(_of(GLOBEX)), limit.slot(_of(GLOBEX)):
                assert code(_of("third")) is ProblemCode.OVERLOADED
        assert code(_of(ACME, "third")) is None
    assert code(_of(ACME)) is None


def test_e36_a_long_conversation_is_read_from_its_end() -> None:
    said = [Turn(question=f"{number} " * 2_000, answer="a" * 4_000) for number in range(20)]
    whole = Question(text="And 2023?", feature="trustee", thread=tuple(said))
    shorter = recent_turns(whole)
    assert shorter.thread == tuple(said[-len(shorter.thread) :])
    assert sum(len(each.question) + len(each.answer) for each in shorter.thread) <= MOST_CHARACTERS
    giant = Turn(question="a" * MOST_CHARACTERS, answer="b" * MOST_CHARACTERS)
    assert recent_turns(whole.model_copy(update={"thread": (giant, giant)})).thread == (giant,)
    short = whole.model_copy(update={"thread": tuple(said[:1])})
    assert recent_turns(short) is short


_STORY = " Und noch etwas: 1-2 → 3, und was war am 1.1.2024?" * 150


@pytest.mark.parametrize("thread", [0, 20])
def test_e36_a_story_is_not_read_word_by_word(trustee: Feature, thread: int) -> None:
    session = Session(trustee, replace(ACCOUNTANT, language=Language.DE))
    today = date(2026, 11, 16)
    known = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
    earlier = tuple(Turn(question=known + _STORY, answer="–") for _ in range(thread))
    asked = Question(text=known, feature="trustee")
    assert isinstance(choose_route(asked, session, today), PatternMatch)
    story = asked.model_copy(update={"text": known + _STORY, "thread": earlier})
    unanswered(asked, session, today)  # what is offered is made once
    began = time.process_time()
    assert choose_route(story, session, today) == NoMatch()
    follow_up = story.model_copy(update={"text": "und 2023?"})
    assert not isinstance(choose_route(follow_up, session, today), PatternMatch)
    outcome = unanswered(story, session, today)
    assert time.process_time() - began < 0.2
    offered = unanswered(asked.model_copy(update={"text": "…"}), session, today)
    assert outcome.suggested_answers == offered.suggested_answers


def test_e36_turns_go_round_the_tenants() -> None:
    async def take() -> list[str]:
        turns, order, go = FairSemaphore(2, 1), list[str](), asyncio.Event()

        async def one(tenant: str) -> None:
            async with turns.slot(tenant):
                order.append(tenant)
                await go.wait()

        waiting = [asyncio.ensure_future(one("flood")) for _ in range(4)]
        await asyncio.sleep(0)
        waiting.append(asyncio.ensure_future(one("small")))
        given_up = asyncio.ensure_future(one("flood"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0.01)
        assert order == ["flood", "small"]
        go.set()
        await asyncio.gather(*waiting)
        return order

    assert asyncio.run(take()).count("flood") == 4


def test_e36_threads_of_one_tenant_leave_some_for_others() -> None:
    go, begun = threading.Event(), threading.Semaphore(0)

    def wait() -> str:
        begun.release()
        assert go.wait(30)
        return "done"

    def submit(threads: FairThreadPool, tenant: str, work: Any) -> Any:
        def on_behalf() -> Any:
            ON_BEHALF_OF.set(tenant)
            return threads.submit(work)

        return copy_context().run(on_behalf)

    with FairThreadPool(4, 2) as threads:
        flood = [submit(threads, ACME, wait) for _ in range(20)]
        assert begun.acquire(timeout=10)
        assert begun.acquire(timeout=10)
        assert submit(threads, GLOBEX, lambda: "at once").result(10) == "at once"
        assert not begun.acquire(timeout=0.1)
        go.set()
        assert [each.result(30) for each in flood] == ["done"] * 20
        with pytest.raises(ZeroDivisionError):
            submit(threads, ACME, lambda: 1 / 0).result(10)
