"""The interface of a trace store. JSON Lines files and PostgreSQL are the two that ship."""

import logging
from collections.abc import Callable
from typing import Protocol

from veridical.contracts.trace import AgentTrace, Event

Skipped = Callable[[str], None]
"""Called with each place that holds something unreadable, which is left out."""

_log = logging.getLogger("veridical.trace")


class StoreError(Exception):
    """Traces can't be written or read; the text says where."""


class TraceStore(Protocol):
    """Stores events under their trace and sequence number. Events are written once: writing the
    same number again changes nothing, so a replayed run may write all its events again."""

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        """Store one event. Raises ``StoreError``."""
        ...

    def save(self, trace: AgentTrace) -> None:
        """Store a whole run. Raises ``StoreError``."""
        ...

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        """The run, if there is one and it belongs to this tenant. Raises ``StoreError``."""
        ...

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        """The runs that started last, the newest first. Raises ``StoreError``."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


def note_skipped(place: str) -> None:
    """Log what was skipped."""
    _log.warning("left out an unreadable event at %s", place)
