"""What a run tells: numbered alike in every segment, without secrets, the end with the outcome."""

import asyncio
import json
from typing import Any

from tests.runs.asked import asked
from tests.trace.runs import repaired_run
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.step import Progress
from veridical.contracts.trace import Answered, ModelCalled, RunStarted
from veridical.runs.journal import Entry, EventPublisher
from veridical.runs.request import RunSegment
from veridical.runs.state import RunStatus

LIFE = RunSegment(run_id="run", tenant="acme", asked_by="Ada", request=asked())


class Heard:
    """What would be written; it is written at once."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        if entry.written is not None:
            entry.written.set_result(None)


def telling(segment: RunSegment = LIFE) -> tuple[EventPublisher, Heard]:
    heard = Heard()
    journal: Any = heard
    return EventPublisher(journal, segment), heard


def test_events_have_the_same_numbers_in_every_life() -> None:
    numbers: list[list[int]] = []
    for segment in (LIFE, LIFE.next):
        tell, heard = telling(segment)
        for event in repaired_run("run").events[:-1]:
            tell.emit(event)
        numbers.append([each.sequence for entry in heard.entries for each in entry.events])
    assert numbers[0] == numbers[1] == list(range(len(numbers[0])))


def test_the_last_event_comes_with_the_outcome() -> None:
    tell, heard = telling()
    answer = Answer(kind=AnswerKind.AGENT, text="42", language=Language.EN, trace_id="run")
    tell.emit(Answered(at=1, answer=answer))
    assert heard.entries == []
    asyncio.run(tell.finish(answer))
    (entry,) = heard.entries
    assert [each.event.kind for each in entry.events] == ["answered"]
    assert entry.ending is not None
    assert (entry.ending.status, entry.ending.answer) == (RunStatus.DONE, answer)


def test_a_run_belongs_to_its_tenant_whatever_the_flow_thinks() -> None:
    tell, heard = telling()
    started = repaired_run("run", "somebody else").events[0]
    assert isinstance(started, RunStarted)
    tell.emit(started)
    (entry,) = heard.entries
    assert json.loads(entry.events[0].stored)["tenant"] == "acme"


def test_secrets_are_taken_out() -> None:
    tell, heard = telling()
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    tell.emit(ModelCalled(at=1, round=1, model="m", text=f"the key is {secret}"))
    assert secret not in str(json.loads(heard.entries[0].events[0].stored))


def test_nobody_sees_a_draft() -> None:
    tell, heard = telling()
    for text in ("Der ", "Saldo ", "ist"):
        tell.emit(Progress(stage="writing", round=1, text=text))
    tell.emit(Progress(stage="calling", round=1, text="calculate"))
    told = [entry.progress for entry in heard.entries]
    assert told == [
        Progress(stage="writing", round=1),
        Progress(stage="calling", round=1, text="calculate"),
    ]
