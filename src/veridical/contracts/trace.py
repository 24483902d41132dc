"""The events of a run, tagged by kind: written once, reloadable, never pickled.

``at`` is in seconds since 1970 (UTC): when it happened, and for a call when it began.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.contracts.answer import Answer
from veridical.contracts.facts_answer import FactsReview
from veridical.contracts.person import Decision, ItemKind
from veridical.contracts.proof import Finding, QualityReport, Verdict
from veridical.contracts.question import Question
from veridical.contracts.requirements_review import ReviewTurn
from veridical.contracts.result import RanAs, Receipt, Settled
from veridical.contracts.search_ingest import IngestSummary, VectorOutcome
from veridical.contracts.wire import Wire


class RunStarted(Wire):
    """A question came in."""

    kind: Literal["runStarted"] = "runStarted"
    at: float
    question: Question
    caller: str
    tenant: str = ""
    """The tenant of the run: stores keep tenants' runs apart."""
    model: str = ""
    ontology_hash: str = ""
    dialect: str = ""
    """The dialect of the data's SQL; empty in older traces."""


class Routed(Wire):
    """The route of the question, and why."""

    kind: Literal["routed"] = "routed"
    at: float
    route: Literal["chat", "pattern", "agent", "askBack", "tool"]
    """``tool``: another agent made one call by itself; there is no answer."""
    reason: str
    intent: str | None = None
    skill: str | None = None
    slots: dict[str, Any] = Field(default_factory=dict[str, Any])


class ModelCalled(Wire):
    """One request to the model."""

    kind: Literal["modelCalled"] = "modelCalled"
    at: float
    round: int
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    elapsed_ms: float = 0.0
    text: str = ""
    tool_names: tuple[str, ...] = ()
    error: str | None = None


class ToolCalled(Wire):
    """One tool call and its outcome. Sibling calls of one model answer share the round."""

    kind: Literal["toolCalled"] = "toolCalled"
    at: float
    round: int
    tool: str
    arguments: dict[str, Any]
    success: bool
    validation_failure_code: str | None = None
    error_details: dict[str, Any] | None = None
    receipt: Receipt | None = None
    ran_as: RanAs | None = None
    """The call that was run for this one, where it names a known question."""
    settled: Settled | None = Field(default=None, exclude_if=lambda settled: settled is None)
    """Set where the check refused the call, and its rows settled that."""
    elapsed_ms: float = 0.0
    evidence_hash: str | None = None
    """SHA-256 of what was handed to another agent, where that is the run's only result."""


class BudgetSpent(Wire):
    """A limit ended the loop."""

    kind: Literal["budgetSpent"] = "budgetSpent"
    at: float
    limit: str
    value: float


class Gated(Wire):
    """The answer gate looked at one attempt."""

    kind: Literal["gated"] = "gated"
    at: float
    attempt: int
    """From 1; what is written from the evidence alone instead of a blocked answer is the last."""
    text: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    quality: QualityReport | None = None
    """The checks of a skill that was followed, ``skillMatch`` among them."""
    review: FactsReview | None = Field(default=None, exclude_if=lambda found: found is None)
    """A second reader's comparison of prose with facts: an opinion, no part of the verdict."""


class PersonAsked(Wire):
    """A question to a person, without its subject: a trace has more readers than an inbox."""

    kind: Literal["personAsked"] = "personAsked"
    at: float
    name: str
    about: ItemKind
    evidence_hash: str
    reversible: bool


class PersonDecided(Wire):
    """A person decided, or the rule did without an answer in time."""

    kind: Literal["personDecided"] = "personDecided"
    at: float
    name: str
    about: ItemKind
    decision: Decision


class Ingested(Wire):
    """A batch of documents was stored."""

    kind: Literal["ingested"] = "ingested"
    at: float
    summary: IngestSummary
    """Of all batches so far."""
    chunks: int
    """Of all batches so far."""
    failed: dict[str, str] = Field(default_factory=dict[str, str])
    """Of this batch: the files that were not ingested, and why."""
    vectors: VectorOutcome | None = None
    """Reported after all batches, whenever a part of the chunks has been embedded."""


class Reviewed(Wire):
    """A batch of requirements was evaluated, or the team had a turn about one of them."""

    kind: Literal["reviewed"] = "reviewed"
    at: float
    evaluated: int
    """Of all so far."""
    requirements: int
    """The number of them."""
    about: int | None = None
    """The requirement that the turn is about, from 1."""
    turn: ReviewTurn | None = None


class Answered(Wire):
    """The run's outcome."""

    kind: Literal["answered"] = "answered"
    at: float
    answer: Answer


Event = Annotated[
    RunStarted
    | Routed
    | ModelCalled
    | ToolCalled
    | BudgetSpent
    | PersonAsked
    | PersonDecided
    | Gated
    | Ingested
    | Reviewed
    | Answered,
    Field(discriminator="kind"),
]


class AgentTrace(Wire):
    """One run from question to answer."""

    trace_id: str
    events: tuple[Event, ...] = ()
