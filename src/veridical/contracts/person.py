"""What only a person may decide: how a run asks, and what was decided."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from pydantic import Field

from veridical.contracts.wire import Wire


class ItemKind(StrEnum):
    """What a person is asked for."""

    EVIDENCE = "evidence"
    """whether these results may be used for the answer"""
    CLARIFICATION = "clarification"
    """what the question meant"""
    CALL = "call"
    """whether a risky call may be made"""


class PersonNeeded(Wire):
    """A question to a person. Its name is unique within a run, like that of a step."""

    name: str
    kind: ItemKind
    subject: dict[str, Any]
    """What the person is shown, and nothing else counts as shown."""
    reversible: bool
    """True for a read-only selection: only such a question may count as approved when nobody
    answers in time, and only where the owner has said so."""
    at: float = 0.0
    """When it came up, by the run's own clock; no part of what is shown."""

    @property
    def evidence_hash(self) -> str:
        """Binds a decision to what was shown: other evidence needs another decision."""
        shown = json.dumps(self.subject, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(shown.encode()).hexdigest()


class Decision(Wire):
    """What was decided, by whom, on which evidence."""

    approved: bool
    choice: dict[str, Any] = Field(default_factory=dict[str, Any])
    """The part that was approved, or the answer to a clarification under ``text``."""
    decided_by: str
    automatic: bool = False
    """True when nobody answered in time and the rule decided."""
    evidence_hash: str
    at: float


class Consulted(Wire):
    """One question to a person, and what became of it."""

    name: str
    about: ItemKind
    decision: Decision


class Hitl(Wire):
    """What a run asked people, in its order."""

    auto_approved: bool
    """True when something was approved because nobody answered in time."""
    consulted: tuple[Consulted, ...]


def hitl_of(consulted: tuple[Consulted, ...]) -> Hitl:
    """What was asked, and whether something was approved because nobody answered."""
    decisions = (each.decision for each in consulted)
    automatic = any(decision.automatic and decision.approved for decision in decisions)
    return Hitl(auto_approved=automatic, consulted=consulted)


class Waiting(BaseException):
    """A run can't go on before a person has decided; it ends here and goes on in a later life.

    No error: like a cancellation it passes through whatever handles errors, up to the one who
    started the run and knows how to continue it.
    """

    def __init__(self, item: str, seconds: float) -> None:
        super().__init__(f"waiting for a decision on {item}")
        self.item = item
        """What the inbox calls the question."""
        self.seconds = seconds
        """How long until it expires, by the database's clock."""


AskPerson = Callable[[PersonNeeded], Awaitable[Decision]]
"""Gives the decision, now or in a later life of the same run."""


NOBODY = "nobody"
RESULTS = "results"
"""In what is shown as evidence, the results; in the choice, the places of the approved, from 0."""
TEXT = "text"
"""In the choice: what was answered to a clarification."""


def unanswered(needed: PersonNeeded, at: float = 0.0, *, approve: bool = False) -> Decision:
    """What holds when nobody answers: it is denied. A reversible selection stands as it is where
    the owner has it approved."""
    shown = needed.subject.get(RESULTS)
    selected = {RESULTS: list(range(len(shown)))} if isinstance(shown, list) else {}
    approved = approve and needed.reversible
    return Decision(
        approved=approved,
        choice=selected if approved else {},
        decided_by=NOBODY,
        automatic=True,
        evidence_hash=needed.evidence_hash,
        at=at,
    )


async def nobody(needed: PersonNeeded) -> Decision:
    """Where no person can be asked."""
    return unanswered(needed)
