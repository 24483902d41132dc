"""The tasks of the process pool: each takes a JSON request and returns a JSON response.

The fork server loads their context once; each task then has a process of its own.

Request bodies are parsed here and not in the server, since parsing a large one takes time as well.
"""

import json
import pickle  # from the server to a process that it started itself
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
from veridical.contracts.source_kind import SourceKind
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
_SAMPLE_CHARACTERS = 2_000
"""Characters of an answer from which its language is detected."""


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
    """The outcome of a task."""

    DONE = 0
    """what follows is the response's body"""
    INVALID = 1
    """what follows are the faults of the request"""
    UNKNOWN_FEATURE = 2


@dataclass(frozen=True)
class TaskContext:
    """Checkers, policy and meanings that all tasks share."""

    checkers: Mapping[str, Checker]
    """Checkers by feature."""
    policy: Policy
    meanings: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    """Meanings by feature."""

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
    source: SourceKind | None = None
    """What the data comes from: the policy's tools for it must have succeeded."""


class GateNote(Wire):
    """The log data of a proof that the server passes on unparsed."""

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
    """The caller of a task."""

    language: Language
    name: str = ""
    scopes: dict[str, dict[str, tuple[ScopeValue, ...]]] = Field(
        default_factory=dict[str, dict[str, tuple[ScopeValue, ...]]]
    )
    """The tenant columns with the values that may be seen, by open feature."""
    shared: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    """The reference tables without a tenant, by feature."""

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
    """Load the context into the fork server, and warm up caches, which all tasks share."""
    context: TaskContext = pickle.loads(packed)  # noqa: S301 # from who started us
    _LOADED[:] = [context]
    asker = TaskCaller(language=Language.EN, scopes={name: {} for name in context.checkers})
    _run_task(context, Task.GATE, asker, _A_GATE)
    for feature in context.checkers:
        request = {"feature": feature, "call": {"tool": "executeSqlSafe", "sql": "SELECT 1"}}
        _run_task(context, Task.CHECK, asker, json.dumps(request).encode())


def ready(_: bytes) -> bytes:
    """Return nothing; a reply means that everything is loaded."""
    return b""


def run(request: bytes) -> bytes:
    """The result of a request, after the byte of its outcome."""
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
    request = GateRequest.model_validate_json(body)
    started = perf_counter()
    proof = hold_against(
        request.answer,
        request.evidence,
        question=request.question,
        language=request.language,
        policy=context.policy,
        required_tools=request.required_tools,
        source=request.source,
    )
    note = GateNote(
        language=request.language or language_of(request.answer[:_SAMPLE_CHARACTERS], Language.EN),
        seconds=perf_counter() - started,
        proof_id=proof_id(proof) if proof.findings else "",
        in_short=proof.model_copy(update={"claims": (), "findings": _some(proof.findings)}),
    )
    return Outcome.DONE, b"\n".join((written(note), written(proof)))


def _some(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """One of each code in each mode, then the first ones: enough to count and to log."""
    kinds = {(finding.code, finding.mode): finding for finding in findings}
    return (*kinds.values(), *findings)[:_MOST_NOTED]


def _check(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    request = CheckRequest.model_validate_json(body)
    if request.feature not in asker.scopes:
        return Outcome.UNKNOWN_FEATURE, b""
    caller = asker.caller(request.feature)
    verdict = context.checkers[request.feature].check(request.call, caller, request.question)
    return Outcome.DONE, written(as_result(verdict))


def _probe(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    request = ProbedCall.model_validate_json(body)
    checker, caller = context.checkers[request.feature], asker.caller(request.feature)
    with suppress(ValidationError):  # what is no call is refused at once
        call = parse_call({**request.arguments, "tool": request.tool})
        checker.check(call, caller, request.question)
    return Outcome.DONE, b""


def _facts(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    request = FactsRequest.model_validate_json(body)
    return Outcome.DONE, written(state_evidence(request, asker.language))


def _state(context: TaskContext, asker: TaskCaller, body: bytes) -> Result:
    request = SourcedFacts.model_validate_json(body)
    return Outcome.DONE, written(state_sources(request, context.meanings))


_TASKS: Mapping[Task, Callable[[TaskContext, TaskCaller, bytes], Result]] = {
    Task.GATE: _gate,
    Task.CHECK: _check,
    Task.PROBE: _probe,
    Task.FACTS: _facts,
    Task.STATE: _state,
}


def _faults(error: ValidationError) -> bytes:
    """The faults as JSON, by place and kind, without the values sent."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    faults = [
        {"type": each["type"], "loc": ("body", *each["loc"])} for each in errors[:MOST_FAULTS]
    ]
    return json.dumps(faults).encode()
