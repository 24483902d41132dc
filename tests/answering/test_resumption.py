"""A run that ended to wait, or died, comes to the same answer as one that never stopped."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.agent.people import Person, decision
from tests.answering.test_assurance import CALL, INVENTED, QUESTION, of_year
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.person import Approvals, AskPerson, Decision, PersonNeeded, Waiting
from veridical.contracts.question import Question
from veridical.contracts.step import Action, Json, Step
from veridical.contracts.trace import Event
from veridical.testing.replay import RecordedSteps
from veridical.testing.script import Line, Script
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

pytestmark = pytest.mark.postgres

ALL = Approvals(evidence=True, clarify=True, calls=("queryTable",))
UNCLEAR = "Wie hoch war der Banksaldo?"
TEXTS = "CHF 1.00 ist es nicht.", INVENTED, "Das kann ich nicht sagen."
LINES = some.lists(
    some.one_of(
        some.lists(some.sampled_from([CALL, of_year(2023), of_year(2022)]), min_size=1, max_size=2),
        some.sampled_from(TEXTS),
    ),
    max_size=4,
)


class _Died(BaseException):
    """The process is gone."""


@dataclass
class Rulings:
    """What is decided on each question, in turn: nothing, all of it, or the first result."""

    given: list[str]
    made: dict[str, Decision] = field(default_factory=dict[str, Decision])

    def rule(self, needed: PersonNeeded) -> Decision:
        if needed.name not in self.made:
            said = self.given[len(self.made) % len(self.given)]
            choice: dict[str, Any] = {}
            if said == "part" and "results" in needed.subject:
                choice = {"results": [0]}
            if "asked" in needed.subject and said != "deny":
                choice = {"text": "Ende 2024"}
            self.made[needed.name] = decision(needed, approved=said != "deny", **choice)
        return self.made[needed.name]


@dataclass
class Durable:
    """Gives a decision only in the life after the one that asked for it."""

    rulings: Rulings
    known: dict[str, Decision] = field(default_factory=dict[str, Decision])
    waiting: PersonNeeded | None = None

    async def ask(self, needed: PersonNeeded) -> Decision:
        if needed.name in self.known:
            return self.known[needed.name]
        self.waiting = needed
        raise Waiting(needed.name, 60.0)

    def decide(self) -> None:
        if self.waiting is not None:
            self.known[self.waiting.name] = self.rulings.rule(self.waiting)


@dataclass
class Mortal:
    """Takes the steps that a whole run took, and dies when it has taken so many new ones."""

    whole: dict[str, Json]
    kept: dict[str, Json]
    survives: int

    async def __call__(self, name: str, action: Action) -> Json:
        if name not in self.kept:
            if not self.survives:
                raise _Died
            self.survives -= 1
            self.kept[name] = self.whole[name]
        return self.kept[name]


def run(
    feature: Feature, text: str, lines: list[Line], ask: AskPerson, step: Step
) -> tuple[Answer, tuple[Event, ...]]:
    recorder = Recorder("run")
    script = Script([*lines, *["Das kann ich nicht sagen."] * 4])
    model = script.model if text != UNCLEAR else None
    session = Session(feature, ACCOUNTANT, model, emit=recorder.emit, ask=ask, approvals=ALL)
    given = asyncio.run(answer(Question(text=text), session, step, "run"))
    return given, recorder.trace.events


@given(
    some.sampled_from([UNCLEAR, QUESTION]),
    LINES,
    some.lists(some.sampled_from(["approve", "deny", "part"]), min_size=1, max_size=4),
    some.lists(some.integers(0, 6), max_size=4),
)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_prefix_and_the_decisions_give_the_same_answer(
    trustee: Feature, text: str, lines: list[Line], said: list[str], deaths: list[int]
) -> None:
    rulings, whole = Rulings(said), RecordedSteps()
    uninterrupted = run(trustee, text, lines, Person(rulings.rule).ask, whole)

    durable, kept = Durable(rulings), dict[str, Json]()
    survivals = iter(deaths)
    for _ in range(len(deaths) + len(rulings.made) + 1):
        durable.decide()
        step = Mortal(whole.results, kept, next(survivals, len(whole.results)))
        try:
            resumed = run(trustee, text, lines, durable.ask, step)
        except (Waiting, _Died):
            continue
        assert resumed == uninterrupted
        assert kept == whole.results
        return
    raise AssertionError("the run never came to an end")


@given(LINES, some.lists(some.sampled_from(["approve", "deny", "part"]), min_size=1, max_size=4))
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_nothing_is_done_twice_by_a_run_that_waits(
    trustee: Feature, lines: list[Line], said: list[str]
) -> None:
    durable, steps, taken = Durable(Rulings(said)), RecordedSteps(), list[str]()

    async def counted(name: str, action: Action) -> Json:
        async def noted() -> Json:
            taken.append(name)
            return await action()

        return await steps(name, noted)

    script = Script([*lines, *["Das kann ich nicht sagen."] * 4])
    session = Session(trustee, ACCOUNTANT, script.model, ask=durable.ask, approvals=ALL)
    while True:
        durable.decide()
        try:
            asyncio.run(answer(Question(text=QUESTION), session, counted))
        except Waiting:
            continue
        break
    assert len(taken) == len(set(taken))
    assert len(script.heard) == sum(".model." in name for name in taken)


def test_what_waits_can_be_kept_as_json(trustee: Feature) -> None:
    asked = Durable(Rulings(["approve"]))
    with pytest.raises(Waiting):
        run(trustee, QUESTION, [[CALL]], asked.ask, RecordedSteps())
    assert asked.waiting is not None
    sent = json.loads(json.dumps(asked.waiting.model_dump(mode="json", by_alias=True)))
    assert PersonNeeded.model_validate(sent).evidence_hash == asked.waiting.evidence_hash
