"""Inbox deadlines: how long people have to decide, when they are warned, and what holds then."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from veridical.contracts.person import ItemKind, PersonNeeded
from veridical.contracts.wire import Wire

Hours = Annotated[float, Field(gt=0, le=10_000)]
_EARLIEST_WARNING = 0.25
"""The share of the time that is left at most when a person is warned."""


class InboxDeadlines(Wire):
    """Deadlines in hours, for each kind of question, by the database's clock."""

    evidence: Hours = 24
    """For results that an answer is to rest on."""
    clarification: Hours = 24
    """For what an unclear question meant."""
    call: Hours = 24
    """For a call before it is made."""
    warning: Hours = 2
    """Before the end, and never before three quarters of the time are over."""
    approve_unanswered: tuple[Literal["evidence"], ...] = ()
    """Kinds that count as approved when nobody decides in time; all others are denied. A risky call
    can't be among them, and nobody can guess what was meant."""

    def approves(self, needed: PersonNeeded) -> bool:
        """Whether this question counts as approved when nobody decides."""
        return needed.reversible and needed.kind in self.approve_unanswered

    def ends(self, kind: ItemKind) -> timedelta:
        """How long after the question it expires."""
        return timedelta(hours=getattr(self, kind.value))

    def warns(self, kind: ItemKind) -> timedelta:
        """How long after the question a warning is due."""
        whole = self.ends(kind)
        return whole - min(timedelta(hours=self.warning), whole * _EARLIEST_WARNING)


DEFAULT_DEADLINES = InboxDeadlines()
