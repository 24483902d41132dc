"""The tasks of the process pool: each takes a JSON request and returns a JSON response.

The fork server loads their context once; each task then has a process of its own.

Request bodies are parsed here and not in the server, since parsing a large one takes time as well.
"""

import json
import pickle  # nosec B403 # from the server to a process that it started itself
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from time import perf_counter
from typing import Annotated, Any

from pydantic import Field, ValidationError

from veridical.check.checker import Checker
from veridical.check.verdict import as_result
from veridical.contracts.call import Call, parse_call
from veridical.contracts.caller import Caller, Scope, ScopeValue
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, Proof
from veridical.contracts.wire import Wire
from veridical.gate.evidence.source import Meaning
from veridical.gate.log import proof_id
from veridical.gate.policy import Policy
from veridical.gate.verdict import check as hold_against
from veridical.reading.language import language_of
from veridical.server.body_types import FEATURE, Document, Name, PlainJson, Remark, written
from veridical.server.fact_tasks import (
    FactsRequest,
    SourcedFacts,
    state_evidence,
    state_sources,
)

_MOST_TOOLS = 20
MOST_FAULTS = 20
_MOST_NOTED = 50
_TOLD_BY = 2_000
"""How much of an answer tells its language."""


class Task(IntEnum):
    """Kinds of tasks."""

    GATE = 0
    CHECK = 1
    PROBE = 2
    """whether the check of a tool's call comes to an end at all"""
    FACTS = 3
    """an answer in facts over evidence that was sent"""
    STATE = 4
    """an answer in facts over results of our own engine"""


class Outcome(IntEnum):
    """How a task ended."""

    DONE = 0
    """what follows is the response's body"""
    INVALID = 1
    """what follows are the faults of the request"""
    UNKNOWN_FEATURE = 2


@dataclass(frozen=True)
class TaskContext:
    """Checkers, policy and meanings that all tasks share."""

    checkers: Mapping[str, Checker]
    """By feature."""
    policy: Policy
    meanings: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    """By feature."""

    def packed(self) -> bytes:
        """Pickled for the fork server. Nothing of a request is ever in it."""
        return pickle.dumps(self)


class GateRequest(Wire):
    """An answer, and the results that it was written from."""

    answer: Document
    evidence: PlainJson
    """Rows as objects, ``{"columns", "rows"}``, a tool's result, any JSON, a text, or several."""
    question: Remark = ""
    language: Language | None = None
    required_tools: Annotated[tuple[Name, ...], Field(max_length=_MOST_TOOLS)] = ()
    """Tools that must have succeeded."""


class GateNote(Wire):
    """What the server logs of a proof that it passes on unparsed."""

    language: Language
    seconds: float
    proof_id: str
    in_short: Proof
    """Without its claims, and with some of its findings."""


class CheckRequest(Wire):
    """A call, and the question that it is to answer."""

    feature: Annotated[str, Field(pattern=FEATURE)]
    call: Annotated[Call, Field(discriminator="tool")]
    question: Remark = ""


class TaskCaller(Wire):
    """For whom a task runs."""

    language: Language
    name: str = ""
    scopes: dict[str, dict[str, tuple[ScopeValue, ...]]] = Field(
        default_factory=dict[str, dict[str, tuple[ScopeValue, ...]]]
    )
    """By feature that is open to them: the tenant columns with the values that may be seen."""
    shared: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    """By feature: the reference tables without a tenant."""

    def caller(self, feature: str) -> Caller:
        """This person as the feature knows them. Raises ``KeyError``."""
        scope = Scope(self.scopes[feature], frozenset(self.shared.get(feature, ())))
        return Caller(scope=scope, language=self.language, name=self.name)


class ProbedCall(Wire):
    """A call of a tool, with its arguments as they were given."""

    feature: str
    tool: str
    arguments: dict[str, Any]
    question: str = ""


Result = tuple[Outcome, bytes]
_A_GATE = b"""
{"answer": "North made 1,200.50 in May 2024.", "evidence": [{"region": "North", "n": 1200.5}]}
"""
_LOADED: list[TaskContext] = []
"""The context of this process; none in the server."""


def load(packed: bytes) -> None:
    """Load the context into the fork server, and make what is made on first use: all share it."""
    context: TaskContext = pickle.loads(packed)  # noqa: S301 # nosec B301 # from who started us
    _LOADED[:] = [context]
    asker = TaskCaller(language=Language.EN, scopes={name: {} for name in context.checkers})
    _run_task(context, Task.GATE, asker, _A_GATE)
    for feature in context.checkers:
        asked = {"feature": feature, "call": {"tool": "executeSqlSafe", "sql": "SELECT 1"}}
        _run_task(context, Task.CHECK, asker, json.dumps(asked).encode())


def ready(_: bytes) -> bytes:
    """Nothing: that it can be run says that all is loaded."""
    return b""


def run(request: bytes) -> bytes:
    """What comes of a request, after the byte of its outcome."""
    task, asker, body = request.split(b"\n", 2)
    caller = TaskCaller.model_validate_json(asker)
    outcome, result = _run_task(_LOADED[0], Task(int(task)), caller, body)
    return bytes([outcome]) + result


def _run_task(context: TaskContext, task: Task, asker: TaskCaller, body: bytes) -> Result:
    try:
        return _TASKS[task](context, asker, body)
    except ValidationError as error:
        return Outcome.INVALID, _faults(error)
    except KeyError:
        return Outcome.UNKNOWN_FEATURE, b""


def _gate(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    asked = GateRequest.model_validate_json(body)
    started = perf_counter()
    proof = hold_against(
        asked.answer,
        asked.evidence,
        question=asked.question,
        language=asked.language,
        policy=context.policy,
        required_tools=asked.required_tools,
    )
    note = GateNote(
        language=asked.language or language_of(asked.answer[:_TOLD_BY], Language.EN),
        seconds=perf_counter() - started,
        proof_id=proof_id(proof) if proof.findings else "",
        in_short=proof.model_copy(update={"claims": (), "findings": _some(proof.findings)}),
    )
    return Outcome.DONE, b"\n".join((written(note), written(proof)))


def _some(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """One of each code in each mode, then the first ones: enough to count them and to tell of."""
    kinds = {(finding.code, finding.mode): finding for finding in findings}
    return (*kinds.values(), *findings)[:_MOST_NOTED]


def _check(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    asked = CheckRequest.model_validate_json(body)
    if asked.feature not in asker.scopes:
        return Outcome.UNKNOWN_FEATURE, b""
    caller = asker.caller(asked.feature)
    verdict = context.checkers[asked.feature].check(asked.call, caller, asked.question)
    return Outcome.DONE, written(as_result(verdict))


def _probe(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    asked = ProbedCall.model_validate_json(body)
    checker, caller = context.checkers[asked.feature], asker.caller(asked.feature)
    with suppress(ValidationError):  # what is no call is refused at once
        call = parse_call({**asked.arguments, "tool": asked.tool})
        checker.check(call, caller, asked.question)
    return Outcome.DONE, b""


def _facts(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    asked = FactsRequest.model_validate_json(body)
    return Outcome.DONE, written(state_evidence(asked, asker.language))


def _state(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    asked = SourcedFacts.model_validate_json(body)
    return Outcome.DONE, written(state_sources(asked, context.meanings))


_TASKS: Mapping[Task, Callable[[TaskContext, TaskCaller, bytes], Result]] = {
    Task.GATE: _gate,
    Task.CHECK: _check,
    Task.PROBE: _probe,
    Task.FACTS: _facts,
    Task.STATE: _state,
}


def _faults(error: ValidationError) -> bytes:
    """What is wrong, by place and kind, without what was sent."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    told = [{"type": each["type"], "loc": ("body", *each["loc"])} for each in errors[:MOST_FAULTS]]
    return json.dumps(told).encode()
