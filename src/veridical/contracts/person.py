"""Decisions that only a person may make: how a run asks for them, and their outcome."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from pydantic import Field

from veridical.contracts.wire import Wire


class ItemKind(StrEnum):
    """The kind of decision that a run needs from a person."""

    EVIDENCE = "evidence"
    """whether these results may be used for the answer"""
    CLARIFICATION = "clarification"
    """the meaning of the question"""
    CALL = "call"
    """whether a risky call may be made"""


class PersonNeeded(Wire):
    """A question to a person. Its name is unique within a run, like that of a step."""

    name: str
    kind: ItemKind
    subject: dict[str, Any]
    """All that the person is shown; nothing else counts as shown."""
    reversible: bool
    """True for a read-only selection: only such a question may count as approved without an
    answer in time, and only where the owner has set this."""
    at: float = 0.0
    """When it came up, by the run's own clock; no part of what is shown."""

    @property
    def evidence_hash(self) -> str:
        """Binds a decision to what was shown: other evidence needs another decision."""
        shown = json.dumps(self.subject, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(shown.encode()).hexdigest()


class Decision(Wire):
    """A decision: by whom, on which evidence."""

    approved: bool
    choice: dict[str, Any] = Field(default_factory=dict[str, Any])
    """The part that was approved, or the answer to a clarification under ``text``."""
    decided_by: str
    automatic: bool = False
    """True without an answer in time: the rule decided."""
    evidence_hash: str
    at: float
    reason: str = ""
    """Why, in the words of the person who decided."""
    final_at: float | None = None
    """Until then the person may take it back, and the run waits."""


class Consulted(Wire):
    """One question to a person, and the decision."""

    name: str
    about: ItemKind
    decision: Decision


class Hitl(Wire):
    """The questions of a run to people, in order."""

    auto_approved: bool
    """True when something was approved without an answer in time."""
    consulted: tuple[Consulted, ...]


def hitl_of(consulted: tuple[Consulted, ...]) -> Hitl:
    """The questions, and whether something was approved without an answer."""
    decisions = (each.decision for each in consulted)
    automatic = any(decision.automatic and decision.approved for decision in decisions)
    return Hitl(auto_approved=automatic, consulted=consulted)


class Waiting(BaseException):
    """A run can't go on before a person has decided; it ends here and goes on in a later life.

    Not an ``Exception``: like a cancellation it passes through error handlers, up to the code that
    started the run and can continue it.
    """

    def __init__(self, item: str, seconds: float) -> None:
        super().__init__(f"waiting for a decision on {item}")
        self.item = item
        """The id of the question in the inbox."""
        self.seconds = seconds
        """The time until it expires, by the database's clock."""


AskPerson = Callable[[PersonNeeded], Awaitable[Decision]]
"""Gives the decision, now or in a later life of the same run."""


NO_PERSON = "nobody"
RESULTS = "results"
"""In what is shown as evidence, the results; in the choice, the places of the approved, from 0."""
SELECTED = "selected"
"""Of a shown result: false where it is offered beside the selection and must be chosen."""
TEXT = "text"
"""In the choice: the answer to a clarification."""


def selected_places(needed: PersonNeeded) -> list[int]:
    """The places of the results that are approved where a decision names none."""
    shown: list[dict[str, Any]] = needed.subject.get(RESULTS) or []
    return [place for place, each in enumerate(shown) if each.get(SELECTED, True)]


def unanswered(needed: PersonNeeded, at: float = 0.0, *, approve: bool = False) -> Decision:
    """The decision without an answer: denied. A reversible selection stands as it is where
    the owner has it approved."""
    selected = {RESULTS: selected_places(needed)} if RESULTS in needed.subject else {}
    approved = approve and needed.reversible
    return Decision(
        approved=approved,
        choice=selected if approved else {},
        decided_by=NO_PERSON,
        automatic=True,
        evidence_hash=needed.evidence_hash,
        at=at,
    )


async def no_person(needed: PersonNeeded) -> Decision:
    """Denies: where no person can answer."""
    return unanswered(needed)


class Approvals(Wire):
    """The approvals that a run needs. By default none: a run then never waits."""

    evidence: bool = False
    """Show the results to a person before an answer may rest on them."""
    passages: bool = False
    """Show the passages that a search of documents found to a person before the model sees them."""
    clarify: bool = False
    """Ask what an unclear question means, and continue with the answer."""
    calls: tuple[str, ...] = ()
    """Calls that need an approval before they are made, as globs over the names of tools and of
    what they read: ``executeSqlSafe``, ``TrusteeDataContact``, ``Staff*``."""


NO_APPROVALS = Approvals()
