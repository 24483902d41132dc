"""The request of a run, with the caller's permissions frozen in: a worker holds no credential.

A run may end to wait for a person, and continue later as its next segment.
"""

from collections.abc import Mapping
from typing import Self

from pydantic import Field

from veridical.contracts.caller import Caller, Permissions, Scope, ScopeValue
from veridical.contracts.language import Language
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.contracts.requirements_review import ReviewTask
from veridical.contracts.search_collect import CollectTask
from veridical.contracts.search_ingest import IngestTask
from veridical.contracts.wire import Wire
from veridical.messages import message

_BETWEEN = "~"


class FrozenCaller(Wire):
    """The caller, as the credential stated when the run was started."""

    allowed: dict[str, tuple[ScopeValue, ...]] = Field(
        default_factory=dict[str, tuple[ScopeValue, ...]]
    )
    shared: tuple[str, ...] = ()
    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    language: Language = Language.EN
    name: str = "anonymous"
    member_of: str = ""

    @classmethod
    def of(cls, caller: Caller) -> Self:
        """Freeze a caller."""
        allowed: Mapping[str, tuple[ScopeValue, ...]] = caller.scope.allowed
        return cls(
            allowed=dict(allowed),
            shared=tuple(sorted(caller.scope.shared)),
            allow=caller.permissions.allow,
            deny=caller.permissions.deny,
            language=caller.language,
            name=caller.name,
            member_of=caller.member_of,
        )

    def thawed(self) -> Caller:
        """The caller that was frozen."""
        return Caller(
            scope=Scope(self.allowed, frozenset(self.shared)),
            permissions=Permissions(self.allow, self.deny),
            language=self.language,
            name=self.name,
            member_of=self.member_of,
        )


class RunRequest(Wire):
    """One question to one feature, by one caller; or documents to store or requirements to review,
    which the question then describes."""

    feature: str
    question: Question
    caller: FrozenCaller = FrozenCaller()
    approvals: Approvals = NO_APPROVALS
    """Approvals that this run needs in addition to those of its feature."""
    ingest: IngestTask | None = None
    """Set by an operator alone: a worker reads any file that its user may read."""
    review: ReviewTask | None = None
    collect: CollectTask | None = Field(default=None, exclude_if=lambda task: task is None)


def ingest_request(task: IngestTask, caller: Caller) -> RunRequest:
    """The request to store documents, as lists of runs show it."""
    text = message(
        "ingest.asked", caller.language, collection=task.collection, paths=", ".join(task.paths)
    )
    question = Question(text=text, language=caller.language)
    return RunRequest(feature="", question=question, caller=FrozenCaller.of(caller), ingest=task)


def collect_request(task: CollectTask, caller: Caller, feature: str = "") -> RunRequest:
    """The request to collect evidence, as lists of runs show it; scored by the model of a feature,
    else by words alone."""
    text = message("collect.asked", caller.language, question=task.request.context.question)
    question = Question(text=text, feature=feature, language=caller.language)
    frozen = FrozenCaller.of(caller)
    return RunRequest(feature=feature, question=question, caller=frozen, collect=task)


def review_request(task: ReviewTask, caller: Caller, feature: str = "") -> RunRequest:
    """The request to review requirements, as lists of runs show it; with the model of a feature,
    else by rules and templates alone."""
    text = message("team.asked", caller.language, count=len(task.requirements))
    question = Question(text=text, feature=feature, language=caller.language)
    frozen = FrozenCaller.of(caller)
    return RunRequest(feature=feature, question=question, caller=frozen, review=task)


class RunSegment(Wire):
    """One workflow of the engine: a run from its start, or from where the previous segment
    ended."""

    run_id: str
    """Also the id of its trace."""
    number: int = 0
    tenant: str
    asked_by: str
    request: RunRequest

    @property
    def workflow_id(self) -> str:
        """The engine's id of this segment."""
        return _name(self.run_id, self.number)

    @property
    def next(self) -> "RunSegment":
        """The next segment."""
        return self.model_copy(update={"number": self.number + 1})

    @property
    def earlier(self) -> list[str]:
        """The engine's ids of the earlier segments, in order."""
        return [_name(self.run_id, number) for number in range(self.number)]


def run_of(workflow_id: str) -> str:
    """The run that a workflow is a segment of."""
    return workflow_id.partition(_BETWEEN)[0]


def _name(run_id: str, number: int) -> str:
    return f"{run_id}{_BETWEEN}{number}" if number else run_id
