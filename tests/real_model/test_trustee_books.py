"""A real language model asks the Trustee books: slow, so it is marked and limited in time.

What a half-billion-parameter model answers is not asserted; what Veridical guarantees about it is:
every call that ran was checked, names that exist, rows of the own tenant, an answer that the gate
let through, a complete trace. It gets no second attempt, which would take minutes.
"""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.local_model.weights import weights
from tests.effort import FULL
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.budget import Budget
from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Permissions
from veridical.contracts.proof import Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Answered, ModelCalled, ToolCalled
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

pytestmark = pytest.mark.model

QUESTION = "Please look into the contacts table and tell me some names of suppliers"
SECONDS = 900.0
ROUNDS = 4 if FULL else 1
"""Each is a call that has to be checked; the model reads for most of the time."""
SMALL_WORLD = Permissions(allow=("TrusteeDataContact.*",))
"""A model this small reads some eighty tokens a second: it is shown one table only."""
READER = replace(ACCOUNTANT, permissions=SMALL_WORLD)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    weights("small")  # fetched here, where a failure is told
    # one thread: the other core has tests of its own
    command = [sys.executable, "-m", "benchmarks.local_model", "small", str(port), "--threads", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            assert any(line.startswith("READY") for line in server.stdout)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def ask(text: str, books: Feature, address: str) -> tuple[Answer, Recorder]:
    settings = AgentSettings(
        model="openai-compatible:qwen2.5-coder-0.5b",
        base_url=address,
        timeout_seconds=SECONDS,
        tool_choice_required=True,
        prompt_tokens=400,
        budget=Budget(rounds=ROUNDS, wall_seconds=SECONDS),
    )
    recorder = Recorder("real-model")

    async def run() -> Answer:
        async with open_model(settings) as model:
            session = Session(books, READER, model, settings, recorder.emit, regenerations=0)
            return await answer(Question(text=text), session)

    return asyncio.run(run()), recorder


def test_a_real_model_asks_only_what_was_checked(trustee: Feature, address: str) -> None:
    given, recorder = ask(QUESTION, trustee, address)
    events = recorder.trace.events
    assert isinstance(events[-1], Answered)
    assert any(isinstance(event, ModelCalled) and event.output_tokens for event in events)
    calls = [event for event in events if isinstance(event, ToolCalled)]
    assert calls
    for call in calls:
        assert call.success is (call.validation_failure_code is None)
    for source in given.sources:
        assert all("m-002" not in str(row) for row in source.rows)
    assert given.kind in (AnswerKind.AGENT, AnswerKind.UNKNOWN)
    if given.kind is AnswerKind.AGENT:
        assert given.proof is not None
        assert given.proof.verdict is not Verdict.BLOCK
