"""What a place for traces must offer. JSON Lines files and PostgreSQL are the two that ship."""

import logging
from collections.abc import Callable
from typing import Protocol

from veridical.contracts.trace import AgentTrace, Event

Skipped = Callable[[str], None]
"""Told of each place that holds something unreadable, which is left out."""

_log = logging.getLogger("veridical.trace")


class StoreError(Exception):
    """Traces can't be written or read; the text says where."""


class TraceStore(Protocol):
    """Keeps events under their trace and sequence number. What is written stays: writing the same
    number again changes nothing, so a replayed run may write all its events once more."""

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        """Keep one event. Raises ``StoreError``."""
        ...

    def save(self, trace: AgentTrace) -> None:
        """Keep a whole run. Raises ``StoreError``."""
        ...

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        """The run, if there is one and it belongs to this tenant. Raises ``StoreError``."""
        ...

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        """The runs that started last, the newest first. Raises ``StoreError``."""
        ...

    def close(self) -> None:
        """Let go of every connection."""
        ...


def note_skipped(place: str) -> None:
    """Leave a note in the log."""
    _log.warning("left out an unreadable event at %s", place)
