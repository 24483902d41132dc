"""Answers: with their sources, or with an honest reason why there is none."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from veridical.contracts.chunk import Chunk
from veridical.contracts.facts_answer import FactsAnswer
from veridical.contracts.language import Language
from veridical.contracts.person import Hitl
from veridical.contracts.proof import Proof, QualityReport
from veridical.contracts.requirements_review import ReviewOutcome
from veridical.contracts.result import KnownQuestion, Receipt
from veridical.contracts.search_collect import CollectOutcome
from veridical.contracts.search_ingest import IngestOutcome
from veridical.contracts.violation import Violation
from veridical.contracts.wire import Wire


class AnswerKind(StrEnum):
    """The origin of an answer. A refusal is an outcome of its own, never a failure in disguise."""

    CHAT = "chat"
    """needs no data: greeting, arithmetic, general knowledge"""
    PATTERN = "pattern"
    """a canonical pattern, run without a model"""
    AGENT = "agent"
    """the model, through checked tools"""
    ASK_BACK = "askBack"
    """one clarifying question to the user"""
    UNKNOWN = "unknown"
    """an honest "I can't say" """
    INGEST = "ingest"
    """no question: documents were stored"""
    COLLECT = "collect"
    """no question: approved evidence was stored"""
    REVIEW = "review"
    """no question: requirements were reviewed"""
    FAILED = "failed"
    """something broke; the text says what to do next"""


_ANSWERS = frozenset({AnswerKind.CHAT, AnswerKind.PATTERN, AnswerKind.AGENT})


class Source(Wire):
    """One executed call behind an answer: its rows as the host recorded them."""

    tool: str
    arguments: dict[str, Any]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    receipt: Receipt
    chunks: tuple[Chunk, ...] = ()
    """The passages that the call found in documents."""
    warnings: tuple[Violation, ...] = Field(default=(), exclude_if=lambda found: not found)
    """The check's warnings about the call, which ran nevertheless."""
    known: KnownQuestion | None = Field(default=None, exclude_if=lambda found: found is None)
    """The known question that the call answers, if there is one."""


class Usage(Wire):
    """The resources that a run used."""

    rounds: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In US dollars; none when the model's price is not known."""
    elapsed_ms: float = 0.0


class Answer(Wire):
    """The outcome of one question."""

    kind: AnswerKind
    text: str
    language: Language
    trace_id: str
    sources: tuple[Source, ...] = ()
    suggested_answers: tuple[str, ...] = ()
    usage: Usage = Usage()
    proof: Proof | None = None
    """Each claim with its grounds; none where there was nothing to compare with evidence."""
    facts: FactsAnswer | None = Field(default=None, exclude_if=lambda found: found is None)
    """Its sentences with the facts behind them, where it was written in facts."""
    quality: QualityReport | None = None
    """The quality gate's account, where a skill was followed."""
    hitl: Hitl | None = None
    """The decisions of people during the run, where it needed any."""
    ingest: IngestOutcome | None = None
    """The stored part of the documents, where the run was to store some."""
    collect: CollectOutcome | None = Field(default=None, exclude_if=lambda found: found is None)
    """The ranking, the decision and what was stored, where the run was to collect evidence."""
    review: ReviewOutcome | None = None
    """The team's results for requirements, where the run was a review."""

    @property
    def ok(self) -> bool:
        """True if the text answers the question: false for a clarifying question, for "I can't
        say", for a failure, and for an answer that either gate holds back."""
        return self.kind in _ANSWERS and not self.is_blocked

    @property
    def is_blocked(self) -> bool:
        """True if the answer gate or the quality gate holds it back."""
        return any(judged is not None and not judged.ok for judged in (self.proof, self.quality))
