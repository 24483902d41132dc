"""Inbox items, how long people have for them, and the decisions that they make."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.contracts.person import RESULTS, TEXT, Decision, ItemKind, PersonNeeded
from veridical.contracts.wire import Wire
from veridical.runs.errors import (
    InvalidChoiceError,
    InvalidPlacesError,
    InvalidTextError,
    MayNotDecideError,
    OwnRequestError,
)

LONGEST_TEXT = 4_000
LONGEST_REASON = 2_000
UNDO_SECONDS = 10.0
"""How long a person may take a decision back. The database allows no more."""
Hours = Annotated[float, Field(gt=0, le=10_000)]
_EARLIEST_WARNING = 0.25
"""The share of the time that is left at most when a person is warned."""


class InboxDeadlines(Wire):
    """Deadlines in hours, for each kind of question, by the database's clock."""

    evidence: Hours = 24
    """For the approval of results as evidence."""
    clarification: Hours = 24
    """For the clarification of an unclear question."""
    call: Hours = 24
    """For the approval of a call."""
    warning: Hours = 2
    """Before the end, and never before three quarters of the time are over."""
    approve_unanswered: tuple[Literal["evidence"], ...] = ()
    """Kinds that count as approved without a decision in time; all others are denied. Neither a
    risky call nor a clarification can be among them."""

    def approves(self, needed: PersonNeeded) -> bool:
        """True if this question counts as approved without a decision."""
        return needed.reversible and needed.kind in self.approve_unanswered

    def ends(self, kind: ItemKind) -> timedelta:
        """Time from the question to its expiry."""
        return timedelta(hours=getattr(self, kind.value))

    def warns(self, kind: ItemKind) -> timedelta:
        """Time from the question to its warning."""
        whole = self.ends(kind)
        return whole - min(timedelta(hours=self.warning), whole * _EARLIEST_WARNING)


DEFAULT_DEADLINES = InboxDeadlines()


class ItemStatus(StrEnum):
    """Status of an item."""

    PENDING = "pending"
    DECIDED = "decided"
    EXPIRED = "expired"
    """no answer came in time; the rule decides as soon as the run looks"""
    REPLACED = "replaced"
    """the evidence has changed, and the run asks about the new one"""
    NOT_AWAITED = "notAwaited"
    """the run has ended"""


class InboxEntry(Wire):
    """One question to people, without what is shown."""

    id: str
    tenant: str
    run_id: str
    name: str
    kind: ItemKind
    status: ItemStatus
    question: str
    """The question of the run."""
    asked_by: str
    """The person who started the run."""
    evidence_hash: str
    reversible: bool
    auto_approve: bool = False
    """Whether it counts as approved without a decision in time; otherwise it is denied."""
    asked_at: datetime
    warned_at: datetime | None = None
    expires_at: datetime
    decision: Decision | None = None


class InboxItem(InboxEntry):
    """One question to people, with all that a person is shown."""

    subject: dict[str, Any]


class Ruling(Wire):
    """A person's decision, with the hash of what they were shown."""

    approved: bool
    choice: dict[str, Any] = Field(default_factory=dict[str, Any])
    """For evidence ``results``, the places that are approved, all where left out; for a
    clarification ``text``."""
    evidence_hash: str
    reason: Annotated[str, Field(max_length=LONGEST_REASON)] = ""


@dataclass(frozen=True, slots=True)
class Decider:
    """A member of a tenant who decides, as their credential states."""

    tenant: str
    name: str
    may_decide: bool
    may_ask: bool = False
    people: tuple[str, ...] = ()
    """Behind their credential: who uses it, then who made it. Without people, the name counts."""


def may_see(person: Decider, item: InboxEntry) -> bool:
    """True for people who may decide, and for the person who started the run."""
    return person.may_decide or person.name == item.asked_by


def require_entitled(
    decider: Decider, item: InboxEntry, ruling: Ruling, starters: Sequence[str]
) -> None:
    """Raises ``MayNotDecideError``. The person who started a run may give clarifications, but not
    approve it. ``starters`` are the people behind the run."""
    is_clarification = item.kind is ItemKind.CLARIFICATION
    if is_clarification and decider.name == item.asked_by and decider.may_ask:
        return
    if not decider.may_decide:
        raise MayNotDecideError
    if (
        ruling.approved
        and not is_clarification
        and _is_one_person(decider, starters or [item.asked_by])
    ):
        raise OwnRequestError


def _is_one_person(decider: Decider, starters: Sequence[str]) -> bool:
    """True if one of them is, or made the credential of, the other: its maker has seen it."""
    deciding = [each.strip().casefold() for each in decider.people or (decider.name,)]
    asking = [each.strip().casefold() for each in starters]
    return deciding[0] in asking or asking[0] in deciding


def require_fitting(item: InboxItem, ruling: Ruling) -> None:
    """Raises ``InvalidChoiceError`` for a choice that does not answer the question."""
    choosing = {ItemKind.EVIDENCE: RESULTS, ItemKind.CLARIFICATION: TEXT}.get(item.kind)
    if ruling.choice.keys() - ({choosing} if ruling.approved else set()):
        raise InvalidChoiceError
    if not ruling.approved:
        return
    if item.kind is ItemKind.CLARIFICATION:
        _require_text(ruling.choice.get(TEXT))
    elif RESULTS in ruling.choice:
        _require_places(ruling.choice[RESULTS], len(item.subject[RESULTS]))


def _require_text(text: object) -> None:
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_TEXT:
        raise InvalidTextError(most=LONGEST_TEXT)


def _require_places(places: object, count: int) -> None:
    if (
        not isinstance(places, list)
        or not places
        or any(type(place) is not int or not 0 <= place < count for place in places)
        or len(set(places)) < len(places)
    ):
        raise InvalidPlacesError(last=count - 1)
