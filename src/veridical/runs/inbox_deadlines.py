"""Inbox deadlines: how long people have to decide, and when they are warned."""

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from veridical.contracts.person import ItemKind
from veridical.contracts.wire import Wire

Hours = Annotated[float, Field(gt=0, le=10_000)]
_EARLIEST_WARNING = 0.25
"""The share of the time that is left at most when a person is warned."""


class InboxDeadlines(Wire):
    """Deadlines in hours, for each kind of question, by the database's clock."""

    evidence: Hours = 24
    clarification: Hours = 24
    call: Hours = 24
    warning: Hours = 2
    """Before the end, and never before three quarters of the time are over."""

    def ends(self, kind: ItemKind) -> timedelta:
        """How long after the question it expires."""
        return timedelta(hours=getattr(self, kind.value))

    def warns(self, kind: ItemKind) -> timedelta:
        """How long after the question a warning is due."""
        whole = self.ends(kind)
        return whole - min(timedelta(hours=self.warning), whole * _EARLIEST_WARNING)


DEFAULT_DEADLINES = InboxDeadlines()
